"""The Story page: a story, a question, the answer, the sentences it was found in, and what is not known."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from demo import app, examples, resources, state
from demo.labs.story import as_question, facts
from seq2seq_core.config import DecodeSettings
from seq2seq_core.store.zoo import load
from seq2seq_core.study.left_out import leave_one_out
from seq2seq_core.trace.looks import last_looks, most_looked_at
from tests.demo.conftest import Install
from tests.demo.labs.story.tiny import ANSWERS, MODELS
from tests.demo.pages import errors, open_page, player, result, table, texts

FIRST = examples.STORIES[0]
SENTENCES = [f"{sentence}." for sentence in FIRST.given.removesuffix(".").split(". ")]


@pytest.fixture(autouse=True)
def story(tmp_path: Path, install: Install) -> None:
    shutil.copytree(MODELS, tmp_path / "models")
    install(tmp_path / "models")


def test_a_story_is_answered_and_the_sentences_it_looked_at_are_shown() -> None:
    at = open_page("story")
    assert result(at) == ANSWERS[0]
    (asked, beside) = app.lab("story").queries(state.values_of("")).values()
    trace = resources.answer(asked)
    shown = player(at)
    assert shown is not None
    data = shown["player"]
    assert data["units"] == ["words", "sentences"] and data["parts"][0]["words"] == SENTENCES and data["rare"] == []
    assert data["row_units"] == ["words", "words"], "what is said is no sentences"
    assert data["prompt"] == trace.prompt == 7 and data["target"]["words"][5].strip() == "…", "two pauses follow the question"
    looked = table(at, "Where it looked")
    assert texts(looked) == SENTENCES and looked is not None
    assert [place for place, row in enumerate(looked["rows"]) if row["parts"][1]] == [2, 4], "those that tell it are marked"
    shares = np.array([row["bars"] for row in looked["rows"]])  # [N, L]
    np.testing.assert_allclose(shares.sum(0), 1, atol=1e-4)
    np.testing.assert_allclose(shares.T, last_looks(trace), atol=1e-6)
    assert most_looked_at(trace) == shares.sum(1).argmax()
    both = table(at, "With and without")
    assert both is not None and texts(both) == [ANSWERS[0], resources.answer(beside).hypotheses[0].answer]
    kinds = table(at, "What it can")
    assert kinds is not None and texts(kinds) == ["single supporting fact", "path finding"]
    assert [row["values"] for row in kinds["rows"]] == [["100", "100", "80"], ["50", "50", "40"]]
    assert "99 % and more: “single supporting fact”" in kinds["note"] or "99 % and more: single supporting fact" in kinds["note"]
    assert "below 90 %: path finding" in kinds["note"]
    assert "Mary" in at.expander[0].caption[0].value


def test_words_of_another_world_are_named_and_nothing_is_answered() -> None:
    at = open_page("story", story="Anna went to the balcony. Mary went to the kitchens.", story_question="Where is Anna")
    (said,) = errors(at)
    assert said.startswith("The model does not know “Anna” and “balcony”. It knows")
    assert player(at) is None and result(at) == ""


@pytest.mark.parametrize("empty", ["story", "story_question"])
def test_what_is_missing_is_said(empty: str) -> None:
    at = open_page("story", **{empty: " "})
    assert at.info[0].value == "Type a story and a question, or take one of the examples above."
    assert player(at) is None


def test_an_example_fills_both_and_an_own_question_has_no_marks() -> None:
    at = open_page("story")
    at.button(key="example_5").click().run()
    assert result(at) == "white" and "Lily is a swan" in at.text_area(key="story").value
    at.text_input(key="story_question").set_value("Where is Mary").run()
    looked = table(at, "Where it looked")
    assert looked is not None and not any(row["parts"][1] for row in looked["rows"])


def test_without_attention_there_is_nothing_to_look_at() -> None:
    at = open_page("story", story_model="none")
    assert table(at, "Where it looked") is None and any("one vector" in each.value for each in at.caption)
    both = table(at, "With and without")
    assert both is not None and [row["lead"] for row in both["rows"]] == ["none", "additive"]


def test_every_example_says_which_sentences_tell_it_and_the_vocabulary_is_that_of_the_data() -> None:
    for one in examples.STORIES:
        count = one.given.count(".")
        assert one.facts and all(1 <= place <= count for place in one.facts)
    (asked, _) = app.lab("story").queries(state.values_of("")).values()
    assert facts(asked) == (2, 4)
    assert as_question("Where is Mary.") == as_question("Where is Mary?") == "Where is Mary?"


def test_left_out_is_a_sentence() -> None:
    pipeline = load(MODELS / "story" / "additive")
    (trace,) = pipeline.decode_batch([FIRST.given], prompts=[FIRST.text], settings=DecodeSettings(search="greedy"))
    assert trace.hypotheses[0].answer == ANSWERS[0]
    left = leave_one_out(pipeline, trace.parts[0], trace.token_ids(), trace.prompt, prompt=FIRST.text)
    assert [one.word for one in left] == SENTENCES


@pytest.mark.parametrize(
    ("page", "more"), [("steer", {"part": "explanation"}), ("how_it_works", {"step": "7"}), ("how_it_works", {"step": "0"})]
)
def test_the_other_pages_take_a_story_too(page: str, more: dict[str, str]) -> None:
    at = open_page(page, task="story", **more)
    assert not at.error and (page == "steer" or player(at) is not None)
