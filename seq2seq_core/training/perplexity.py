"""Perplexity on held-out text: after a source, of which several outputs may be right, or after nothing."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import PAD, CharacterTokenizer
from seq2seq_core.inputs.turns import tidied
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.tasks import TASKS
from seq2seq_core.training.intervals import LESS, difference_interval, interval
from seq2seq_core.training.metrics import Floats
from seq2seq_core.training.pieces import CHUNK, Over, here
from seq2seq_core.training.readers import Example, Row, collate

TOTAL, WORDS, PIECES = range(3)  # what is summed of each row: -log p, its words with signs and ends, its pieces with ends


def perplexity_scores(
    pipeline: Pipeline,
    rows: Sequence[Row],
    over: Over,
    advance: Callable[[int], object] = lambda _: None,
    against: Pipeline | None = None,
) -> dict[str, Any]:
    """Perplexity per word: every piece and end sign is predicted; words, punctuation marks and end signs share the sum.

    Of a model of characters, whose words are its characters, bits per character too; an end sign counts as one.
    Its interval is over rows. `against`: under "less" the perplexity less that of another model.
    """
    if not rows:
        raise InputError("There is nothing to evaluate: the file holds no line.")
    began = time.perf_counter()
    sums = _sums(pipeline, rows, over, advance)
    total, words, pieces = sums.sum(0).tolist()
    found = interval(sums, _perplexity)
    scores: dict[str, Any] = {
        "model": pipeline.model_id,
        "n": len(rows),
        "words": int(words),
        "pieces": int(pieces),
        "perplexity": found.value,
        "piece_perplexity": math.exp(total / pieces),
        "intervals": {"perplexity": [found.low, found.high]},
        "seconds": time.perf_counter() - began,
    }
    if pipeline.target_tokenizer.kind == CharacterTokenizer.kind:
        scores |= {"bits_per_character": total / pieces / math.log(2)}
    if against is not None:
        theirs = _sums(against, rows, here(against), lambda _: None)
        less = difference_interval(theirs, sums, _perplexity)
        scores |= {LESS: {"perplexity": {"value": less.value, "low": less.low, "high": less.high}}}
    return scores


def _perplexity(sums: Floats) -> Floats:
    """[.., 3] -> [..]"""
    return np.exp(sums[..., TOTAL] / sums[..., WORDS])


def _sums(pipeline: Pipeline, rows: Sequence[Row], over: Over, advance: Callable[[int], object]) -> Floats:
    """[rows, 3], over all right outputs of each."""
    turns = any(slot.turns for slot in TASKS[pipeline.task].reads)
    outputs = [(place, tidied(text) if turns else text) for place, row in enumerate(rows) for text in row.right]
    targets = pipeline.target_tokenizer.encode_many([text for _, text in outputs])
    sources = [pipeline.read(row.given)[0].ids if pipeline.model.reads else () for row in rows]
    examples = [Example(tuple(sources[place]), tuple(ids)) for (place, _), ids in zip(outputs, targets, strict=True)]
    by_length = sorted(range(len(examples)), key=lambda index: (len(examples[index].target), len(examples[index].source)))
    chunks = [by_length[start : start + CHUNK] for start in range(0, len(examples), CHUNK)]
    sums = np.zeros((len(rows), 3))
    for chunk, surprises in zip(chunks, over(_surprises, ([examples[index] for index in chunk] for chunk in chunks)), strict=True):
        for index, surprise in zip(chunk, surprises, strict=True):
            ids = examples[index].target
            sums[outputs[index][0]] += surprise, len(set(pipeline.target_tokenizer.groups(ids))) + 1, len(ids) + 1
        advance(len(chunk))
    return sums


@torch.inference_mode()
def _surprises(pipeline: Pipeline, examples: Sequence[Example]) -> list[float]:
    """Of each output the natural logarithm of one over its probability, its end included."""
    model, batch = pipeline.model, collate(examples)
    memory = model.encode(batch.source, batch.lengths) if model.reads else model.encode_nothing(len(batch.target_in))
    logprobs = model.step(batch.target_in, model.start(memory), memory).logits.log_softmax(-1)
    own = logprobs.gather(2, batch.target_out.unsqueeze(2)).squeeze(2) * (batch.target_out != PAD)
    found: list[float] = (-own.sum(1, dtype=torch.float64)).tolist()
    return found
