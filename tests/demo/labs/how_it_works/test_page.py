"""How it works as a visitor meets it: the numbers shown are those of the step under the cursor."""

from __future__ import annotations

import math

import pytest
from streamlit.testing.v1 import AppTest

from demo import resources
from demo.labs.how_it_works import view
from demo.labs.how_it_works.moments import Asked, moments
from demo.labs.how_it_works.notation import number, vector
from demo.query import Query
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.pages import boxes, components, equations, errors, moment, open_page, player

pytestmark = pytest.mark.usefixtures("models")

SENTENCE = "Das gefällt mir."


def trace_of(model: str = "additive") -> DecodeTrace:
    return resources.answer(Query(f"translation/{model}", (SENTENCE,)))


def test_the_page_opens_with_the_last_step() -> None:
    at = open_page("how_it_works")
    assert not at.error
    found = trace_of().hypotheses[0]
    words, pieces = len(found.words), found.length
    named = f"Word {words}" if words == pieces else f"Word {words}, piece {pieces}"
    assert moment(at)["title"] == f"{named}: after “.”, the end"
    assert player(at) is not None
    assert [box["name"] for box in boxes(at)["boxes"]] == ["Task", "Data", "Model", "Parameters", "Loss", "Algorithm"]


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_step_shows_its_own_numbers(step: int) -> None:
    at = open_page("how_it_works", step=str(step), words="false")
    trace = trace_of()
    node = trace.path()[step - 1]
    row = trace.attention()[step - 1]
    assert f"= {number(math.exp(node.logprob))}" in equations(at)
    assert rf"\log p(y_t \mid \dots) = {number(node.logprob)}" in equations(at)
    assert rf"\alpha_{{t,{int(row.argmax()) + 1}}}" in equations(at)
    assert f"= {number(float(row.max()))}" in equations(at)
    model = resources.pipeline("translation/additive")
    assert vector(model.encode(SENTENCE).memory.states[0, int(row.argmax())].numpy()) in equations(at)


def test_choosing_a_source_position_shows_how_its_score_comes_about() -> None:
    at = open_page("how_it_works", step="1", words="false", position="1")
    first = trace_of().attention()[0, 0]
    assert f"= {number(float(first))}" in equations(at)
    assert "U s_t" in equations(at).replace(r"\underset{64 \times 64}{U} s_t", "U s_t")
    at.selectbox(key="position_menu").set_value(2).run()
    assert r"\alpha_{t,2}" in equations(at)
    assert at.query_params["position"] in ("2", ["2"])


def test_a_click_on_a_cell_chooses_step_and_position() -> None:
    trace = trace_of()

    def page() -> None:
        import streamlit as st

        from demo import state
        from demo.components.player.mount import clicked
        from demo.labs.how_it_works import view

        click = clicked("player")
        if click is not None:
            view.take_click(st.session_state["trace"], 0, click)
        st.write(f"{state.current(state.STEP)} {state.current(state.POSITION)}")

    for click, said in (({"node": trace.path()[1].id, "source": 2}, "2 3"), ({"node": "x", "source": -1}, "-1 0"), (None, "-1 0")):
        at = AppTest.from_function(page)
        at.session_state["trace"], at.session_state["player"] = trace, {"click": click}
        assert at.run().markdown[0].value == said
    assert view.starts(trace.hypotheses[0].groups, words=False) == list(range(len(trace.tokens())))


@pytest.mark.parametrize(("head", "said"), [("0", "The map shows the average of the heads."), ("2", "The map shows head 2.")])
def test_the_text_speaks_of_the_head_that_the_map_shows(head: str, said: str) -> None:
    at = open_page("how_it_works", model="multi-head", step="1", head=head)
    assert said in " ".join("".join(section["says"]) for section in moment(at)["sections"])


@pytest.mark.parametrize(("model", "there"), [("none", False), ("multi-head", True)])
def test_every_model_has_its_own_equations(model: str, there: bool) -> None:
    at = open_page("how_it_works", model=model, step="1")
    assert any(section["name"].startswith("Score of one source position") for section in moment(at)["sections"]) == there
    assert ("W_o" in equations(at)) == there
    assert not at.error


