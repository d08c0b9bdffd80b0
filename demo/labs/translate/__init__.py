"""A sentence becomes another language."""

from __future__ import annotations

from demo import tasks
from demo.blocks.drawing import HEIGHT, WIDTH, cells, text, words_of
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, task_among

TASK = "translation"
TASKS = (TASK, "hindi-english", "english-hindi")


def queries(values: Values) -> Queries:
    task = task_among(values, TASKS)
    return {values[tasks.TASKS[task].model.key]: asked(task, values)}


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
    "German becomes English, or Hindi and English each other, token by token, and every token shows where it looked.",
    queries,
    picture,
)
