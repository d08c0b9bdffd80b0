"""A sentence becomes another language."""

from __future__ import annotations

from demo import state
from demo.blocks.drawing import HEIGHT, WIDTH, cells, text, words_of
from demo.lab import Lab, Queries, Shape, Traces, Values, asked

TASK = "translation"


def queries(values: Values) -> Queries:
    return {values[state.TRANSLATION_MODEL.key]: asked(TASK, values)}


def picture(traces: Traces) -> list[Shape]:
    source, target, weights = words_of(traces["translation"])
    left, top = 70, 24
    column, row = (WIDTH - left) / len(source), (HEIGHT - top) / len(target)
    names = [text(left + (j + 0.5) * column, 12, word, anchor="middle", size=14) for j, word in enumerate(source)]
    names += [text(left - 8, top + (i + 0.5) * row, word, anchor="end") for i, word in enumerate(target)]
    return names + cells(weights, left, top, WIDTH - left, HEIGHT - top)


LAB = Lab(
    "translate",
    "Translate",
    "Decode",
    "translate",
    "A German sentence becomes English token by token, and every token shows where it looked.",
    queries,
    picture,
)
