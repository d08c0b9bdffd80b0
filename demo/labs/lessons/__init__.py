"""Predict first, then see."""

from __future__ import annotations

from demo.blocks.drawing import HEIGHT, WIDTH, cells, text, words_of
from demo.lab import Lab, Shape, Traces


def picture(traces: Traces) -> list[Shape]:
    """A map with one row left to guess."""
    source, target, weights = words_of(traces["translation"])
    left, row = 70, HEIGHT / len(target)
    asked = len(target) // 2
    column = (WIDTH - left) / len(source)
    shapes = [text(left - 8, (i + 0.5) * row, word, anchor="end") for i, word in enumerate(target)]
    for i in range(len(target)):
        if i != asked:
            shapes += cells(weights[i : i + 1], left, i * row, WIDTH - left, row)
    return shapes + [
        text(left + (j + 0.5) * column, (asked + 0.5) * row, "?", anchor="middle", size=20, role="accent") for j in range(len(source))
    ]


LAB = Lab("lessons", "Lessons", "Learn", "school", "Predict what the model will do, then see it.", picture=picture)
