"""An attention row to edit: bars to drag, one per source token. It always sums to 1, and every change is told to Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from demo.components import with_id
from demo.components.events import MOST, places, reported, weights, whole
from demo.components.served import component

_component = component("row_editor", "row_editor/mount.js")


@dataclass(frozen=True, slots=True)
class RowChange:
    """What a person did: another row for a step (None: the model's own again), or other hidden positions."""

    step: int
    row: tuple[float, ...] | None
    onward: bool
    hidden: tuple[int, ...] | None  # set when positions were hidden or shown; the row then stays as it was


def row_data(
    tokens: Sequence[str], row: Sequence[float], own: Sequence[float], *, step: int, hidden: Sequence[int] = (), onward: bool = False
) -> dict[str, Any]:
    """One row: what holds now, and the model's own, which is drawn as a mark."""
    return with_id(
        {
            "kind": "row",
            "tokens": list(tokens),
            "row": [float(weight) for weight in row],
            "own": [float(weight) for weight in own],
            "step": step,
            "hidden": list(hidden),
            "onward": onward,
        }
    )


def oracle_data(
    tokens: Sequence[str],
    targets: Sequence[str],
    rows: Sequence[Sequence[float]],
    own: Sequence[Sequence[float]],
    given: Sequence[bool],
    hidden: Sequence[int] = (),
) -> dict[str, Any]:
    """All rows of a sentence as a grid. `own`: the model's; `given`: whether a person has set the row."""
    return with_id(
        {
            "kind": "oracle",
            "tokens": list(tokens),
            "targets": list(targets),
            "rows": [[round(float(weight), 4) for weight in row] for row in rows],
            "own": [[round(float(weight), 4) for weight in row] for row in own],
            "given": list(given),
            "hidden": list(hidden),
        }
    )


def row_editor(data: dict[str, Any], *, key: str, on_change: Callable[[], None]) -> None:
    """Place the editor for what `row_data` or `oracle_data` made; `row_change` tells the callback what was done."""
    _component(key=key, data=data, on_change_change=on_change)


def row_change(key: str) -> RowChange | None:
    """In the callback: the change. Whatever does not have its form is None."""
    value = reported(key, "change")
    step = whole(value.get("step")) if isinstance(value, Mapping) else None
    if step is None:
        return None
    return RowChange(step, weights(value.get("row")), value.get("onward") is True, places(value.get("hidden")))


def all_rows(key: str) -> list[tuple[float, ...] | None] | None:
    """In the callback: a row, or None, for every step, when the whole sentence was filled in at once."""
    value = reported(key, "change")
    rows = value.get("rows") if isinstance(value, Mapping) else None
    return [weights(row) for row in rows] if isinstance(rows, list) and len(rows) < MOST else None
