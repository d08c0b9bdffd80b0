"""Two hundred sentences with names and numbers, a hundred typed carelessly, and what the shipped translators make of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seq2seq_core.store.checkpoint import read_card
from seq2seq_core.store.zoo import list_models, load
from seq2seq_core.training.augmentation import read_names
from seq2seq_core.training.readers import read_pairs
from tests.core.own_sentences import careless_sentences, count, name_sentences, stored

ROOT = Path(__file__).resolve().parents[2]
LISTS = ROOT / "configs" / "names"
SHIPPED = [info.id for info in list_models(ROOT / "models") if info.task == "translation"]

# Sentences of the 200 with every name and number, and the share of its BLEU that a model keeps when the typing is careless. Measured, less
# two sentences and two points, because another processor may turn a near tie. To be raised with better models, never lowered.
FLOORS = {
    "translation/none": (24, 0.82),
    "translation/every-step": (31, 0.79),
    "translation/dot": (144, 0.83),
    "translation/bilinear": (141, 0.81),
    "translation/additive": (170, 0.91),
    "translation/key-query": (150, 0.84),
    "translation/multi-head": (142, 0.82),
    "translation/additive-input": (168, 0.88),
    "translation/additive-lstm": (143, 0.88),
    "translation/additive-rnn": (122, 0.79),
    "translation/small": (148, 0.81),
    "translation/transformer": (177, 0.86),
}


def test_there_are_two_hundred_and_a_hundred_each_once() -> None:
    assert len({row.german for row in name_sentences()}) == len(name_sentences()) == 200
    assert len({row.careful for row in careless_sentences()}) == len(careless_sentences()) == 100


def test_our_translations_have_what_we_ask_for() -> None:
    assert not [(row.german, row.missing(row.english)) for row in name_sentences() if row.missing(row.english)]


def test_a_name_counts_as_a_word_of_its_own() -> None:
    row = next(row for row in name_sentences() if row.german == "Sie hat elf Tanten.")
    assert row.missing("She has elevenfold luck.") == ["eleven"] and not row.missing("11 aunts") and not row.missing("Eleven aunts.")


def test_careless_is_the_same_sentence_typed_carelessly() -> None:
    for row in careless_sentences():
        assert row.careful != row.careless and row.careful[-1] in ".?!"
        assert abs(len(row.careful.split()) - len(row.careless.split())) <= 1


def test_no_name_that_must_be_copied_is_put_into_training_pairs() -> None:
    names = read_names(LISTS)
    trained = {name for group in (*names.women, *names.men, *names.surnames) for name in group}
    trained |= {german for group in (*names.cities, *names.countries) for german, english in group if german == english}
    copied = {form for row in name_sentences() for choice in row.wanted for form in choice if re.search(rf"\b{form}", row.german)}
    words = {name for name in copied if name[0].isalpha()}
    assert len(words) > 120 and not words & trained
    written = " ".join(german for german, _ in read_pairs(LISTS / "sentences.tsv"))
    assert not [name for name in words if re.search(rf"\b{name}\b", written)]


def test_every_shipped_translator_has_a_floor() -> None:
    assert set(SHIPPED) <= set(FLOORS)


@pytest.mark.parametrize("model_id", SHIPPED)
def test_names_and_numbers_arrive_and_careless_typing_costs_no_more_than_was_measured(model_id: str) -> None:
    """As they were counted with these weights; that a model still answers so is another test's."""
    counts = stored().get(model_id)
    assert counts and counts.weights == read_card(ROOT / "models" / model_id)["sha256"], (
        f"python -m tests.core.own_sentences --store {model_id}"
    )
    names, kept = FLOORS[model_id]
    assert counts.names >= names
    assert counts.kept >= kept


def test_what_is_stored_is_what_is_counted() -> None:
    """Of the smallest model; another processor may turn a near tie."""
    counts, _ = count(load("translation/small"))
    known = stored()["translation/small"]
    assert counts.weights == known.weights and abs(counts.names - known.names) <= 2 and abs(counts.kept - known.kept) <= 0.02
