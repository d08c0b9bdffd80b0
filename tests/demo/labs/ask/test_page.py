"""The page Ask a photo: a question in, an answer out, and beside it what is said without the photo."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from demo import resources, state
from demo.edits import read_edits
from demo.given.photos import SAMPLES
from demo.labs.ask import LAB, as_question
from demo.labs.ask.cases import cases, changed
from demo.labs.ask.view import chances, told
from demo.state import values_of
from seq2seq_core.errors import InputError
from seq2seq_core.store.zoo import find
from tests.demo.conftest import Install
from tests.demo.pages import ROOT, components, errors, open_page, player, result, table, texts


@pytest.mark.usefixtures("every_model")
def test_a_question_gets_its_answer_beside_what_is_said_without_the_photo() -> None:
    at = open_page("ask", photo="coffee", asked="What is this")
    assert result(at) and not errors(at)
    shown = player(at)
    assert shown is not None
    assert shown["player"]["target"]["words"][:4] == ["what", "is", "this", "?"]  # the mark was not typed
    assert shown["player"]["prompt"] == 4 and shown["player"]["parts"][0]["url"].startswith("data:image/jpeg;base64,")
    found = table(at, "Likeliest answers")
    assert found is not None and texts(found)[0] == result(at)
    assert [column[0] for column in found["columns"]] == ["p", "no photo"]
    assert "sees no photo says" in found["note"]
    at.text_input(key="asked").set_value("Is it red?").run()
    assert any("Rachel Michetti" in each.value for each in at.caption)
    painter = next(data for data in components(at) if data.get("act"))
    assert painter["act"] == "Ask again" and painter["words"][1][1] == "word 2, “it”"


@pytest.mark.usefixtures("every_model")
def test_simple_words_hide_what_the_other_model_says_and_an_empty_question_asks_for_one() -> None:
    at = open_page("ask", photo="cat", asked="Is it red?", level="simple")
    found = table(at, "Likeliest answers")
    assert found is not None and [column[0] for column in found["columns"]] == ["p"]
    at.text_input(key="asked").set_value(" ").run()
    assert [each.value for each in at.info][:1] == ["Type a question about the photo, or take one of the examples above."]


@pytest.mark.usefixtures("every_model")
def test_the_probabilities_are_those_of_the_answer_after_its_question() -> None:
    query = next(iter(LAB.queries(values_of("photo=cat&asked=What is this?")).values()))
    trace = resources.answer(query)
    path = trace.path()
    said = math.exp(sum(node.logprob for node in path[trace.prompt :]))
    assert chances(trace)[trace.hypotheses[0].answer] == pytest.approx(said, rel=1e-4) and said > 0.01
    assert sum(chances(trace).values()) <= 1.0001


@pytest.mark.usefixtures("every_model")
def test_edits_of_another_question_do_not_hold() -> None:
    at = open_page("ask", photo="cat", asked="Is it red?", edits="p9_9_9~R3_" + "_".join(["1"] + ["0"] * 99))
    assert not errors(at) and table(at, "Before and after") is None
    at = open_page("ask", photo="cat", asked="Is it red?", edits="R0_" + "_".join(["1"] + ["0"] * 99))
    assert len(texts(table(at, "Before and after"))) == 2


@pytest.mark.parametrize(("typed", "asked"), [("What is this", "What is this?"), ("Is it?", "Is it?"), ("Who.", "Who?"), ("", "")])
def test_a_question_has_its_mark(typed: str, asked: str) -> None:
    assert as_question(typed) == asked


def test_what_the_question_alone_tells_is_said_in_words() -> None:
    assert told("dog", {}) == ""
    assert "says the same, with 0.30" in told("dog", {"dog": 0.3, "cat": 0.2})
    assert "says “cat”, with 0.30: the photo has changed the answer." in told("dog", {"cat": 0.3, "dog": 0.2})


def test_looking_at_one_place_alone_changes_the_answer_of_every_case(install: Install) -> None:
    install(Path(ROOT) / "models")
    try:
        find("question/soft")
    except InputError:
        pytest.skip("no model of questions is installed")
    assert len(cases()) == 3 and {case.photo for case in cases()} <= {sample.name for sample in SAMPLES}
    for case in cases():
        values = {**values_of(""), state.PHOTO.key: case.photo, state.ASKED.key: case.question}
        query = next(iter(LAB.queries(values).values()))
        assert changed(resources.answer(query), resources.answer(replace(query, steering=read_edits(case.edits)))), case
