"""Steer as a visitor meets it."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from demo import resources, state
from demo.components.beam_tree.data import tree_data
from demo.edits import read_edits, write_edits
from demo.labs.steer import bench, cases
from demo.labs.steer.edits import force, one_hot, put_all_rows, put_row
from demo.query import Query
from demo.wording import signed
from seq2seq_core.config import DecodeSettings
from seq2seq_core.trace.reranking import greedy_path, rerank
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.pages import components, errors, open_page, player, result, table, texts

pytestmark = pytest.mark.usefixtures("models")

SENTENCE = "Ein Hund läuft über die Wiese."


def trace_of(edits: str = "", size: int = 5, sentence: str = SENTENCE) -> DecodeTrace:
    return resources.answer(Query("translation/additive", (sentence,), settings=DecodeSettings(beam_size=size), steering=read_edits(edits)))


def tree(at: AppTest) -> dict[str, Any]:
    return next(data["tree"] for data in components(at) if "tree" in data)


def editor(at: AppTest, kind: str = "row") -> dict[str, Any]:
    return next(data for data in components(at) if data.get("kind") == kind)


def test_the_page_opens_with_a_tree() -> None:
    at = open_page("steer", sentence=SENTENCE)
    assert result(at) == "A dog runs across the meadow."
    shown = tree(at)
    assert [shown["token"][i] for i in shown["best"]] == [token.strip().replace("</s>", "end") for token in trace_of().tokens()]
    assert shown["greedy"]["parts"] is None
    pruned = shown["state"].index("pruned")
    assert shown["why"][pruned] == "outside the beam"
    assert shown["gap"][pruned] <= 0
    assert texts(table(at, "Outputs"))[0] == result(at)
    playing = player(at)
    assert playing is not None
    assert playing["player"]["target"]["text"] == result(at)
    assert not errors(at)


def test_a_link_to_a_node_plays_its_path() -> None:
    trace = trace_of()
    pruned = next(node for node in trace.nodes if node.why == "outside the beam" and node.step == 2)
    at = open_page("steer", sentence=SENTENCE, node=str(pruned.id))
    assert tree(at)["node"][tree(at)["chosen"]] == pruned.id
    playing = player(at)
    assert playing is not None
    assert playing["player"]["target"]["tokens"] == list(trace.tokens(node=pruned.id))
    wrong = open_page("steer", sentence=SENTENCE, node="99999")
    assert tree(wrong)["chosen"] is None


def test_ranking_sliders_ask_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    at = open_page("steer", sentence=SENTENCE)
    calls: list[str] = []
    model = resources.pipeline("translation/additive").model
    for name in ("step", "encode"):
        own = getattr(type(model), name)
        monkeypatch.setattr(type(model), name, lambda *a, own=own, name=name, **k: calls.append(name) or own(*a, **k))
    at.slider(key="rank_length").set_value(0.0).run()
    at.slider(key="kept").set_value(2).run()
    assert calls == []
    found = rerank(trace_of(), 0.0, 2)
    shown = table(at, "Outputs")
    assert shown is not None
    assert [row["values"][1] for row in shown["rows"]] == [f"{one.total:.2f}".replace("-", "−") for one in found.ranked[:10]]
    assert "changed places" in shown["note"]
    assert tree(at)["kept"] == 2


def test_beam_one_is_greedy_and_another_beam_keeps_all() -> None:
    at = open_page("steer", sentence=SENTENCE, beam="1")
    assert tree(at)["greedy"] is None
    assert len([slider for slider in at.slider if slider.key == "kept"]) == 0
    at.slider(key="beam").set_value(4).run()
    assert at.slider(key="kept").value == 4
    assert tree(at)["kept"] == 4


def test_a_forced_word_changes_the_sentence() -> None:
    free = trace_of()
    child = next(token.token_id for token in trace_of(sentence="Ein Kind läuft über die Wiese.").path() if "child" in token.token)
    edits = write_edits(force(Steering(), free.token_ids()[:1], (child,)))
    at = open_page("steer", sentence=SENTENCE, edits=edits, part="force a word")
    shown = table(at, "Before and after")
    assert shown is not None
    assert texts(shown)[0] == "A dog runs across the meadow."
    assert texts(shown)[1].startswith("A child")
    assert shown["rows"][0]["parts"][1].startswith("dog")
    at.button(key="edit_0").click().run()
    assert result(at) == "A dog runs across the meadow."
    undo = next(button for button in at.button if button.label == "Undo")
    undo.click().run()
    assert texts(table(at, "Before and after")) == texts(shown)


def test_any_word_can_be_typed_and_undone() -> None:
    at = open_page("steer", sentence=SENTENCE, part="force a word")
    at.text_input(key="typed_word").set_value("child").run()
    after = table(at, "Before and after")
    assert after is not None
    assert texts(after)[1].startswith("child")
    undo = next(button for button in at.button if button.label == "Undo")
    undo.click().run()
    assert result(at) == "A dog runs across the meadow."
    assert table(at, "Before and after") is None
    redo = next(button for button in at.button if button.label == "Redo")
    redo.click().run()
    assert texts(table(at, "Before and after")) == texts(after)


def test_every_word_by_hand() -> None:
    at = open_page("steer", sentence=SENTENCE, part="force a word", every_word="true")
    for word in ("A", "child"):
        at.text_input(key="typed_word").set_value(word).run()
    shown = table(at, "Your words against the model's")
    assert shown is not None
    assert "".join(texts(shown)).startswith("A")
    assert shown["note"].startswith("The model would go on")
    step = table(at, "Word")
    assert step is not None
    assert "after “A child" in step["title"]


def test_a_moved_row_is_shown_before_and_after() -> None:
    free = trace_of()
    edits = write_edits(put_row(Steering(), free.token_ids()[:1], one_hot(len(free.parts[0].labels), 0)))
    node = trace_of(edits).path()[1].id
    at = open_page("steer", sentence=SENTENCE, edits=edits, part="move attention", node=str(node))
    bars = editor(at)
    assert bars["step"] == 1
    assert bars["row"] == list(one_hot(len(free.parts[0].labels), 0))
    assert bars["own"] == pytest.approx(free.attention()[1].tolist(), abs=1e-5)
    shown = table(at, "Before and after")
    assert shown is not None
    assert "KL" in shown["note"]


def test_an_oracle_does_better_or_worse() -> None:
    free = trace_of()
    size, own = len(free.parts[0].labels), free.token_ids()
    at = open_page("steer", sentence=SENTENCE, part="oracle")
    assert editor(at, "oracle")["given"] == [False] * len(own)
    words = table(at, "Say where to look")
    assert words is not None
    assert [row["values"][0] for row in words["rows"]] == [row["values"][1] for row in words["rows"]]
    steering = put_all_rows(Steering(), [one_hot(size, 0)] * len(own))
    told = resources.pipeline("translation/additive").score(SENTENCE, own, steering=steering)
    assert told.hypotheses[0].total < free.hypotheses[0].total - 0.1
    at = open_page("steer", sentence=SENTENCE, part="oracle", edits=write_edits(steering))
    words = table(at, "With your rows the same words are less probable")
    assert words is not None
    answer = resources.answer(Query("translation/additive", (SENTENCE,), steering=steering))
    free = f"says other words with your rows: “{answer.text()}”, log p {signed(answer.hypotheses[0].total)}, as above"
    assert answer.token_ids() != own and answer.hypotheses[0].total > told.hypotheses[0].total and free in words["note"]
    assert words["rows"][-1]["values"][1] == f"{told.hypotheses[0].total:.2f}".replace("-", "−")
    assert [row["values"][1] for row in words["rows"][:-1]] == [f"{node.logprob:.2f}".replace("-", "−") for node in told.path()]
    assert editor(at, "oracle")["rows"] == [list(one_hot(size, 0))] * len(own)
    assert table(at, "Before and after") is not None


def test_an_oracle_for_a_reference() -> None:
    reference = "A dog sleeps."
    steering = put_all_rows(Steering(), [one_hot(len(trace_of().parts[0].labels), 1)])
    at = open_page("steer", sentence=SENTENCE, part="oracle", target=reference, edits=write_edits(steering))
    pipeline = resources.pipeline("translation/additive")
    own, told = (pipeline.score(SENTENCE, reference, steering=rows) for rows in (Steering(), steering))
    words = table(at, "With your rows")
    assert words is not None
    assert "".join(word.partition("  ")[2] for word in texts(words)).startswith("Adog")
    totals = [f"{one.hypotheses[0].total:.2f}".replace("-", "−") for one in (own, told)]
    assert words["rows"][-1]["values"][:2] == totals
    assert [row["lead"] for row in words["rows"][:2]] == ["●", ""]
    before = table(at, "Before and after")
    assert before is not None
    assert [column[0] for column in before["columns"]] == ["log p", "change", "BLEU"]


def test_an_oracle_needs_a_map() -> None:
    at = open_page("steer", sentence=SENTENCE, part="oracle", model="none")
    assert any("no attention row" in info.value for info in at.info)
    at = open_page("steer", sentence=SENTENCE, part="oracle", target="x" * 3000)
    assert errors(at) == ["The text has 3,000 characters; at most 2,000 are allowed, so shorten it."]


def test_a_sentence_without_the_edits_of_the_last() -> None:
    at = open_page("steer", sentence=SENTENCE, edits="p4,5", node="3")
    assert table(at, "Before and after") is not None
    at.text_input(key="sentence").set_value("Das gefällt mir.").run()
    assert table(at, "Before and after") is None
    assert tree(at)["chosen"] is None
    assert result(at) == "I like it."


@pytest.mark.parametrize("edits", ["r1:0.5,0.5", "t3,99999", "nonsense", "h0,1,2,3,4,5,6,7,8,9,10,11,12,13,14"])
def test_edits_that_do_not_fit_are_refused_in_a_sentence(edits: str) -> None:
    at = open_page("steer", sentence=SENTENCE, edits=edits)
    assert len(errors(at)) == 1
    assert errors(at)[0].endswith(".")
    next(button for button in at.button if button.label == "Remove the edits").click().run()
    assert not errors(at)
    assert result(at) == "A dog runs across the meadow."


def test_attention_beside_other_explanations() -> None:
    at = open_page("steer", sentence=SENTENCE, part="explanation", node=str(trace_of().path()[1].id))
    shown = table(at, "Word 2")
    assert shown is not None
    assert texts(shown) == ["Ein", "Hund", "läuft", "über", "die", "Wiese", "."]
    assert table(at, "Do they rank") is not None
    assert table(at, "Another row") is not None


def test_a_model_without_a_map_says_so() -> None:
    for part in ("explanation", "move attention"):
        at = open_page("steer", sentence=SENTENCE, part=part, model="none")
        assert any("no attention row" in info.value for info in at.info)
        assert not errors(at)


def test_beam_sizes_with_a_reference() -> None:
    at = open_page("steer", sentence=SENTENCE, part="beam sizes", target="A dog runs across the meadow.")
    shown = table(at, "Beam 1 to 10")
    assert shown is not None
    assert [row["lead"] for row in shown["rows"]] == [str(size) for size in range(1, 11)]
    assert shown["rows"][4]["values"][-1] == "100"


def test_search_error_or_model_error() -> None:
    at = open_page("steer", sentence=SENTENCE, part="whose error", target="A dog runs across the meadow.")
    assert table(at, "The output is the reference") is not None
    at.text_input(key="target").set_value("A newspaper.").run()
    assert table(at, "Model error") is not None
    toy = table(at, "The exact best")
    assert toy is not None
    assert "(D + 2)^L = 390,625" in toy["note"]
    assert toy["rows"][0]["lead"] == "exhaustive"


def test_a_word_is_steered_too() -> None:
    at = open_page("steer", task="transliteration", word="namaste")
    assert result(at) == "नमस्ते"
    assert tree(at)["best"]


def test_tree_data_of_a_smaller_beam() -> None:
    trace = trace_of()
    whole, small = rerank(trace), rerank(trace, None, 2)
    data = tree_data(trace, small, greedy_path(trace, small.ranked[0].node, small.states), ("rest", "</s>"))
    assert len(data["node"]) < len(tree_data(trace, whole)["node"])
    assert all(parent < at for at, parent in enumerate(data["parent"]))
    assert data["greedy"]["rest"] == ["rest", "end"]
    assert data["id"] != tree_data(trace, whole)["id"]


def test_the_cases_on_the_page_are_links_to_a_state() -> None:
    for case in cases.cases():
        values = state.values_of(case.query)
        assert state.query_of(values) == case.query
        assert case.shows.endswith(".")


def test_history_follows_the_link() -> None:
    at = open_page("steer", sentence=SENTENCE, edits="p4")
    known = at.session_state[state.EDIT_HISTORY]
    assert known.now.edits == read_edits("p4")
    assert known.undo().now == bench.Entry()


def test_what_stands_above_the_player_is_what_it_plays() -> None:
    trace = trace_of()
    ranking = rerank(trace)
    own = set(trace.nodes.path(ranking.ranked[0].node))
    other = next(node for node in trace.nodes.path(ranking.ranked[1].node) if node not in own)
    at = open_page("steer", sentence=SENTENCE, node=str(other))
    playing = player(at)
    assert playing is not None
    assert result(at) == playing["player"]["target"]["text"] != trace.text()
    line = next(data for data in components(at) if data.get("kind") == "line")
    assert f"the best is “{trace.text()}”" in line["note"]
    pruned = next(node.id for node in trace.nodes if node.why == "outside the beam" and node.step == 2)
    at = open_page("steer", sentence=SENTENCE, node=str(pruned))
    playing = player(at)
    assert playing is not None and result(at) == f"{playing['player']['target']['text']} …"


def said(one: Any) -> str:
    return str(one.value).replace("\\", "")


def test_the_page_speaks_of_the_step_at_which_the_player_stands() -> None:
    trace = trace_of()
    at = open_page("steer", sentence=SENTENCE, part="move attention")
    assert at.query_params["step"] == "1" and any("Word 1, at the beginning" in said(one) for one in at.markdown)
    at = open_page("steer", sentence=SENTENCE, part="move attention", step="3", words="false")
    assert editor(at)["step"] == 2 and tree(at)["node"][tree(at)["chosen"]] == trace.path()[2].id
    assert any("Piece 3, after" in said(one) for one in at.markdown)
    assert not [button.label for button in at.button if button.label in ("Step back", "Step on")]


def test_a_word_of_several_pieces_is_forced_as_a_word() -> None:
    model = resources.pipeline("translation/additive")
    word = next(
        word
        for word in ("Yesterday", "camels", "Saturday")
        if len(ids := model.prefix(word).prefix) > 1 and ids[0] != trace_of().token_ids()[0]
    )
    at = open_page("steer", sentence=SENTENCE, part="force a word")
    at.text_input(key="typed_word").set_value(word).run()
    labels = [button.label.replace("\\", "") for button in at.button if "forced" in button.label]
    assert labels == [f"word 1: “{word}” forced"]
    after = table(at, "Before and after")
    assert texts(after)[1].startswith(word)
    assert f"Word 1, at the beginning: **{word}**" in [said(one) for one in at.markdown]
