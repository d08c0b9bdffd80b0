"""What a recipe changes in its training pairs: anew in every epoch, the same for the same seed, and nothing when it says nothing."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from seq2seq_core.errors import InputError
from seq2seq_core.training.augmentation import NOTHING, Augmentation, Augmenter, read_names
from seq2seq_core.training.readers import held_out, read_pairs
from seq2seq_core.training.recipe import Dataset, prepare, read_recipe

LISTS = Path(__file__).resolve().parents[3] / "configs" / "names"
PAIRS = [("Tom wohnt in Boston.", "Tom lives in Boston."), ("Straße und Häuser, überall.", "Street and houses everywhere.")] * 40
NAMED = re.compile(r"\b(Boston|Japan|Tom|Mary)\b")
EVERYTHING = Augmentation(names=0.7, numbers=0.5, written=1, unfinished=0.2, small=0.2, plain=0.2, slips=0.2)


@pytest.fixture(scope="module")
def augmenter() -> Augmenter:
    return Augmenter(EVERYTHING, PAIRS, LISTS)


def test_a_seed_gives_the_same_pairs_and_another_seed_gives_others(augmenter: Augmenter) -> None:
    assert augmenter.epoch(1) == augmenter.epoch(1) != augmenter.epoch(2)
    assert len(augmenter.epoch(1)) == len(PAIRS) + len(read_pairs(LISTS / "sentences.tsv"))


def test_targets_stay_clean(augmenter: Augmenter) -> None:
    rows = augmenter.epoch(3)[: len(PAIRS)]
    assert {target for _, target in rows[1::2]} == {PAIRS[1][1]}
    assert len({source for source, _ in rows[1::2]}) > 5
    assert all(target.endswith(".") and target[0].isupper() for _, target in rows)


def test_our_own_sentences_come_with_other_names_and_numbers(augmenter: Augmenter) -> None:
    rows = augmenter.epoch(4)[len(PAIRS) :]
    assert len(rows) > 200
    before = {target for _, target in read_pairs(LISTS / "sentences.tsv") if NAMED.search(target)}
    after = [(source, target) for source, target in rows if NAMED.search(target)]
    assert len(after) <= len(before) // 20, after  # one that is drawn by chance is no other


def test_no_name_that_is_held_out_is_put_in() -> None:
    names = read_names(LISTS)
    people = [name for group in (*names.women, *names.men, *names.surnames) for name in group]
    assert len(set(people)) > 15_000 and {"Anna", "Müller", "Ayşe", "Zhang", "Dmytro"} <= set(people)
    assert not [name for name in people if held_out(name)]
    copied = [german for group in names.cities for german, english in group if german == english]
    assert len(set(copied)) > 3000 and not [name for name in copied if held_out(name)]
    assert "Leipzig" in copied and "München" not in copied and ("Ungarn", "Hungary") in names.countries[1]
    assert (
        sum(("Wien", "Vienna") in group for group in names.cities) == len(names.cities) / 2
    )  # as often one to be known as one to be copied
    assert "Boston" in names.known and "Boston" not in copied  # exchanged where it stands, and put in nowhere


def test_every_sentence_of_ours_has_two_sides_that_end_alike() -> None:
    for german, english in read_pairs(LISTS / "sentences.tsv"):
        assert german[-1] in ".?!" and english[-1] in ".?!", (german, english)


def test_without_the_package_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faker.providers.person.de_DE", None)
    with pytest.raises(InputError, match="faker is needed"):
        read_names(LISTS)


def test_lists_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "people.tsv").write_text("cats\tGerman\tMinka\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"people\.tsv, line 1: a line begins with women, men, surnames, not with 'cats'"):
        read_names(tmp_path)


@pytest.mark.parametrize(("setting", "value"), [("names", 1.5), ("slips", -0.1), ("small", True), ("written", -1)])
def test_a_share_is_checked(setting: str, value: float) -> None:
    with pytest.raises(InputError, match=setting):
        replace(NOTHING, **{setting: value})


def test_a_recipe_that_says_nothing_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("".join(f"{de}\t{en}\n" for de, en in PAIRS[:2]), encoding="utf-8")
    text = '[tokenizer]\nsize = 400\n[[data.train]]\npairs = "pairs.tsv"\n[[data.dev]]\npairs = "pairs.tsv"\n'
    (tmp_path / "plain.toml").write_text(text, encoding="utf-8")
    dataset, _ = prepare(read_recipe(tmp_path / "plain.toml"), tmp_path)
    assert isinstance(dataset, Dataset) and dataset.augmenter is None and dataset.examples(1) == dataset.examples(2)

    (tmp_path / "names").symlink_to(LISTS)
    (tmp_path / "other.toml").write_text(f"{text}[augmentation]\nnames = 1.0\n", encoding="utf-8")
    dataset, _ = prepare(read_recipe(tmp_path / "other.toml"), tmp_path)
    assert isinstance(dataset, Dataset) and dataset.examples(1) != dataset.examples(2)
    assert len(dataset.examples(1)) == 2 and dataset.examples(1)[1] == dataset.dev_examples()[1]
