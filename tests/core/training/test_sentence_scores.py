"""What is kept of each sentence of a held-out set, and where the gap between two models lies."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from seq2seq_core.__main__ import main
from seq2seq_core.errors import InputError
from seq2seq_core.training.intervals import interval
from seq2seq_core.training.metrics import bleu_stats, exact_stats
from seq2seq_core.training.sentence_scores import FILE, SentenceScores, gap, keep, kept
from tests.core.tiny import save_tiny_model


def scores(right: list[int]) -> SentenceScores:
    """Word accuracy of words of 1, 2, 3, ... letters."""
    return SentenceScores("exact", tuple(range(1, len(right) + 1)), np.array([[one, 1] for one in right]))


def test_a_kept_file_gives_the_statistics_back(tmp_path: Path) -> None:
    outputs, references = ["a cat sat", "", "one"], ["a cat sat down here", "nothing", "one"]
    pairs = SentenceScores("bleu", (3, 1, 1), bleu_stats(outputs, references))
    words = SentenceScores("exact", (2, 1), exact_stats(["ab", "c"], ["ab", "d"]))
    keep(tmp_path, "pairs", pairs)
    keep(tmp_path, "words", words)
    for name, given in (("pairs", pairs), ("words", words)):
        found = kept(tmp_path, name, {"n": len(given), given.measure: round(given.value(), 4)})
        assert found is not None
        assert (found.measure, found.lengths) == (given.measure, given.lengths)
        assert found.stats.tolist() == given.stats.tolist()
    assert "cat" not in (tmp_path / FILE).read_text()  # counts alone, no text of the set


def test_sentences_of_another_evaluation_are_not_used(tmp_path: Path) -> None:
    given = scores([1, 0, 1])
    assert kept(tmp_path, "words", {"n": 3, "exact": 66.6667}) is None
    keep(tmp_path, "words", given)
    assert kept(tmp_path, "words", {"n": 3, "exact": 66.6667}) is not None
    assert kept(tmp_path, "words", {"n": 4, "exact": 66.6667}) is None
    assert kept(tmp_path, "words", {"n": 3, "exact": 70.0}) is None
    assert kept(tmp_path, "others", {"n": 3, "exact": 66.6667}) is None
    (tmp_path / FILE).write_text('{"words": {"measure": "exact"}}')
    assert kept(tmp_path, "words", {"n": 3, "exact": 66.6667}) is None


def test_buckets_sum_to_the_whole_set() -> None:
    given = scores([1, 0, 1, 1, 0, 0, 1, 1, 0])
    assert sum(int(row["n"] or 0) for row in given.buckets()) == len(given) == 9
    assert np.bincount(given.bucket_of()).tolist() == [row["n"] for row in given.buckets()]


def test_a_gap_that_lies_in_the_long_sentences() -> None:
    rng = np.random.default_rng(0)
    lengths = tuple(sorted(rng.integers(1, 21, size=400).tolist()))
    good = np.array([[1, 1]] * 400)
    bad = np.array([[int(length < 12 or rng.random() < 0.5), 1] for length in lengths])
    found = gap(SentenceScores("exact", lengths, bad), SentenceScores("exact", lengths, good))
    assert found.counts[0] == 400 and found.counts[1] + found.counts[2] < 400
    assert (found.shortest.value, found.shortest.low, found.shortest.high) == (0.0, 0.0, 0.0)
    assert found.longest.low > 25 and found.longest.low <= found.longest.value <= found.longest.high
    assert found.widening.low > 25
    assert found.average.value == pytest.approx(100 - 100 * bad[:, 0].mean())
    same = gap(SentenceScores("exact", lengths, bad), SentenceScores("exact", lengths, bad))
    assert (same.average.value, same.widening.low, same.widening.high) == (0.0, 0.0, 0.0)


def test_the_interval_within_a_quarter_is_that_of_the_paired_bootstrap() -> None:
    one = scores([1, 0] * 100)
    nothing = SentenceScores("exact", one.lengths, np.array([[0, 1]] * 200))
    expected = interval(np.array([[1, 1], [0, 1]] * 25), one.score)
    found = gap(nothing, one).shortest
    assert found.value == pytest.approx(expected.value)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=4)


def test_other_sentences_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="not the same"):
        gap(scores([1, 0]), scores([1, 0, 1]))


def test_evaluate_keeps_the_sentences_beside_the_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for task, folder in (("translation", "additive"), ("transliteration", "none")):
        save_tiny_model(tmp_path / task / folder, seed=5, task=task, attention=folder)
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(tmp_path))
    (tmp_path / "pairs.tsv").write_text("".join(f"{'abc ' * (1 + n % 6)}\tbad cab\n" for n in range(24)))
    (tmp_path / "words.tsv").write_text("ab\tba\t2\nbb\tba\t1\ncd\tdc\t1\nfacade\tedacaf\t1\nbeef\tfeeb\t1\n")
    for model, option, measure in (("translation/additive", "--pairs", "bleu"), ("transliteration/none", "--lexicon", "exact")):
        data = tmp_path / ("pairs.tsv" if option == "--pairs" else "words.tsv")
        assert main(["evaluate", model, option, str(data), "--record", "held out", "--json"]) == 0
        recorded = json.loads((tmp_path / model / "model.json").read_text())["scores"]["held out"]
        assert "sentences" not in recorded
        found = kept(tmp_path / model, "held out", recorded)
        assert found is not None and found.measure == measure
        assert len(found) == recorded["n"] == sum(row["n"] for row in recorded["buckets"])
        assert [row["n"] for row in found.buckets()] == [row["n"] for row in recorded["buckets"]]
