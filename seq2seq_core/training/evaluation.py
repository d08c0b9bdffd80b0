"""Held-out scores of a model, as one JSON-ready object per kind of data."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import PAD
from seq2seq_core.pipeline import Grid, Pipeline, read_photo
from seq2seq_core.trace.trace import DecodeTrace
from seq2seq_core.training import metrics
from seq2seq_core.training.captions import Captioned, as_grid
from seq2seq_core.training.readers import Example, collate, read_lexicon
from seq2seq_core.training.recipe import DataSource
from seq2seq_core.training.sentence_scores import SentenceScores

Advance = Callable[[int], object]  # told how many inputs are done
CHUNK = 32  # inputs decoded together
SENTENCES = "sentences"  # the key of what each sentence adds to the score: for `keep`, not for model.json


def decode_all(
    pipeline: Pipeline, inputs: Sequence[Any], settings: DecodeSettings, advance: Advance, keep: Callable[[DecodeTrace], Any]
) -> list[Any]:
    """`keep(trace)` of every input, in order; inputs of like length are decoded together."""
    by_length = sorted(range(len(inputs)), key=lambda index: len(inputs[index]) if isinstance(inputs[index], str) else 0)
    kept: list[Any] = [None] * len(inputs)
    for start in range(0, len(inputs), CHUNK):
        chunk = by_length[start : start + CHUNK]
        for index, trace in zip(chunk, pipeline.decode_batch([inputs[index] for index in chunk], settings), strict=True):
            kept[index] = keep(trace)
        advance(len(chunk))
    return kept


def _check(pipeline: Pipeline, task: Sequence[str], rows: Sequence[Any], option: str) -> None:
    if pipeline.task not in task:
        raise InputError(f"{pipeline.model_id} is a {pipeline.task} model; {option} is for {' and '.join(task)} models.")
    if not rows:
        raise InputError(f"{option} names a file without a line to evaluate.")


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _rounded(entry) for key, entry in value.items()}
    return [_rounded(entry) for entry in value] if isinstance(value, list) else value


def evaluate_pairs(
    pipeline: Pipeline, pairs: Sequence[tuple[str, str]], settings: DecodeSettings, advance: Advance = lambda _: None
) -> dict[str, Any]:
    """Cased BLEU 13a, chrF and exact match, with BLEU by quarters of the source length (words)."""
    _check(pipeline, ("translation", "transliteration"), pairs, "--pairs")
    began = time.perf_counter()
    outputs = decode_all(pipeline, [source for source, _ in pairs], settings, advance, lambda trace: trace.text())
    seconds = time.perf_counter() - began
    references = [target for _, target in pairs]
    each = SentenceScores("bleu", tuple(len(source.split()) for source, _ in pairs), metrics.bleu_stats(outputs, references))
    scores = {
        "model": pipeline.model_id,
        "n": len(pairs),
        "bleu": metrics.bleu(outputs, references),
        "chrf": metrics.chrf(outputs, references),
        "exact": metrics.exact(outputs, references),
        "seconds": seconds,
        "buckets": each.buckets(),
    }
    return dict(_rounded(scores)) | {SENTENCES: each}


def evaluate_lexicon(
    pipeline: Pipeline, rows: Sequence[tuple[str, str, int]], settings: DecodeSettings, advance: Advance = lambda _: None
) -> dict[str, Any]:
    """Each distinct romanisation once; right when the output equals any native word listed for it. Quarters by letters."""
    _check(pipeline, ("transliteration",), rows, "--lexicon")
    accepted: dict[str, set[str]] = {}
    for roman, native, _ in rows:
        accepted.setdefault(roman, set()).add(native)
    inputs, references = list(accepted), list(accepted.values())
    began = time.perf_counter()

    def best_five(trace: DecodeTrace) -> list[str]:
        return [hypothesis.text for hypothesis in trace.hypotheses[:5]]

    lists = decode_all(pipeline, inputs, settings, advance, best_five)
    seconds = time.perf_counter() - began
    outputs = [texts[0] if texts else "" for texts in lists]
    each = SentenceScores("exact", tuple(map(len, inputs)), metrics.exact_stats(outputs, references))
    scores = {
        "model": pipeline.model_id,
        "n": len(inputs),
        "exact": metrics.exact(outputs, references),
        "top5": metrics.exact_among(lists, references),
        "cer": metrics.cer(outputs, references),
        "seconds": seconds,
        "buckets": each.buckets(),
    }
    return dict(_rounded(scores)) | {SENTENCES: each}


def evaluate_captions(
    pipeline: Pipeline,
    images: Sequence[Any],
    captions: Sequence[Sequence[str]],
    settings: DecodeSettings,
    advance: Advance = lambda _: None,
) -> dict[str, Any]:
    """BLEU-1 to 4 and CIDEr-D over lower-cased words. `images` may be anything that the pipeline decodes."""
    _check(pipeline, ("captioning",), images, "--captions")
    began = time.perf_counter()
    outputs = decode_all(pipeline, images, settings, advance, lambda trace: trace.text())
    seconds = time.perf_counter() - began
    bleus = metrics.caption_bleu(outputs, captions)
    scores: dict[str, Any] = {"model": pipeline.model_id, "n": len(images)}
    scores |= {f"bleu{order}": value for order, value in enumerate(bleus, 1)}
    return dict(_rounded(scores | {"cider": metrics.cider(outputs, captions), "seconds": seconds}))


@torch.inference_mode()
def evaluate_lines(pipeline: Pipeline, lines: Sequence[str], advance: Advance = lambda _: None) -> dict[str, Any]:
    """Perplexity per word: every piece and end sign is predicted; words, punctuation marks and end signs share the sum."""
    _check(pipeline, ("language",), lines, "--lines")
    began = time.perf_counter()
    targets = pipeline.target_tokenizer.encode_many(lines)
    words = sum(len(set(pipeline.target_tokenizer.groups(ids))) + 1 for ids in targets)
    by_length = sorted(range(len(lines)), key=lambda index: len(targets[index]))
    total, pieces = 0.0, 0
    for start in range(0, len(lines), CHUNK):
        batch = collate([Example((), tuple(targets[index])) for index in by_length[start : start + CHUNK]])
        memory = pipeline.model.encode_nothing(len(batch.target_in))
        logprobs = pipeline.model.step(batch.target_in, pipeline.model.start(memory), memory).logits.log_softmax(-1)
        real = batch.target_out != PAD
        total -= float((logprobs.gather(2, batch.target_out.unsqueeze(2)).squeeze(2) * real).sum(dtype=torch.float64))
        pieces += int(real.sum())
        advance(len(batch.target_in))
    scores = {"model": pipeline.model_id, "n": len(lines), "words": words, "pieces": pieces, "seconds": time.perf_counter() - began}
    return dict(_rounded(scores | {"perplexity": math.exp(total / words), "piece_perplexity": math.exp(total / pieces)}))


class Photos(Sequence[Grid]):
    """Photos as grids, made when they are asked for: one by one, or from the folder `cache`."""

    def __init__(self, pipeline: Pipeline, photos: Captioned, cache: Path | None = None) -> None:
        self._pipeline = pipeline
        self._paths = photos.photos
        self._stored = photos.grids(pipeline.image_encoder(), cache) if cache else None

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: Any) -> Any:
        return as_grid(self._stored[index]) if self._stored is not None else self._pipeline.look(read_photo(self._paths[index]))


def evaluate_entry(
    pipeline: Pipeline, entry: DataSource, folder: Path, settings: DecodeSettings, cache: Path | None = None
) -> dict[str, Any]:
    """One dev set of a recipe, scored as its kind of data is."""
    if entry.captions:
        photos = Captioned.gather(entry.read(folder), folder)
        return evaluate_captions(pipeline, Photos(pipeline, photos, cache), photos.captions, settings)
    if entry.lexicon:
        return evaluate_lexicon(pipeline, read_lexicon(folder / entry.lexicon), settings)
    pairs = entry.read(folder)
    if pipeline.model.config.source == "none":
        return evaluate_lines(pipeline, [target for _, target in pairs])
    return evaluate_pairs(pipeline, pairs, settings)
