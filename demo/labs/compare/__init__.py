"""Variants side by side."""

from __future__ import annotations

from dataclasses import replace

from demo import resources, state, tasks
from demo.blocks.comparison import SEARCHES, TYPED, by_cell, by_wiring
from demo.blocks.drawing import cell, cells, dot, line, text, words_of
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, task_among
from seq2seq_core.errors import InputError


def queries(values: Values) -> Queries:
    """The same source by several models or searches; each says its own output, or all the same."""
    task = task_among(values, tasks.compared())
    if values[state.COMPARE.key] == "searches":
        names = [name for name in values[state.COMPARED_SEARCHES.key] if name in SEARCHES]
        found = {name: asked(task, values, settings=SEARCHES[name]) for name in names}
    elif values[state.COMPARE.key] == "cells":
        known = by_cell(resources.installed(task))
        found = {name: asked(task, values, variant=known[name].variant) for name in values[state.COMPARED_CELLS.key] if name in known}
    elif values[state.COMPARE.key] == "wiring":
        known = by_wiring(resources.installed(task))
        found = {name: asked(task, values, variant=known[name].variant) for name in values[state.COMPARED_WIRINGS.key] if name in known}
    else:
        found = {name: asked(task, values, variant=name) for name in values[state.COMPARED.key]}
    return told(found, values) if values[state.SAME_TARGET.key] else found


def told(found: Queries, values: Values) -> Queries:
    """All made to say the output of one of them, or typed words."""
    followed = values[state.FOLLOWED.key]
    if followed != TYPED and followed not in found:
        raise InputError(f"{followed[:40]!r} is not among the variants shown; choose whose words all of them are to say.")
    target = values[state.TARGET.key].strip() if followed == TYPED else found[followed]
    return {name: replace(query, target=target) for name, query in found.items()}


def picture(traces: Traces) -> list[Shape]:
    """One vector for the whole sentence on the left, attention on the right."""
    _, target, weights = words_of(traces["translation"])
    row = 112 / len(target)
    links = [line([(46, 84), (134, 28 + (i + 0.5) * row)], width=2) for i in range(len(target))]
    ends = [dot(138, 28 + (i + 0.5) * row, radius=3.5) for i in range(len(target))]
    named = [text(72, 12, "none", anchor="middle"), text(248, 12, "additive", anchor="middle")]
    vector = [cell(28, 46 + 15.5 * i, 14, 14, weight) for i, weight in enumerate((0.7, 0.35, 0.9, 0.5, 0.75))]
    return [*named, *links, *ends, *vector, *cells(weights, 178, 28, 140, 112)]


LAB = Lab(
    "compare",
    "Compare",
    "Look inside",
    "view_column",
    "The same sentence, photo, recording or clip through up to eight variants, under one cursor.",
    queries,
    picture,
)
