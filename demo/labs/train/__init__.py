"""A small model learns in front of the class."""

from __future__ import annotations

from demo.blocks.drawing import cells, text, words_of
from demo.lab import Lab, Shape, Traces


def picture(traces: Traces) -> list[Shape]:
    """A map before, during and after training."""
    _, _, weights = words_of(traces["translation"])
    shapes: list[Shape] = []
    for i, sharpness in enumerate((0.05, 0.45, 1.0)):
        softened = weights**sharpness
        shapes += cells(softened / softened.sum(axis=1, keepdims=True), i * 112, 28, 96, 112)
        shapes.append(text(i * 112 + 48, 12, ("step 0", "step 100", "step 900")[i], anchor="middle"))
    return shapes


LAB = Lab("train", "Train", "Learn", "trending_up", "A small model learns in front of you, and its attention forms.", picture=picture)