def test_a_very_long_output_comes_without_its_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(Query("translation/additive", (SENTENCE,)), 0, view.Chosen(False, 0, 0), "lab")
    short, numbers = moments.__wrapped__(asked)
    monkeypatch.setattr("demo.labs.how_it_works.moments.MOST", len(short["steps"]) + len(short["reads"]) - 1)
    long, none = moments.__wrapped__(asked)
    assert len(short["steps"][0]["vectors"]) > 5 and long["steps"][0]["vectors"] == []
    assert none["numbers"] == [] and max(vector["at"] for vector in short["steps"][-1]["vectors"]) < len(numbers["numbers"])
    assert [one["sections"] for one in long["steps"]] == [one["sections"] for one in short["steps"]]


def test_words_of_another_task() -> None:
    at = open_page("how_it_works", task="transliteration", word="namaste", step="1")
    assert not at.error
    assert moment(at)["title"].startswith("Grapheme 1: after the start sign, “")


def test_nothing_typed_is_said_kindly() -> None:
    at = open_page("how_it_works")
    at.text_input[0].set_value(" ").run()
    assert [note.value for note in at.info] == ["Type a German sentence, or take one of the examples above."]


def test_a_text_too_long_is_refused_in_one_sentence() -> None:
    assert errors(open_page("how_it_works", sentence="x" * 10_000)) == [
        "The text has 10,000 characters; at most 2,000 are allowed, so shorten it."
    ]


@pytest.mark.parametrize("text", ["😀 🙂", "<img src=x onerror=alert(1)>", "**x** $y$ :red[z] [a](b)"])
def test_any_other_text_is_shown_as_text(text: str) -> None:
    at = open_page("how_it_works", sentence=text)
    assert not at.error
    assert not any("<img" in markdown.value for markdown in at.markdown)
    found = next(data for data in components(at) if "reads" in data)
    assert not any("\\" in step["title"] or "\\" in "".join(step["sections"][0]["says"][::2]) for step in found["reads"] + found["steps"])


WRONG = {
    "task": "captioning",
    "model": "nonsense",
    "step": "x",
    "position": "99999",
    "head": "16",
    "words": "?",
    "hypothesis": "0",
    "search": "?",
}


@pytest.mark.parametrize("key", WRONG)
def test_a_wrong_parameter_does_no_harm(key: str) -> None:
    at = open_page("how_it_works", **{key: WRONG[key]})
    assert not at.error
    assert equations(at)


def test_the_encoder_reads_word_by_word_before_the_decoder_writes() -> None:
    at = open_page("how_it_works", step="0", read="2", words="false")
    inside = resources.pipeline("translation/additive").inside(trace_of())
    token = trace_of().parts[0].labels[1]
    assert moment(at)["title"] == f"The encoder reads token 2 of {trace_of().positions}: “{token.strip()}”"
    shown = player(at)
    assert shown is not None and (shown["layout"]["reads"], shown["options"]["step"], shown["options"]["read"]) == (True, 0, 2)
    cell = inside.encoder_cell(1, 1)
    for value in (
        inside.encoder["embedded"][1],
        cell.before,
        cell.after,
        inside.encoder_cell(1, 1, backwards=True).after,
        inside.memory[1],
    ):
        assert vector(value) in equations(at)
    assert r"\overleftarrow{h}_{j+1}" in equations(at)


def test_when_all_is_read_there_is_one_vector() -> None:
    at = open_page("how_it_works", step="0")
    inside = resources.pipeline("translation/additive").inside(trace_of())
    assert moment(at)["title"] == "All is read: one vector"
    assert vector(inside.summary) in equations(at) and vector(inside.start[0]) in equations(at)


def test_the_input_stands_above_the_label_shifted_by_one() -> None:
    at = open_page("how_it_works", step="1", words="false", lettering="Bereyhi")
    _, *columns = next(section["table"] for section in moment(at)["sections"] if section.get("table", [""])[0] == ["ℓ", ["input", "label"]])
    given, wanted = zip(*(cells for _, cells in columns), strict=True)
    assert given[0] == "<START>" and given[1:] == wanted[:-1]
    assert [name.startswith("→") for name, _ in columns] == [True] + [False] * (len(columns) - 1)
    assert r"s[\ell]" in equations(at) and "s_t" not in equations(at)


def test_the_vocabulary_can_be_searched() -> None:
    at = open_page("how_it_works")
    words = resources.pipeline("translation/additive").target_tokenizer
    sought = words.token(trace_of().token_ids()[0]).strip()
    at.text_input(key="vocabulary_sought").set_value(sought).run()
    found = next(table.value for table in at.table if "piece" in table.value.columns)
    assert all(sought.lower() in piece.lower() for piece in found["piece"])
    assert str(trace_of().token_ids()[0]) in list(found["index"])
