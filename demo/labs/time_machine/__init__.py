"""A sentence through the moments of a translator's training."""

from __future__ import annotations

from demo.blocks.drawing import cells, words_of
from demo.lab import Lab, Shape, Traces


def picture(traces: Traces) -> list[Shape]:
    """The same map at each of many moments, sharper from one to the next."""
    _, _, weights = words_of(traces["translation"])
    shapes: list[Shape] = []
    for i in range(8):
        softened = weights ** (i / 7)
        shapes += cells(softened / softened.sum(axis=1, keepdims=True), i % 4 * 82, 4 + i // 4 * 66, 72, 58)
    return shapes


LAB = Lab(
    "time_machine",
    "Time machine",
    "Learn",
    "history",
    "Your sentence as a translator said it at twelve moments of its training.",
    picture=picture,
)
