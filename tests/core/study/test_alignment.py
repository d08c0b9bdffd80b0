"""Alignment error against hand-made links, maps of differences, and our own gold set."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.spans import split_words, word_labels
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.study.alignment import (
    Gold,
    diagonal_links,
    difference_map,
    error_rate,
    error_stats,
    gold_map,
    strongest_links,
    word_attention,
)
from tests.core.tiny import LETTERS, tiny_model

PAIRS = json.loads((Path(__file__).parents[3] / "demo/examples/pairs.json").read_text(encoding="utf8"))["translation"]
ALIGNED = [pair for pair in PAIRS if "sure" in pair]


def count_words(text: str) -> int:
    found = len(split_words(text))
    assert found == max(word_labels([sign.encode() for sign in text])) + 1  # the words that a model's pieces are grouped by
    return found


def rate(found: set[tuple[int, int]], gold: Gold) -> float:
    return float(error_rate(error_stats(frozenset(found), gold)))


def test_the_error_rate_by_hand() -> None:
    gold = Gold.read("0-0 1-1 2-3", "2-2")
    assert rate({(0, 0), (1, 1), (2, 3)}, gold) == 0.0
    assert rate({(0, 0), (1, 1), (2, 2), (2, 3)}, gold) == 0.0  # a possible link costs nothing
    assert rate({(0, 0), (1, 1)}, gold) == pytest.approx(100 * (1 - 4 / 5))  # a sure link is missing
    assert rate({(0, 0), (1, 1), (2, 3), (0, 3)}, gold) == pytest.approx(100 * (1 - 6 / 7))  # one link is wrong
    assert rate({(2, 0)}, gold) == 100.0


def test_statistics_add_up_over_sentences() -> None:
    one, other = Gold.read("0-0 1-1"), Gold.read("0-1")
    sums = error_stats(frozenset({(0, 0), (1, 1)}), one) + error_stats(frozenset({(0, 0)}), other)
    assert sums.tolist() == [2, 2, 3, 3]
    assert float(error_rate(sums)) == pytest.approx(100 * (1 - 4 / 6))


@pytest.mark.parametrize("pair", ALIGNED, ids=lambda pair: pair["source"])
def test_every_gold_alignment_against_itself_has_no_error(pair: dict[str, str]) -> None:
    gold = Gold.read(pair["sure"], pair["possible"])
    source, target = count_words(pair["source"]), count_words(pair["target"])
    gold.check(source, target)
    assert rate(set(gold.sure), gold) == 0.0
    assert rate(set(gold.possible), gold) == 0.0
    assert rate(set(diagonal_links(source, target)) - set(gold.possible), gold) == 100.0
    own = gold_map(gold, source, target)
    assert own.sum(1) == pytest.approx(1.0)  # every English word is linked
    assert not difference_map(own, own).any()


def test_the_gold_set_is_large_enough_and_links_full_stops() -> None:
    assert len(ALIGNED) >= 40
    assert len({pair["source"] for pair in PAIRS}) == len(PAIRS)
    for pair in ALIGNED:
        last = (count_words(pair["source"]) - 1, count_words(pair["target"]) - 1)
        assert last in Gold.read(pair["sure"]).sure


@pytest.mark.parametrize("written", ["0", "0-", "a-1", "0-1-2", "-1-0"])
def test_a_badly_written_link_is_named(written: str) -> None:
    with pytest.raises(InputError, match="not written as two numbers"):
        Gold.read(written)


def test_a_link_beyond_the_words_is_named() -> None:
    with pytest.raises(InputError, match="3-0 names a word that is not there"):
        gold_map(Gold.read("3-0"), 3, 1)


def test_links_are_where_a_word_looks_most() -> None:
    weights = np.array([[0.2, 0.7, 0.1], [0.4, 0.4, 0.2]])
    assert strongest_links(weights) == {(1, 0), (0, 1)}
    with pytest.raises(InputError, match="no attention map"):
        strongest_links(np.zeros((2, 0)))


def test_an_unlinked_word_is_left_out_of_a_difference() -> None:
    rows = gold_map(Gold.read("0-0 1-0", "1-1"), 2, 3)
    assert rows[:2].tolist() == [[0.5, 0.5], [0.0, 1.0]]
    assert np.isnan(difference_map(np.full((3, 2), 0.5), rows)[2]).all()


def test_maps_of_other_words_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="only maps of the same words"):
        difference_map(np.zeros((2, 3)), np.zeros((3, 2)))


@pytest.mark.parametrize("attention", ["dot", "additive", "multi-head"])
def test_the_attention_of_a_forced_output_by_word(attention: str) -> None:
    pipeline = Pipeline("translation/x", tiny_model(attention=attention, heads=2), LETTERS, LETTERS)
    own = word_attention(pipeline.score("abc de", "hgf"))
    assert own.shape[0] == len(pipeline.score("abc de", "hgf").grouped().target) - 1  # without the end sign
    assert own.sum(1) == pytest.approx(1.0, abs=1e-5)
    assert not difference_map(own, own).any()
    assert word_attention(Pipeline("translation/x", tiny_model(attention="none"), LETTERS, LETTERS).score("abc", "hg")).shape[1] == 0
