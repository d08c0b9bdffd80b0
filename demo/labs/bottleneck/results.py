"""Scores of the variants by length of the source: those that were stored with the models, and those computed now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from demo import resources
from demo.blocks.comparison import attentions
from demo.labs.bottleneck.data import Pair
from demo.tasks import TASKS
from demo.visitors.kept import kept
from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.store.zoo import ModelInfo
    from seq2seq_core.training.sentence_scores import Gap, SentenceScores

SETTINGS = DecodeSettings(hypotheses=1, candidates=1)  # beam 5, as the stored results were searched for
AT_ONCE = 16  # sentences decoded before another visitor has his turn
KEPT = "sentences.json"  # seq2seq_core.sentence_scores writes it
MEASURES = {"bleu": "BLEU", "exact": "Exactly right, %,", "error": "Digit errors, %,"}
Bucket = Mapping[str, Any]  # "from", "to", "n", the score, "low", "high"


@dataclass(frozen=True, slots=True)
class Result:
    """One variant on one set of sentences."""

    variant: str
    measure: str
    value: float
    buckets: tuple[Bucket, ...]
    each: SentenceScores | None = None  # what every sentence adds; None when it was not kept
    outputs: tuple[str, ...] = ()  # of what was computed now

    @property
    def n(self) -> int:
        return sum(bucket["n"] for bucket in self.buckets)

    @property
    def lengths(self) -> tuple[tuple[int, int, int], ...]:
        return tuple((bucket["from"], bucket["to"], bucket["n"]) for bucket in self.buckets)

    @property
    def names(self) -> tuple[str, ...]:
        """The lengths of each bucket, as a person writes a range."""
        return tuple(f"{first}" if first == last else f"{first}–{last}" for first, last, _ in self.lengths)

    def score(self, bucket: int) -> tuple[float, float, float]:
        """Value and interval."""
        found = self.buckets[bucket]
        return found[self.measure], found["low"], found["high"]


def dev_sets(task: str) -> list[str]:
    """The names of the sets with stored results by length, in the order of the models."""
    recorded = [info.card.get("scores") or {} for info in attentions(resources.installed(task)).values()]
    return list(dict.fromkeys(name for scores in recorded for name, values in scores.items() if values.get("buckets")))


def stored(task: str, name: str, variants: Sequence[str]) -> list[Result]:
    """What `evaluate` wrote into each model, of those that have results on this set."""
    known = attentions(resources.installed(task))
    found = [_stored(known[variant], name) for variant in variants if variant in known]
    return [result for result in found if result is not None]


def _stored(info: ModelInfo, name: str) -> Result | None:
    recorded = (info.card.get("scores") or {}).get(name) or {}
    buckets = tuple(bucket for bucket in recorded.get("buckets") or () if bucket["n"])
    measure = next((measure for measure in MEASURES if buckets and measure in buckets[0]), "")
    if not measure:
        return None
    file = info.folder / KEPT
    each = _sentences(info.folder, name, recorded["n"], recorded[measure], file.stat().st_mtime_ns) if file.is_file() else None
    return Result(info.variant, measure, recorded[measure], buckets, each)


@kept(64)
def _sentences(folder: Path, name: str, n: int, score: float, changed: int) -> SentenceScores | None:  # noqa: ARG001
    from seq2seq_core.training import sentence_scores

    return sentence_scores.kept(folder, name, {"n": n, "bleu": score, "exact": score})


def alike(results: Sequence[Result]) -> tuple[list[Result], list[str]]:
    """Those that were scored on the same sentences as the first, and the names of the others."""
    same = [result for result in results if result.lengths == results[0].lengths]
    return same, [result.variant for result in results if result not in same]


def computed(task: str, pairs: tuple[Pair, ...], variants: Sequence[str]) -> list[Result]:
    """The variants on these pairs, decoded now with a progress bar, or taken from the cache."""
    known = attentions(resources.installed(task))
    chosen = [known[variant] for variant in variants if variant in known]
    if not chosen or not pairs:
        return []
    bar = st.progress(0.0, "Decoding")
    total = len(chosen) * len(pairs)
    results = []
    try:
        for number, info in enumerate(chosen):

            def advance(done: int, number: int = number, name: str = info.variant) -> None:
                bar.progress(min(1.0, (number * len(pairs) + done) / total), f"{name}: {done} of {len(pairs)} decoded")

            outputs = _outputs(info, tuple(pair.source for pair in pairs), advance)
            results.append(_scored(info.variant, task, pairs, outputs))
    finally:
        bar.empty()
    return results


def _outputs(info: ModelInfo, sources: tuple[str, ...], advance: Callable[[int], None]) -> tuple[str, ...]:
    """In the order given; sources of like length are decoded together."""
    order = sorted(range(len(sources)), key=lambda place: len(sources[place]))
    outputs: dict[int, str] = {}
    for begin in range(0, len(order), AT_ONCE):
        places = order[begin : begin + AT_ONCE]
        texts = _decode(info.id, str(info.card.get("sha256")), tuple(sources[place] for place in places))
        outputs.update(zip(places, texts, strict=True))
        advance(len(outputs))
    return tuple(outputs[place] for place in range(len(sources)))


@kept(1024)
def _decode(model_id: str, weights: str, sources: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ARG001
    with resources.my_turn():
        return tuple(trace.text() for trace in resources.pipeline(model_id).decode_batch(sources, SETTINGS))


@kept(32)
def _scored(variant: str, task: str, pairs: tuple[Pair, ...], outputs: tuple[str, ...]) -> Result:
    from seq2seq_core.training import metrics
    from seq2seq_core.training.sentence_scores import SentenceScores

    references = [pair.target for pair in pairs]
    if TASKS[task].unit == "words":
        each = SentenceScores("bleu", tuple(len(pair.source.split()) for pair in pairs), metrics.bleu_stats(outputs, references))
    else:
        each = SentenceScores("exact", tuple(len(pair.source) for pair in pairs), metrics.exact_stats(outputs, references))
    return Result(variant, each.measure, each.value(), tuple(each.buckets()), each, outputs)


@kept(64, by=lambda names, _, __, sums: (names, sums))
def _gap(names: str, a: SentenceScores, b: SentenceScores, sums: tuple[int, ...]) -> Gap:  # noqa: ARG001
    from seq2seq_core.training.sentence_scores import gap

    return gap(a, b)


def gap_between(base: Result, other: Result) -> Gap | None:
    """How much better `other` is; None when the sentences of either were not kept."""
    if base.each is None or other.each is None:
        return None
    sums = tuple(int(number) for each in (base.each, other.each) for number in each.stats.sum(axis=0))
    try:
        return _gap(f"{base.variant} {other.variant} {base.lengths}", base.each, other.each, sums)
    except InputError:
        return None


def failures(result: Result, pairs: Sequence[Pair], bucket: int) -> list[int]:
    """The places of the outputs in a bucket that are not the reference, the worst first (chrF of the sentence)."""
    if result.each is None:
        return []
    members = [place for place, own in enumerate(result.each.bucket_of()) if own == bucket]
    return wrong_among(result.outputs, pairs, members)


def wrong_among(outputs: Sequence[str], pairs: Sequence[Pair], places: Sequence[int]) -> list[int]:
    """Those of these places whose output is not the reference, the worst first."""
    from seq2seq_core.training import metrics

    wrong = [place for place in places if metrics.exact([outputs[place]], [pairs[place].target]) == 0.0]
    return sorted(wrong, key=lambda place: metrics.chrf([outputs[place]], [pairs[place].target]))


def outputs_now(task: str, variant: str, pairs: Sequence[Pair]) -> tuple[str, ...]:
    """What one variant makes of these, decoded now or taken from the cache."""
    known = attentions(resources.installed(task))
    return _outputs(known[variant], tuple(pair.source for pair in pairs), lambda _: None)
