"""The memory is a set: the states h_j in another order are the same to every map, while the words in another order are another sentence."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.part import Part
from seq2seq_core.model.memory import Look, Memory, Reading
from seq2seq_core.pipeline import Encoded
from seq2seq_core.trace.trace import DecodeTrace


def other_order(count: int, seed: int) -> tuple[int, ...]:
    """So many places in an order that is not their own; the same one for the same seed."""
    order, rng = list(range(count)), random.Random(seed)
    while count > 1 and order == sorted(order):
        rng.shuffle(order)
    return tuple(order)


def shuffle_states(encoded: Encoded, order: Sequence[int]) -> Encoded:
    """What the decoder may look at, place by place in another order; h_T stays what it was."""
    if len(encoded.parts) != 1:
        raise InputError(f"This model reads {len(encoded.parts)} things; states are shuffled within one.")
    memory, at = encoded.memory, torch.tensor(list(order))
    (reading,), (part,) = memory.parts, encoded.parts
    pieces = None if reading.pieces is None else reading.pieces[:, at]
    moved = Reading(reading.states[:, at], reading.mask[:, at], reading.summary, pieces)
    looks = tuple(Look(look.keys[:, :, at], look.mixed[:, :, at]) for look in memory.looks)
    return replace(encoded, parts=(_moved(part, order),), memory=Memory((moved,), looks, memory.full))


def _moved(part: Part, order: Sequence[int]) -> Part:
    """Its labels and tokens in that order, each on its own: words are torn apart where their pieces are."""
    return replace(
        part,
        labels=tuple(part.labels[j] for j in order),
        groups=tuple(range(part.positions)),
        ids=tuple(part.ids[j] for j in order) if part.ids else (),
        text="",
        spans=(),
    )


def shuffle_words(part: Part, seed: int) -> str:
    """A text with its words in another order; the full stop stays at the end, where there is something else to shuffle."""
    words = [part.word(members) for members in part.members]
    stop = words[-1:] if len(words) > 2 and not any(sign.isalnum() for sign in words[-1]) else []
    words = words[: len(words) - len(stop)]
    return " ".join(words[i] for i in other_order(len(words), seed)) + "".join(stop)


def same_rows(one: DecodeTrace, other: DecodeTrace, order: Sequence[int]) -> tuple[float, float]:
    """Of two traces of the same output, the largest difference of a log p, and of a weight when the columns are put back."""
    logprobs = [np.array([node.logprob for node in trace.path()]) for trace in (one, other)]
    maps = one.maps()[..., list(order)], other.maps()  # [T, K, S]
    return float(np.abs(logprobs[0] - logprobs[1]).max()), float(np.abs(maps[0] - maps[1]).max()) if maps[0].size else 0.0
