"""Where a decoder looked when a question was over and its answer began: what a story's answer was made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seq2seq_core.tasks import TASKS
from seq2seq_core.trace.nodes import Floats

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace


def last_looks(trace: DecodeTrace, hypothesis: int = 0) -> Floats:
    """The looks at the pauses and at the first word of the answer, heads averaged, over the sentences of the source: [L, N]."""
    if not (trace.prompt and trace.heads):
        return np.zeros((0, 0), dtype=np.float32)
    weights = trace.attention(hypothesis)  # [T, S]
    first = max(0, trace.prompt - TASKS[trace.task].looks)
    groups = trace.parts[0].members
    return np.stack([weights[first : trace.prompt + 1, list(group)].sum(1) for group in groups], 1)


def most_looked_at(trace: DecodeTrace, hypothesis: int = 0) -> int | None:
    """The sentence with the most weight over these looks, counted from 0; None without a map."""
    found = last_looks(trace, hypothesis)
    return int(found.sum(0).argmax()) if found.size else None
