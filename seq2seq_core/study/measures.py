"""Numbers about a decode: how spread and how complete an attention map is, how far apart two distributions are, parameters by part."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from seq2seq_core.model.seq2seq import Seq2Seq
    from seq2seq_core.trace.nodes import Doubles, Floats

LISTENS = 0.45  # seconds before and after where a step looks: a spoken digit has about as many


def entropy_bits(rows: Floats | Doubles) -> Doubles:
    """The entropy in bits of each attention row [T, S], or of any distribution: 0 looks at one position, log2 S at all alike."""
    weights = np.asarray(rows, dtype=np.float64)
    found: Doubles = -(weights * np.log2(np.where(weights > 0, weights, 1.0))).sum(-1)
    return np.abs(found)


def coverage(rows: Floats | Doubles) -> float | None:
    """The mean over source positions of min(1, sum_t alpha_tj) (Wu et al. 2016, eq. 14): 1 when each was looked at in full."""
    if not rows.size:
        return None
    return float(np.minimum(np.asarray(rows, dtype=np.float64).sum(0), 1.0).mean())


def centres(rows: Floats | Doubles) -> Doubles:
    """Where each attention row [T, S] looks on average: a position, not rounded."""
    weights = np.asarray(rows, dtype=np.float64)
    found: Doubles = weights @ np.arange(weights.shape[1])
    return found


def onward(rows: Floats | Doubles) -> float | None:
    """The share of steps that look later than the step before: 1 is monotonic. None with one step, or without a map."""
    if not rows.size or len(rows) < 2:
        return None
    return float((np.diff(centres(rows)) > 0).mean())


def stretches(rows: Floats | Doubles, seconds: float) -> list[tuple[float, float]]:
    """From when to when each step listens, where a position lasts so many seconds: half way to the steps before and after, and not far."""
    if not rows.size:
        return []
    middle = (centres(rows) + 0.5) * seconds
    end, found = rows.shape[1] * seconds, []
    for step, at in enumerate(middle):
        begin = (middle[step - 1] + at) / 2 if step and middle[step - 1] < at else 0.0
        stop = (middle[step + 1] + at) / 2 if step + 1 < len(middle) and middle[step + 1] > at else end
        found.append((float(max(begin, at - LISTENS)), float(min(stop, at + LISTENS))))
    return found


def kl_divergence(logprobs: ArrayLike, others: ArrayLike) -> float:
    """KL(p || q) in nats, from log-probabilities; 0 when they are the same."""
    p, q = np.asarray(logprobs, dtype=np.float64), np.asarray(others, dtype=np.float64)
    p, q = p - np.logaddexp.reduce(p), q - np.logaddexp.reduce(q)
    return max(0.0, float((np.exp(p) * (p - q)).sum()))


def total_variation(logprobs: ArrayLike, others: ArrayLike) -> float:
    """Half the summed difference of two distributions: the largest change of any event's probability."""
    return float(np.abs(np.exp(np.asarray(logprobs, dtype=np.float64)) - np.exp(np.asarray(others, dtype=np.float64))).sum() / 2)


def jensen_shannon(row: ArrayLike, other: ArrayLike) -> float:
    """In nats: 0 for equal rows, ln 2 = 0.69 for rows that share no position."""
    p, q = np.asarray(row, dtype=np.float64), np.asarray(other, dtype=np.float64)
    middle = np.where(p + q > 0, (p + q) / 2, 1.0)
    terms = [one * np.log(np.where(one > 0, one, middle) / middle) for one in (p, q)]
    return max(0.0, float(sum(part.sum() for part in terms) / 2))


def kendall_tau(one: ArrayLike, other: ArrayLike) -> float | None:
    """Kendall's tau-b: 1 for the same order, -1 for the reverse; None when one of them has no order at all."""
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    agreement, ties_a, ties_b, pairs = 0.0, 0, 0, 0
    for i, j in combinations(range(len(a)), 2):
        x, y = np.sign(a[i] - a[j]), np.sign(b[i] - b[j])
        agreement += float(x * y)
        ties_a, ties_b, pairs = ties_a + (x == 0), ties_b + (y == 0), pairs + 1
    scale = math.sqrt(float((pairs - ties_a) * (pairs - ties_b)))
    return agreement / scale if scale else None


PARTS = (  # the beginning of a parameter's name, and what it belongs to
    ("encoder.embedding", "source embedding"),
    ("encoder.", "encoder"),
    ("decoder.embedding", "target embedding"),
    ("decoder.bridge", "first state"),
    ("decoder.recurrence", "decoder cell"),
    ("decoder.layers", "decoder layers"),  # of a Transformer
    ("decoder.norm", "decoder layers"),
    ("decoder.attention", "attention"),
    ("decoder.gate", "attention"),
    ("decoder.copying", "copying"),
    ("decoder.readout", "readout"),
    ("decoder.output", "output layer"),
)


def part_of(model: Seq2Seq, name: str) -> str:
    """The part that a parameter belongs to, by its name."""
    part = next(label for start, label in PARTS if name.startswith(start))
    return "embedding of source and target" if model.config.share_embeddings and part == "source embedding" else part


def parameter_counts(model: Seq2Seq) -> dict[str, int]:
    """The parameters of each part, in the order in which a sentence passes through them; a shared weight counts once."""
    counts: dict[str, int] = {}
    for name, parameter in model.named_parameters():
        part = part_of(model, name)
        counts[part] = counts.get(part, 0) + parameter.numel()
    order = ["embedding of source and target", *dict.fromkeys(label for _, label in PARTS)]
    return {part: counts[part] for part in order if part in counts}
