"""The tree of the beam, forced words, and attention that a student overwrites."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from demo import state, tasks
from demo.blocks.drawing import HEIGHT, WIDTH, dot, line
from demo.edits import read_edits
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, task_among
from seq2seq_core.config import DecodeSettings
from seq2seq_core.trace.nodes import FINISHED

TREE_STEPS, MOST_WORDS = 8, 6  # of the tree on the card


def queries(values: Values) -> Queries:
    task = task_among(values, tasks.reading())
    free = asked(task, values, settings=DecodeSettings(beam_size=values[state.BEAM.key]))
    return {values[tasks.TASKS[task].model.key]: replace(free, steering=read_edits(values[state.EDITS.key]))}


def picture(traces: Traces) -> list[Shape]:
    """The first steps of the beam: what was kept, what was dropped, and the way to the best output."""
    trace = traces["translation"]
    table, best = trace.nodes, {node.id for node in trace.path()}
    steps = min(TREE_STEPS, int(table.step.max()) + 1)
    place: dict[int, tuple[float, float]] = {-1: (8, HEIGHT / 2)}
    edges: list[Shape] = []
    kept: list[Shape] = []
    for step in range(steps):
        nodes = [int(n) for n in np.flatnonzero((table.step == step) & (table.rank < MOST_WORDS))]
        nodes = [n for n in nodes if int(table.parent[n]) in place]
        nodes.sort(key=lambda n: (n not in best, place[int(table.parent[n])][1], int(table.rank[n])))
        for i, n in enumerate(nodes):
            place[n] = (8 + (step + 1) * (WIDTH - 16) / steps, HEIGHT * (i + 0.5) / len(nodes))
            won, alive = n in best, int(table.state[n]) <= FINISHED
            role = "accent" if won else "ink" if alive else "faint"
            edges.append(line([place[int(table.parent[n])], place[n]], role=role, width=4 if won else 2))
            kept.append(dot(*place[n], role=role, radius=5 if won else 3.5))
    return [*edges, *kept, dot(8, HEIGHT / 2, role="accent", radius=5)]


LAB = Lab(
    "steer",
    "Steer",
    "Look inside",
    "account_tree",
    "The tree of the beam; force a word, or overwrite the attention, and see what changes.",
    queries,
    picture,
)
