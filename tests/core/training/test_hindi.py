"""English and Hindi from lines as they lie in a file: the Hindi in Latin letters, on the side where a model has it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.devanagari import Romaniser
from seq2seq_core.store.zoo import load
from seq2seq_core.tasks import TASKS, model_id, task_of
from seq2seq_core.training.evaluation import SENTENCES, evaluate_rows
from seq2seq_core.training.hindi import HindiPairs, HindiSettings, as_read
from seq2seq_core.training.readers import Row, read_rows
from seq2seq_core.training.recipe import Dataset, DataSource, Recipe, prepare, read_recipe
from tests.demo.tiny_models import HINDI_MODELS

CONFIGS = Path(__file__).resolve().parents[3] / "configs"
LINES = "I am going home.\tमैं घर जा रहा हूँ\nThis is a book.\tयह किताब है\n"
LEXICON = "मैं\tmain\t4\nमैं\tmaen\t1\nहूँ\thun\t2\nहूं\thoon\t3\nघर\tghar\t3\nकिताब\tkitab\t2\nकिताब\tkitaab\t1\n"
SETTINGS = DecodeSettings(search="greedy")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "pairs.tsv").write_text(LINES, encoding="utf-8")
    (tmp_path / "lexicon.tsv").write_text(LEXICON, encoding="utf-8")
    return tmp_path


def prepared(data: Path, side: str) -> Dataset:
    recipe = read_recipe(CONFIGS / f"translation-{'hindi-english' if side == 'source' else 'english-hindi'}.toml")
    assert (recipe.hindi.side, task_of(recipe.name)) == (side, recipe.model.task)
    entries = (DataSource(pairs="pairs.tsv"),)
    settings = HindiSettings(side, ("lexicon.tsv",), respelt=0.5)
    own = Recipe(recipe.name, recipe.model, recipe.train, recipe.tokenizer, entries, entries, hindi=settings)
    found, _ = prepare(own, data)
    assert isinstance(found, Dataset)
    return found


def test_hindi_that_is_said_is_spelt_in_one_way(data: Path) -> None:
    found = prepared(data, "target")
    said = [("I am going home.", "main ghar ja raha hoon"), ("This is a book.", "yah kitab hai")]
    assert found.dev_inputs(10)[:2] == ([english for english, _ in said], [(hindi,) for _, hindi in said])
    assert found.augmenter is not None and found.augmenter.epoch(1) == found.augmenter.epoch(2) == said
    assert found.romaniser is not None and list(found.romaniser.spellings)[:2] == ["मैं", "घर"]


def test_hindi_that_is_read_is_spelt_anew_in_every_epoch(data: Path) -> None:
    found = prepared(data, "source")
    assert found.dev_inputs(10)[0] == ["main ghar ja raha hoon", "yah kitab hai"]
    assert isinstance(found.augmenter, HindiPairs)
    epochs = [found.augmenter.epoch(seed) for seed in range(300)]
    assert epochs[0] == found.augmenter.epoch(0) != epochs[1]
    assert {english for epoch in epochs for _, english in epoch} == {"I am going home.", "This is a book."}
    words = {word.lower() for epoch in epochs for hindi, _ in epoch for word in hindi.split()}
    assert {"main", "maen", "mai", "mein", "hoon", "hun", "kitaab"} <= words
    assert found.augmenter.respelt("", random.Random(1)) == ""


def test_lines_are_turned_to_the_side_where_a_model_has_hindi(data: Path) -> None:
    rows = read_rows(data / "pairs.tsv", TASKS["hindi-english"])[:1]
    there, back = (load(HINDI_MODELS / "translation" / name) for name in ("hindi-english", "english-hindi"))
    assert as_read(there, rows) == [Row(("main ghar ja raha hoon",), "", ("I am going home.",))]
    assert as_read(back, rows) == [Row(("I am going home.",), "", ("main ghar ja raha hoon",))]
    assert as_read(back, [Row(("मैं",), "", ("I",))]) == [Row(("I",), "", ("main",))]  # Hindi may also stand first


def test_capitals_do_not_count() -> None:
    there = load(HINDI_MODELS / "translation" / "hindi-english")
    found = evaluate_rows(there, [Row(("I AM GOING HOME.",), "", ("मैं घर जा रहा हूँ",))], SETTINGS)
    assert (found["bleu"], found["exact"], found[SENTENCES].measure) == (100.0, 100.0, "bleu")
    assert found["intervals"]["bleu"] == [100.0, 100.0]
    other = evaluate_rows(there, [Row(("I am going home again.",), "", ("मैं घर जा रहा हूँ",))], SETTINGS)
    assert other["bleu"] < 100


def test_a_task_may_have_its_models_beside_another() -> None:
    assert [task_of(name) for name in ("translation/hindi-english", "translation/additive", "language/gru", "x")] == [
        "hindi-english", "translation", "language", "x",
    ]  # fmt: skip
    assert task_of("translation/english-hindi-none") == "english-hindi"
    assert [model_id(task, "a") for task in ("english-hindi", "summary", "x")] == ["translation/a", "summary/a", "x/a"]


def test_a_side_is_one_of_two() -> None:
    with pytest.raises(InputError, match="it must be source or target"):
        HindiSettings("left")
    assert not HindiSettings() and Romaniser({}).word("घर") == "ghar"
