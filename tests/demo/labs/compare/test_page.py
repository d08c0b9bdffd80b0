"""Compare as a visitor meets it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from demo import examples, resources
from demo.blocks import comparison
from demo.blocks.comparison import Entry, best, by_cell, by_wiring, dev_score, partings, said
from demo.blocks.player import fitting
from demo.colours import LIGHT
from demo.components.player.data import Said
from demo.query import Query
from seq2seq_core.config import DecodeSettings
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store.checkpoint import load as load_checkpoint
from seq2seq_core.store.checkpoint import save, weights_of
from seq2seq_core.store.zoo import list_models
from tests.demo import traces
from tests.demo.pages import boxes, components, errors, open_page, player, table, texts

pytestmark = pytest.mark.usefixtures("models")

SENTENCE = "Das gefällt mir."
VARIANTS = ["none", "additive"]


def players(at: AppTest) -> list[dict[str, Any]]:
    """What the players were given, without the clock."""
    return [data for data in components(at) if "player" in data and data["player"]["kind"] != "clock"]


def outputs(at: AppTest) -> list[str]:
    return [one["player"]["target"]["text"] for one in players(at)]


def test_the_page_opens_with_players_under_one_clock() -> None:
    at = open_page("compare")
    assert not at.error
    clock = player(at)
    assert clock is not None
    assert clock["player"]["kind"] == "clock"
    assert [one["player"]["title"] for one in players(at)] == VARIANTS
    assert {one["layout"]["sync"] for one in [clock, *players(at)]} == {"compare"}
    assert not any(one["layout"]["controls"] for one in players(at))
    assert clock["player"]["length"] == max(len(one["player"]["target"]["words"]) for one in players(at))


def test_it_opens_on_a_sentence_that_one_vector_does_not_hold_and_not_over_what_was_asked() -> None:
    at = open_page("compare")
    assert at.text_input[0].value == examples.LONG.text and len(examples.LONG.text.split()) == 14
    at.text_input[0].set_value("Guten Morgen.").run()
    at.switch_page("pages/translate.py").run().switch_page("pages/compare.py").run()
    assert at.text_input[0].value != examples.LONG.text
    assert open_page("compare", variants="dot").text_input[0].value == SENTENCE


def test_the_table_holds_what_the_traces_say() -> None:
    at = open_page("compare", sentence=SENTENCE)
    found = table(at, "Outputs")
    assert found is not None
    made = [resources.answer(Query(f"translation/{name}", (SENTENCE,))) for name in VARIANTS]
    assert texts(found) == [trace.text() for trace in made] == outputs(at)
    assert [row["lead"] for row in found["rows"]] == VARIANTS
    assert [row["values"][0] for row in found["rows"]] == [f"{trace.hypotheses[0].total:.2f}".replace("-", "−") for trace in made]
    assert [row["values"][1] == "no map" for row in found["rows"]] == [True, False]
    assert found["rows"][1]["colors"][0] == LIGHT.variant("additive")
    bits = float(made[1].entropy().mean()) / 0.6931471805599453
    assert found["rows"][1]["values"][1] == f"{bits:.2f} bit"


def test_the_first_token_that_parts_is_marked_in_each() -> None:
    at = open_page("compare", sentence=SENTENCE)
    one, other = (resources.answer(Query(f"translation/{name}", (SENTENCE,))) for name in VARIANTS)
    step = next(t for t, (a, b) in enumerate(zip(one.tokens(), other.tokens(), strict=False)) if a != b)
    assert [each["player"]["diverges"] for each in players(at)] == [step, step]


def test_all_may_follow_the_same_words() -> None:
    at = open_page("compare", same_target="true", followed="additive")
    led = resources.answer(Query("translation/additive", (SENTENCE,)))
    assert outputs(at) == [led.text()] * 2
    assert [one["player"]["target"]["tokens"] for one in players(at)] == [list(led.tokens())] * 2
    assert {one["player"]["diverges"] for one in players(at)} == {None}
    found = table(at, "Outputs")
    assert found is not None
    assert found["rows"][1]["values"][0] == f"{led.hypotheses[0].total:.2f}".replace("-", "−")


def test_all_may_follow_typed_words() -> None:
    at = open_page("compare", same_target="true", followed="typed words")
    assert [note.value for note in at.info] == ["Type the words that all of them are to say."]
    at = open_page("compare", same_target="true", followed="typed words", target="You like it.")
    assert outputs(at) == ["You like it."] * 2


def test_greedy_against_beam() -> None:
    at = open_page("compare", compare="searches", sentence="Ein Kind spielt am Strand.")
    ways = (DecodeSettings(search="greedy"), DecodeSettings())
    asked = "translation/additive", ("Ein Kind spielt am Strand.",)
    assert outputs(at) == [resources.answer(Query(*asked, settings=way)).text() for way in ways]
    assert [one["player"]["title"] for one in players(at)] == ["greedy", "beam 5"]


def test_words_of_another_task() -> None:
    at = open_page("compare", task="transliteration", compare="searches", word="namaste")
    found = table(at, "Outputs")
    assert found is not None
    assert found["language"] == "hi"
    assert outputs(at) == [resources.answer(Query("transliteration/additive", ("namaste",))).text()] * 2
    assert at.text_input[0].label == "Word in Latin letters"


def test_choosing_another_variant_adds_its_player() -> None:
    at = open_page("compare")
    pills = next(group for group in at.button_group if group.label == "Variants") if hasattr(at, "button_group") else at.pills[0]
    pills.set_value(["none", "additive", "multi-head"]).run()
    assert [one["player"]["title"] for one in players(at)] == ["none", "additive", "multi-head"]
    assert players(at)[2]["player"]["heads"][1]["name"] == "head 2"


def test_fewer_than_two_are_asked_for_more() -> None:
    at = open_page("compare", variants="additive")
    assert [note.value for note in at.info] == ["Choose at least two to compare."]
    assert players(at) == []


def test_a_step_in_the_link_is_where_all_stand() -> None:
    at = open_page("compare", step="2", words="false", numbers="true")
    assert {one["options"]["step"] for one in components(at) if "options" in one} == {2}
    assert {(one["options"]["words"], one["options"]["numbers"]) for one in players(at)} == {(False, True)}


@pytest.mark.parametrize("text", ["", "   "])
def test_nothing_typed_is_said_kindly(text: str) -> None:
    at = open_page("compare")
    at.text_input[0].set_value(text).run()
    assert [note.value for note in at.info] == ["Type a German sentence, or take one of the examples above."]
    assert not at.error


def test_a_text_too_long_is_refused_in_one_sentence() -> None:
    at = open_page("compare", sentence="x" * 10_000)
    assert errors(at) == ["The text has 10,000 characters; at most 2,000 are allowed, so shorten it."]


@pytest.mark.parametrize("text", ["😀 🙂", "<img src=x onerror=alert(1)>", "**x** $y$ :red[z] [a](b)"])
def test_any_other_text_is_shown_as_text(text: str) -> None:
    at = open_page("compare", sentence=text)
    assert {one["player"]["parts"][0]["text"] for one in players(at)} == {text}
    assert not at.error
    assert not any("<img" in markdown.value for markdown in at.markdown)


WRONG = {
    "task": "captioning",
    "compare": "colours",
    "variants": "nonsense",
    "cells": "transformer",
    "searches": "exhaustive",
    "same_target": "perhaps",
    "followed": "<b>",
    "target": "\x00",
    "model": "../../etc",
    "beam": "many",
    "search": "exhaustive",
    "step": "-7",
    "words": "?",
    "numbers": "1",
    "speed": "fast",
    "head": "99",
    "view": "hologram",
}


@pytest.mark.parametrize("key", WRONG)
def test_a_wrong_parameter_does_no_harm(key: str) -> None:
    at = open_page("compare", **{key: WRONG[key]})
    assert not at.error
    assert players(at) or [note.value for note in at.info] == ["Choose at least two to compare."]


def test_where_outputs_part() -> None:
    made = [traces.make_trace(tokens, traces.text_source(["Ein", " Hund"])) for tokens in ([" A", " dog", "</s>"], [" A", " cat", "</s>"])]
    assert partings(made) == [1, 1]
    assert partings([made[0], made[0]]) == [None, None]
    assert partings([made[0], made[0], made[1]]) == [1, None, 1]


def test_where_outputs_part_from_another_than_the_first() -> None:
    source = traces.text_source(["Ein", " Hund"])
    made = [traces.make_trace(tokens, source) for tokens in ([" A", " cat", "</s>"], [" The", "</s>"], [" A", " dog", "</s>"])]
    assert partings(made, 2) == [1, 0, 0]


def test_outputs_do_not_part_where_one_word_is_put_together_from_other_pieces() -> None:
    source = traces.text_source(["Guten", " Morgen"])
    outputs = [[" G", "ood", " morning", "</s>"], [" Good", " morning", "</s>"], [" Good", " day", "</s>"]]
    made = [traces.make_trace(output, source) for output in outputs]
    assert partings(made[:2]) == [None, None]
    assert partings(made) == [2, None, 1]
    assert partings(made, 2) == [2, 1, 1]


def test_words_that_another_output_does_not_have_are_marked_and_counted() -> None:
    source, info = traces.text_source(["Ein", " Hund"]), list_models()[0]
    worse, better = (replace(info, card=info.card | {"scores": {"dev": {"bleu": bleu}}}) for bleu in (10.0, 20.0))
    outputs = [[" A", " run", "ning", " cat", " sits", ".", "</s>"], [" A", " dog", " sits", ".", "</s>"], [" A", " dog", ".", "</s>"]]
    made = [traces.make_trace(output, source) for output in outputs]
    entries = [Entry(name, kind, trace) for name, kind, trace in zip("xyz", (worse, better, worse), made, strict=True)]
    assert best(entries) == 1
    assert said(entries) == [Said("2 other words than y", (1, 2)), Said("best of these on held-out data"), Said("leaves words of y out")]
    assert said([entries[1], replace(entries[1], name="again")])[1] == Said("says what y says")
    assert best([entries[1], entries[1]]) == 0


def test_each_panel_says_its_output_first() -> None:
    at = open_page("compare", sentence="Ein Kind spielt am Strand.")
    one, other = players(at)
    assert one["player"]["said"]["note"] and other["player"]["said"]["note"]
    entries = [resources.answer(Query(f"translation/{name}", ("Ein Kind spielt am Strand.",))) for name in VARIANTS]
    assert [] in (one["player"]["said"]["marked"], other["player"]["said"]["marked"])
    assert one["player"]["target"]["text"] == entries[0].text()


def test_scores_and_cells_are_read_from_the_cards() -> None:
    assert dev_score("translation", {"scores": {"test": {"bleu": 1.0}, "dev tatoeba": {"bleu": 33.14}}}) == "33.1 BLEU"
    assert dev_score("transliteration", {"scores": {}, "training_dev": {"loss": 2.0, "exact": 50.0}}) == "50.0 % exact"
    assert dev_score("translation", {}) == "–"
    assert list(by_cell(list_models())) == ["gru"]
    trace = traces.dog_trace()
    assert comparison.figures(Entry("x", list_models()[0], trace))[2].endswith("%")


@pytest.mark.parametrize(("words", "placed"), [(5, [2, 3, 4, 3, 3, 4]), (9, [2, 3, 2, 3, 3, 3]), (14, [2, 2, 2, 2, 2, 2])])
def test_long_sentences_stand_in_fewer_columns(words: int, placed: list[int]) -> None:
    trace = traces.make_trace([" A", "</s>"], traces.text_source([f" w{i}" for i in range(words)]))
    assert [fitting(count, trace, words=False) for count in range(2, 8)] == placed


def test_the_table_says_of_a_photo_in_how_many_cells_half_of_the_attention_lies() -> None:
    narrow, wide = np.zeros((2, 1, 9), dtype=np.float32), np.full((2, 1, 9), 1 / 9, dtype=np.float32)
    narrow[:, :, 4] = 1
    for weights, told in ((narrow, "1 cell"), (wide, "5 cells")):
        trace = traces.make_trace([" cat", "</s>"], traces.image_source(3, 3, (30, 30)), attention=weights, task="captioning")
        entry = Entry("x", list_models()[0], trace)
        values = dict(zip([column.name for column in comparison.columns(entry)], comparison.figures(entry), strict=True))
        assert values["half in"] == told and "coverage" not in values
    text = Entry("x", list_models()[0], traces.dog_trace())
    assert "coverage" in [column.name for column in comparison.columns(text)]


@pytest.fixture
def both_wirings(tmp_path: Path, all_models: Path, install: Any) -> Path:
    """Beside the tiny models the additive one again, untrained, with its context going into the cell; and a Transformer."""
    torch.manual_seed(1)
    folder = tmp_path / "both" / "translation"
    folder.mkdir(parents=True)
    for known in (all_models / "translation").iterdir():
        (folder / known.name).symlink_to(known)
    known = load_checkpoint(folder / "additive")
    made = {
        "additive-input": replace(known.model.config, wiring="input"),
        "transformer": replace(known.model.config, body="transformer", attention="multi-head", hidden=48),
    }
    for name, config in made.items():
        card = {"name": f"translation/{name}", "data": {"language": "German to English"}}
        both = (known.source_tokenizer, known.target_tokenizer)
        save(folder / name, config, weights_of(Seq2Seq(config)), both, card)
    return install(tmp_path / "both")


def test_where_the_context_goes_is_a_choice_where_there_are_both(both_wirings: Path) -> None:
    at = open_page("compare", sentence=SENTENCE, compare="wiring")
    assert not errors(at)
    assert [data["player"]["network"]["wiring"] for data in players(at)] == ["output", "input"]
    assert [data["player"]["title"] for data in players(at)] == ["into the output", "into the cell"]
    at = open_page("how_it_works", sentence=SENTENCE, model="additive")
    (choice,) = (each for each in at.segmented_control if each.label == "The context goes")
    assert choice.value == "into the output"
    choice.set_value("into the cell").run()
    assert not errors(at)
    assert at.query_params["model"] == "additive-input" and players(at)[0]["player"]["network"]["wiring"] == "input"
    assert any(r"[x_t;\, c_t]" in line for box in boxes(at)["boxes"] for line in box["lines"])


def test_a_transformer_stands_beside_the_other_variants(both_wirings: Path) -> None:
    at = open_page("compare", sentence=SENTENCE, variants="transformer")
    (pills,) = (each for each in at.get("button_group") if each.proto.label == "Variants")
    assert "transformer" in [option.content for option in pills.proto.options]
    assert list(comparison.attentions(resources.installed("translation")))[-1] == "transformer"


@pytest.mark.usefixtures("models")
def test_without_both_nobody_is_asked_where_the_context_goes() -> None:
    assert by_wiring(resources.installed("translation")) == {}
    assert not [each for each in open_page("how_it_works", sentence=SENTENCE).segmented_control if each.label == "The context goes"]
