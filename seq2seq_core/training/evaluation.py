"""Held-out scores of a model, as one JSON-ready object per kind of data."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.tasks import METRICS, TASKS
from seq2seq_core.trace.trace import DecodeTrace
from seq2seq_core.training import metrics
from seq2seq_core.training.answers import kept, scored_alone
from seq2seq_core.training.clips import Rendered, told
from seq2seq_core.training.hindi import as_read
from seq2seq_core.training.intervals import LESS, difference_interval, interval
from seq2seq_core.training.metrics import Floats
from seq2seq_core.training.named_files import inputs_of
from seq2seq_core.training.perplexity import perplexity_scores
from seq2seq_core.training.pieces import CHUNK, Over, here
from seq2seq_core.training.readers import Row, read_rows, rows_of
from seq2seq_core.training.recipe import DataSource
from seq2seq_core.training.sentence_scores import SentenceScores
from seq2seq_core.training.spoken import in_words
from seq2seq_core.training.stories import looked

Lists = Sequence[Sequence[str]]  # the outputs of each input, the best first; or all that are right
Advance = Callable[[int], object]  # told how many inputs are done
SENTENCES = "sentences"  # the key of what each sentence adds to the score: for `keep`, not for model.json


def decode_all(
    over: Over,
    inputs: Sequence[Any],
    settings: DecodeSettings,
    advance: Advance,
    keep: Callable[[DecodeTrace], Any],
    prompts: Sequence[str] = (),
) -> list[Any]:
    """`keep(trace)` of every input, in order; inputs of like length are decoded together, the same ones wherever that is done."""
    by_length = sorted(range(len(inputs)), key=lambda index: len(inputs[index]) if isinstance(inputs[index], str) else 0)
    chunks = [by_length[start : start + CHUNK] for start in range(0, len(inputs), CHUNK)]
    pieces = (([inputs[index] for index in chunk], [prompts[index] for index in chunk] if prompts else ()) for chunk in chunks)
    kept: list[Any] = [None] * len(inputs)
    for chunk, found in zip(chunks, over(partial(_decoded, settings, keep), pieces), strict=True):
        for index, one in zip(chunk, found, strict=True):
            kept[index] = one
        advance(len(chunk))
    return kept


def _decoded(
    settings: DecodeSettings, keep: Callable[[DecodeTrace], Any], pipeline: Pipeline, piece: tuple[Sequence[Any], Sequence[str]]
) -> list[Any]:
    inputs, prompts = piece
    return [keep(trace) for trace in pipeline.decode_batch(inputs, settings, prompts=prompts)]


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _rounded(entry) for key, entry in value.items()}
    return [_rounded(entry) for entry in value] if isinstance(value, list) else value


def _best(lists: Sequence[Sequence[str]]) -> list[str]:
    return [texts[0] if texts else "" for texts in lists]


def _translation(lists: Lists, right: Lists) -> dict[str, float]:
    """Cased BLEU 13a, chrF and exact match."""
    outputs, references = _best(lists), _best(right)
    return {
        "bleu": metrics.bleu(outputs, references),
        "chrf": metrics.chrf(outputs, references),
        "exact": metrics.exact(outputs, references),
    }


def _lowered(lists: Lists) -> list[list[str]]:
    return [[text.lower() for text in texts] for texts in lists]


def _lower_cased(lists: Lists, right: Lists) -> dict[str, Any]:
    """The same of small letters, with the interval of BLEU: Latin letters have capitals, Devanagari has none."""
    return {**_with_intervals("lower-cased", lists, right), **_translation(_lowered(lists), _lowered(right))}


def _words(lists: Lists, right: Lists) -> dict[str, float]:
    """Right when the output equals any of the words listed."""
    outputs = _best(lists)
    return {"exact": metrics.exact(outputs, right), "top5": metrics.exact_among(lists, right), "cer": metrics.cer(outputs, right)}


def _captions(lists: Lists, right: Lists) -> dict[str, Any]:
    """BLEU-1 to 4 and CIDEr-D over lower-cased words; with 95 % intervals over photos for those that a card tells."""
    outputs = _best(lists)
    bleus = {f"bleu{order}": value for order, value in enumerate(metrics.caption_bleu(outputs, right), 1)}
    found = {name: interval(stats, score) for name, (stats, score) in _statistics("captions", lists, right).items()}
    return {**bleus, "cider": found["cider"].value, "intervals": {name: [one.low, one.high] for name, one in found.items()}}


def _with_intervals(metric: str, lists: Lists, right: Lists) -> dict[str, Any]:
    """Every score of the metric with its 95 % interval over sentences."""
    found = {name: interval(stats, score) for name, (stats, score) in _statistics(metric, lists, right).items()}
    values = {name: one.value for name, one in found.items()}
    return {**values, "intervals": {name: [one.low, one.high] for name, one in found.items()}}


# How each of tasks.METRICS is computed; perplexity is not: nothing is decoded for it.
SCORERS: Mapping[str, Callable[[Lists, Lists], dict[str, Any]]] = {
    "translation": _translation,
    "lower-cased": _lower_cased,
    "words": _words,
    "captions": _captions,
    "summary": partial(_with_intervals, "summary"),
    "answers": partial(_with_intervals, "answers"),
    "opinions": partial(_with_intervals, "opinions"),
    "numbers": partial(_with_intervals, "numbers"),
    "told": partial(_with_intervals, "told"),
}


def headline_of(task: str, outputs: Sequence[str], right: Lists) -> float:
    """The one number that stands for a task's outputs, the best of each alone."""
    metric = TASKS[task].metric
    return float(SCORERS[metric]([[output] for output in outputs], right)[METRICS[metric].headline])


