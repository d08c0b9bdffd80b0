"""How sure a score is: bootstrap intervals over sentences, and scores by the length of the source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from seq2seq_core.errors import InputError
from seq2seq_core.training.metrics import Counts, Floats, bleu_from

Sums = Counts | Floats  # [n, K]: what each sentence adds to the sums that a score is made of

LESS = "less"  # the key of the differences to another model, which are told and not recorded
RESAMPLES = 1000
_DRAWS_AT_ONCE = 2_000_000  # bounds the memory of the bootstrap


@dataclass(frozen=True, slots=True)
class Interval:
    """A score with its 95 % bootstrap interval over sentences."""

    value: float
    low: float
    high: float


def interval(stats: Sums, score: Callable[[npt.NDArray[Any]], Floats] = bleu_from, resamples: int = RESAMPLES, seed: int = 0) -> Interval:
    """The corpus score of [n, K] statistics with its 95 % bootstrap interval over sentences."""
    _check_stats(stats)
    scores = np.concatenate([score(weights @ stats) for weights in _resamples(len(stats), resamples, seed)])
    return percentiles(float(score(stats.sum(axis=0))), scores)


def difference_interval(
    stats_a: Sums,
    stats_b: Sums,
    score: Callable[[npt.NDArray[Any]], Floats] = bleu_from,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Score of b minus score of a on the same sentences, with the 95 % interval of the paired bootstrap (Koehn 2004)."""
    draws = resampled_differences(stats_a, stats_b, score, resamples, seed)
    return percentiles(float(score(stats_b.sum(axis=0)) - score(stats_a.sum(axis=0))), draws)


def resampled_differences(
    stats_a: Sums, stats_b: Sums, score: Callable[[npt.NDArray[Any]], Floats] = bleu_from, resamples: int = RESAMPLES, seed: int = 0
) -> Floats:
    """[resamples] score of b minus score of a, on the same sentences of each resample."""
    _check_stats(stats_a)
    if stats_a.shape != stats_b.shape:
        raise InputError(f"The statistics have {len(stats_a)} and {len(stats_b)} sentences; score both systems on the same sentences.")
    draws = [score(weights @ stats_b) - score(weights @ stats_a) for weights in _resamples(len(stats_a), resamples, seed)]
    return np.concatenate(draws)


def length_edges(lengths: Sequence[int], parts: int = 4) -> list[int]:
    """The first length of each of `parts` buckets as equal in number as ties allow; fewer when too few lengths differ."""
    if not lengths:
        raise InputError("There are 0 lengths; at least 1 is needed to choose buckets.")
    values, counts = np.unique(np.asarray(lengths), return_counts=True)
    below = np.cumsum(counts) - counts  # how many are shorter than each value
    starts = [int(values[np.argmin(np.abs(below - len(lengths) * part / parts))]) for part in range(parts)]
    return sorted(set(starts))


def buckets(
    lengths: Sequence[int],
    stats: Sums,
    edges: Sequence[int],
    name: str = "bleu",
    score: Callable[[npt.NDArray[Any]], Floats] = bleu_from,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[dict[str, int | float | None]]:
    """Score by source length: {"from", "to", "n", name, "low", "high"}, lengths inclusive.

    `edges` are the first lengths of the buckets. Lengths outside go to the first or last bucket, so that every sentence
    is counted once; an empty bucket has no score (None).
    """
    _check_stats(stats)
    if len(lengths) != len(stats):
        raise InputError(f"There are {len(lengths)} lengths and {len(stats)} sentences; there must be one length for each sentence.")
    if not edges or any(left >= right for left, right in pairwise(edges)):
        raise InputError(f"The bucket edges are {list(edges)}; they must be increasing whole numbers.")
    sizes = np.asarray(lengths)
    place = np.clip(np.searchsorted(np.asarray(edges), sizes, side="right") - 1, 0, None)
    firsts = [min(edges[0], int(sizes.min())), *edges[1:]]
    lasts = [*(edge - 1 for edge in edges[1:]), max(edges[-1], int(sizes.max()))]
    rows: list[dict[str, int | float | None]] = []
    for number, (first, last) in enumerate(zip(firsts, lasts, strict=True)):
        members = stats[place == number]
        row: dict[str, int | float | None] = {"from": first, "to": last, "n": len(members), name: None, "low": None, "high": None}
        if len(members):
            found = interval(members, score, resamples, seed)
            row |= {name: found.value, "low": found.low, "high": found.high}
        rows.append(row)
    return rows


def _resamples(count: int, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each sentence is drawn in each resample: [resamples, n] in blocks."""
    rng = np.random.default_rng(seed)
    block = max(1, _DRAWS_AT_ONCE // count)
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        drawn = rng.integers(count, size=(rows, count)) + np.arange(rows)[:, None] * count
        yield np.bincount(drawn.ravel(), minlength=rows * count).reshape(rows, count).astype(np.float64)


def percentiles(value: float, scores: Floats) -> Interval:
    """A value with the middle 95 % of what resampling gave."""
    low, high = np.percentile(scores, [2.5, 97.5])
    return Interval(value, float(low), float(high))


def _check_stats(stats: Sums) -> None:
    if len(stats) == 0:
        raise InputError("There are 0 sentences to score; give at least 1.")
