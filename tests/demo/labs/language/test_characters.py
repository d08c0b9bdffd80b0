"""Language model with a model of characters: it says a text and not a sentence, and is told in bits of each character."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from demo import resources
from demo.examples import MARKUP
from demo.labs.language.score import written
from demo.query import Query
from seq2seq_core.config import MAX_STEPS, ModelConfig
from seq2seq_core.inputs.tokenizer import CharacterTokenizer
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store.checkpoint import save, weights_of
from tests.demo.conftest import Install
from tests.demo.pages import open_page, result, table

SENTENCE = "A dog runs across the meadow."
MODEL = "language/characters"


@pytest.fixture(autouse=True)
def characters(all_models: Path, tmp_path: Path, install: Install) -> None:
    """An untrained one beside the tiny GRU."""
    letters = CharacterTokenizer.train([SENTENCE, *(example.text for example in MARKUP)])
    torch.manual_seed(1)
    config = ModelConfig(task="language", source="none", attention="none", cell="lstm", target_vocab=letters.size, embedding=8, hidden=8)
    root = tmp_path / "characters"
    card = {
        "name": MODEL,
        "data": {"language": "English with markup"},
        "scores": {"Pages": {"bits_per_character": 2.125, "perplexity": 4.36}},
    }
    save(root / "language" / "characters", config, weights_of(Seq2Seq(config)), (None, letters), card, "int8")
    (root / "language" / "gru").symlink_to(all_models / "language" / "gru")
    install(root)


def test_it_has_examples_of_its_own_and_says_several_hundred_characters() -> None:
    at = open_page("language_model", language_model="characters", search="sample", beginning="[[")
    assert [each.label for each in at.button if str(each.key).startswith("example_")][1] == MARKUP[1].text.replace("=", "\\=")
    at.button(key="example_1").click().run()
    assert not at.error and at.session_state["seed"] == 1
    assert result(at).startswith(MARKUP[1].text)
    assert resources.answer(Query(MODEL, prompt=MARKUP[1].text)).max_length == MAX_STEPS


def test_a_text_is_scored_in_bits_of_each_character() -> None:
    at = open_page("language_model", language_model="characters", do="score", scored=SENTENCE)
    found = resources.reading(Query(MODEL, target=SENTENCE))
    assert len(found.pieces) == len(SENTENCE) + 1
    assert result(at) == f"{-found.total / math.log(2) / len(found.pieces):.2f} bits per character"


def test_beside_models_of_words_it_is_held_against_the_same_words() -> None:
    at = open_page("language_model", do="models", scored=SENTENCE)
    shown = table(at, "The same sentence")
    assert shown is not None and not at.error
    values = {row["lead"]: row["values"] for row in shown["rows"]}
    own = resources.reading(Query(MODEL, target=SENTENCE))
    words = len(resources.reading(Query("language/gru", target=SENTENCE)).words)
    assert words == 8
    assert values["characters"][0] == written(math.exp(-own.total / words))
    assert values["characters"][4] == "2.12 bit"
    assert [row["lead"] for row in shown["rows"] if row["chosen"]] == ["gru"]