def _statistics(metric: str, lists: Lists, right: Lists) -> dict[str, tuple[npt.NDArray[Any], Callable[[Any], Floats]]]:
    """By score: what each output adds to its sums [n, K], and how it is made of them. Empty where no score is such a one."""
    outputs = _best(lists)
    if metric == "translation":
        return {"bleu": (metrics.bleu_stats(outputs, _best(right)), metrics.bleu_from)}
    if metric == "lower-cased":
        return _statistics("translation", _lowered(lists), _lowered(right))
    if metric == "words":
        return {"exact": (metrics.exact_stats(outputs, right), metrics.exact_from)}
    if metric == "opinions":
        return {"score": _mean(100 * metrics.agreed_each(outputs, right))}
    if metric == "answers":
        return {"accuracy": (metrics.exact_stats(outputs, right), metrics.exact_from)}
    if metric == "captions":
        unsmoothed = metrics.caption_stats(outputs, right), lambda sums: np.where(sums[..., 2:6].min(-1) > 0, metrics.bleu_from(sums), 0.0)
        return {"bleu4": unsmoothed, "cider": _mean(metrics.cider_each(outputs, right))}
    if metric == "summary":
        return dict(zip(("rouge1", "rouge2", "rougeL"), map(_mean, metrics.rouge_each(outputs, _best(right)).T), strict=True))
    if metric == "told":
        said, wanted = ([metrics.kind_and_sentence(text) for text in texts] for texts in (outputs, _best(right)))
        parts = {"accuracy": 0, "exact": 1}
        each = {name: metrics.exact_stats([one[at] for one in said], [[one[at]] for one in wanted]) for name, at in parts.items()}
        return {name: (stats, metrics.exact_from) for name, stats in each.items()}
    if metric == "numbers":
        spelt = [in_words(reference) for reference in _best(right)]
        exact = metrics.exact_stats(outputs, [[one] for one in spelt]), metrics.exact_from
        return {"error": (metrics.word_error_stats(outputs, spelt), metrics.word_error_from), "exact": exact}
    return {}


def _mean(each: Floats) -> tuple[Floats, Callable[[Any], Floats]]:
    """A score that is the mean over the outputs."""
    return np.stack([each, np.ones_like(each)], 1), lambda sums: sums[..., 0] / sums[..., 1]


def differences(metric: str, lists: Lists, theirs: Lists, right: Lists) -> dict[str, dict[str, float]]:
    """By how much the first outputs are ahead of the others, with the interval of the paired bootstrap."""
    ours, others = (_statistics(metric, each, right) for each in (lists, theirs))
    found = {name: difference_interval(others[name][0], stats, score) for name, (stats, score) in ours.items()}
    return {name: {"value": one.value, "low": one.low, "high": one.high} for name, one in found.items()}


def _each(metric: str, inputs: Sequence[Any], lists: Lists, right: Lists) -> SentenceScores | None:
    """What every sentence adds to the score, with its length, where that is kept."""
    if metric == "translation":
        return SentenceScores("bleu", tuple(len(source.split()) for source in inputs), metrics.bleu_stats(_best(lists), _best(right)))
    if metric == "lower-cased":
        return _each("translation", inputs, _lowered(lists), _lowered(right))
    if metric == "words":
        return SentenceScores("exact", tuple(map(len, inputs)), metrics.exact_stats(_best(lists), right))
    if metric == "numbers":
        spelt = [in_words(reference) for reference in _best(right)]
        return SentenceScores("error", tuple(len(one.split()) for one in spelt), metrics.word_error_stats(_best(lists), spelt))
    return None


