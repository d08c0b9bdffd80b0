"""What each sentence of a held-out set adds to a score, kept beside a model, so that two models can be compared sentence by sentence.

sentences.json holds counts alone: lengths and matched n-grams, or right and wrong; no text of the set. It needs no torch to be read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from seq2seq_core.errors import InputError
from seq2seq_core.tasks import FALLING
from seq2seq_core.training import intervals, metrics
from seq2seq_core.training.intervals import Interval
from seq2seq_core.training.metrics import Counts, Floats

FILE = "sentences.json"
Measure = Literal["bleu", "exact", "error"]
SCORES: Mapping[Measure, Callable[[npt.NDArray[Any]], Floats]] = {
    "bleu": metrics.bleu_from,
    "exact": metrics.exact_from,
    "error": metrics.word_error_from,
}
AGREES = 0.01  # how far the score of the sentences may be from the one in model.json, which is rounded


@dataclass(frozen=True, slots=True)
class SentenceScores:
    """The statistics of every sentence of one set, in the set's order."""

    measure: Measure
    lengths: tuple[int, ...]  # of the sources: words, or letters; of a spoken number, its digits
    stats: Counts  # [n, K] as metrics.bleu_stats, exact_stats or word_error_stats give them

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def score(self) -> Callable[[npt.NDArray[Any]], Floats]:
        return SCORES[self.measure]

    def value(self) -> float:
        return float(self.score(self.stats.sum(axis=0)))

    def edges(self) -> list[int]:
        return intervals.length_edges(self.lengths)

    def buckets(self) -> list[dict[str, int | float | None]]:
        """By quarters of the source length; they sum to the whole set."""
        return intervals.buckets(self.lengths, self.stats, self.edges(), self.measure, self.score)

    def bucket_of(self) -> npt.NDArray[np.int64]:
        """[n] the quarter that each sentence is counted in, from 0."""
        return np.clip(np.searchsorted(np.asarray(self.edges()), np.asarray(self.lengths), side="right") - 1, 0, None)

    def to_dict(self) -> dict[str, Any]:
        """Only what cannot be computed: output words - n + 1 n-grams of order n, and one answer a word."""
        kept = {"bleu": range(6), "exact": range(1), "error": range(2)}[self.measure]
        return {"measure": self.measure, "lengths": list(self.lengths), "counts": [self.stats[:, place].tolist() for place in kept]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SentenceScores:
        counts = np.array(values["counts"], dtype=np.int64).T  # [n, 6], [n, 1] or [n, 2]
        if values["measure"] == "bleu":
            words = counts[:, :1]
            more = np.maximum(words - np.arange(metrics.ORDER), 0)
        elif values["measure"] == "error":
            return cls("error", tuple(values["lengths"]), counts)
        else:
            more = np.ones_like(counts)
        return cls(values["measure"], tuple(values["lengths"]), np.concatenate([counts, more], axis=1))


def keep(folder: Path, name: str, scores: SentenceScores) -> None:
    """Write one set into the model's sentences.json; the others in it stay."""
    from seq2seq_core.store.checkpoint import write_atomically

    path = folder / FILE
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    content = {**known, name: scores.to_dict()}
    lines = [f"{json.dumps(each, ensure_ascii=False)}: {json.dumps(values, separators=(',', ':'))}" for each, values in content.items()]
    write_atomically(path, ("{\n" + ",\n".join(lines) + "\n}\n").encode())


def kept(folder: Path, name: str, recorded: Mapping[str, Any]) -> SentenceScores | None:
    """What was kept of a set; None when nothing was, or when it is of another evaluation than `recorded`, the one in model.json."""
    path = folder / FILE
    try:
        found = SentenceScores.from_dict(json.loads(path.read_text(encoding="utf-8"))[name])
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None
    same = len(found) == recorded.get("n") and abs(found.value() - float(recorded.get(found.measure, np.nan))) < AGREES
    return found if same and len(found.stats) == len(found) else None


@dataclass(frozen=True, slots=True)
class Gap:
    """How much better b is than a on the same sentences, with 95 % intervals of the paired bootstrap."""

    average: Interval
    shortest: Interval  # in the quarter of the shortest sentences
    longest: Interval
    widening: Interval  # the gap among the longest less that among the shortest
    counts: tuple[int, int, int]  # all, shortest, longest


def gap(a: SentenceScores, b: SentenceScores, seed: int = 0) -> Gap:
    """Where the difference between two models lies."""
    if a.lengths != b.lengths or a.measure != b.measure:
        raise InputError(f"The scores are of {len(a)} and {len(b)} sentences that are not the same; compare on one set.")
    if a.measure in FALLING:
        a, b = b, a
    place = a.bucket_of()
    short, long = place == 0, place == place.max()
    draws = [
        intervals.resampled_differences(a.stats[members], b.stats[members], a.score, seed=seed + number)
        for number, members in enumerate((short, long))
    ]
    values = [_difference(a, b, members) for members in (short, long)]
    return Gap(
        intervals.difference_interval(a.stats, b.stats, a.score, seed=seed),
        intervals.percentiles(values[0], draws[0]),
        intervals.percentiles(values[1], draws[1]),
        intervals.percentiles(values[1] - values[0], draws[1] - draws[0]),
        (len(a), int(short.sum()), int(long.sum())),
    )


def _difference(a: SentenceScores, b: SentenceScores, members: Sequence[bool] | npt.NDArray[np.bool_]) -> float:
    return float(b.score(b.stats[members].sum(axis=0)) - a.score(a.stats[members].sum(axis=0)))
