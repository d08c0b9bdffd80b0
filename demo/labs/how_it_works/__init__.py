"""The equations of one step, with its own numbers in them."""

from __future__ import annotations

from demo.blocks.drawing import WIDTH, cell, text, words_of
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, task_among
from demo.tasks import TASKS


def queries(values: Values) -> Queries:
    task = task_among(values, tuple(TASKS))
    return {values[TASKS[task].model.key]: asked(task, values)}


def picture(traces: Traces) -> list[Shape]:
    source, _, weights = words_of(traces["translation"])
    sharpest = int(weights.max(axis=1).argmin())
    row = weights[sharpest]
    width = WIDTH / len(row)
    shapes = [text(160, 24, "αₜ = softmax(eₜ)", anchor="middle", size=26, role="formula")]
    for j, weight in enumerate(row):
        middle = (j + 0.5) * width
        shapes.append(cell(j * width, 52, width - 1.5, 40, float(weight)))
        shapes.append(text(middle, 106, f"{weight:.2f}", anchor="middle"))
        shapes.append(text(middle, 128, source[j], anchor="middle", size=14, role="quiet"))
    return shapes


LAB = Lab(
    "how_it_works",
    "How it works",
    "Look inside",
    "function",
    "The whole run, drawn and in equations: the encoder reads, the decoder writes, with every step's own numbers.",
    queries,
    picture,
)