def evaluate(
    pipeline: Pipeline,
    inputs: Sequence[Any],
    right: Lists,
    settings: DecodeSettings,
    advance: Advance = lambda _: None,
    metric: str | None = None,
    against: Pipeline | None = None,
    prompts: Sequence[str] = (),
    over: Over | None = None,
    kinds: Sequence[str] = (),
    facts: Sequence[tuple[int, ...]] = (),
) -> dict[str, Any]:
    """Decode all and score it as the task is, or by another metric; by quarters of the length where that is known, by kinds of rows.

    `inputs` may be anything that the pipeline decodes; `right`: the right outputs of each. `against`: another model of the task, and
    under LESS the scores less those of it. `over`: what decodes with this model, where that is not done here. `facts`: of each input
    the sentences that tell the answer.
    """
    metric = metric or TASKS[pipeline.task].metric
    if not inputs:
        raise InputError("There is nothing to evaluate: the file holds no line.")
    settings = scored_alone(pipeline, replace(settings, hypotheses=METRICS[metric].hypotheses, candidates=1))
    began = time.perf_counter()
    keep = partial(kept, METRICS[metric].hypotheses or 1)
    found = decode_all(over or here(pipeline), _readable(pipeline, inputs), settings, advance, keep, prompts)
    lists = [texts for texts, _ in found]
    seconds = time.perf_counter() - began
    scores = {"model": pipeline.model_id, "n": len(inputs), **SCORERS[metric](lists, right), "seconds": seconds}
    if against is not None:
        theirs = decode_all(here(against), _readable(against, inputs), settings, lambda _: None, keep, prompts)
        scores[LESS] = differences(metric, lists, [texts for texts, _ in theirs], right)
    if any(kinds):
        scores["kinds"] = _by_kind(metric, lists, right, kinds)
    scores |= looked([sentence for _, sentence in found], facts, kinds)
    each = _each(metric, inputs, lists, right)
    if each is None:
        return dict(_rounded(scores))
    return dict(_rounded({**scores, "buckets": each.buckets()})) | {SENTENCES: each}


def _readable(pipeline: Pipeline, inputs: Sequence[Any]) -> Sequence[Any]:
    """Nothing, for a model that is to do without what its task gives."""
    return inputs if pipeline.model.reads else [()] * len(inputs)


def _by_kind(metric: str, lists: Lists, right: Lists, kinds: Sequence[str]) -> dict[str, float]:
    """The headline of each kind of rows."""
    places = {kind: [place for place, one in enumerate(kinds) if one == kind] for kind in sorted(set(kinds))}
    return {
        kind: SCORERS[metric]([lists[place] for place in those], [right[place] for place in those])[METRICS[metric].headline]
        for kind, those in places.items()
    }


def evaluate_lines(pipeline: Pipeline, lines: Sequence[str], advance: Advance = lambda _: None, over: Over | None = None) -> dict[str, Any]:
    """Perplexity of lines that nothing stands before."""
    return dict(_rounded(perplexity_scores(pipeline, [Row((), "", (line,)) for line in lines], over or here(pipeline), advance)))


def evaluate_rows(
    pipeline: Pipeline,
    rows: Sequence[Row],
    settings: DecodeSettings,
    advance: Advance = lambda _: None,
    *,
    metric: str | None = None,
    files: Path | None = None,
    cache: Path | None = None,
    against: Pipeline | None = None,
    over: Over | None = None,
) -> dict[str, Any]:
    """Score rows of data. What is not text is named in them: a file in the folder `files`."""
    task = TASKS[pipeline.task]
    if task.metric == "perplexity":
        return dict(_rounded(perplexity_scores(pipeline, rows, over or here(pipeline), advance, against)))
    rows = as_read(pipeline, rows)
    reader = against if against and not pipeline.model.reads else pipeline
    columns = [inputs_of(reader, slot, [row.given[place] for row in rows], files, cache) for place, slot in enumerate(task.reads)]
    inputs = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
    prompts = [row.prompt for row in rows] if task.prompt else ()
    kinds = [row.kind for row in rows]
    facts = [row.facts for row in rows]
    return evaluate(pipeline, inputs, [row.right for row in rows], settings, advance, metric, against, prompts, over, kinds, facts)


def evaluate_entry(
    pipeline: Pipeline, entry: DataSource, folder: Path, settings: DecodeSettings, cache: Path | None = None, over: Over | None = None
) -> dict[str, Any]:
    """One dev set of a recipe."""
    if entry.rendered:
        return evaluate(pipeline, Rendered(pipeline, entry.rendered, entry.unseen), told(entry.rendered, entry.unseen), settings, over=over)
    if entry.stories:
        return evaluate_rows(pipeline, read_rows(folder / entry.stories, TASKS[pipeline.task]), settings, over=over)
    rows = entry.asked(folder) if entry.questions else rows_of(entry.read(folder), TASKS[pipeline.task])
    return evaluate_rows(pipeline, rows, settings, files=folder, cache=cache, over=over)
