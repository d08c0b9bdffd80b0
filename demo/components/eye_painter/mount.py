"""A photo, a spectrogram or a film strip under a grid of cells to paint: where the model is to look, and where not, from a word on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from demo.components import with_id
from demo.components.events import places, reported, whole
from demo.components.served import component
from demo.wording import CELLS, plural
from seq2seq_core.inputs.part import Part

TALL, ROW_TALL = 360, 250  # pixels
EVEN = 1e-6  # painted cells share the weight alike

_component = component("eye_painter", "eye_painter/mount.js")


@dataclass(frozen=True, slots=True)
class Painted:
    """Cells to look at alone (none: all), cells not to look at, and the step from which this holds."""

    look: tuple[int, ...] = ()
    block: tuple[int, ...] = ()
    start: int = 0


def painter_data(url: str | None, part: Part, words: Sequence[tuple[int, str]], painted: Painted, act: str = "") -> dict[str, Any]:
    """`words`: the step at which each word of the output begins; `act`: what the button that decodes again is called."""
    (width, height), (rows, columns) = part.size or (1, 1), part.grid or (1, 1)
    cell = CELLS.get(part.name, "cell")
    data: dict[str, Any] = {"url": url, "width": width, "height": height, "tall": TALL, "rows": rows, "columns": columns}
    called = {"thing": part.name, "cell": cell, "cells": plural(cell), "names": [] if part.named_by_place else list(part.labels)}
    cells = {"look": list(painted.look), "block": list(painted.block), "from": painted.start}
    return with_id(data | called | cells | {"words": [list(word) for word in words], "act": act})


def row_painter_data(
    url: str | None,
    part: Part,
    row: Sequence[float],
    own: Sequence[float],
    *,
    step: int,
    block: Sequence[int] = (),
    edited: bool = False,
    onward: bool = False,
    reach: bool = True,
) -> dict[str, Any]:
    """One attention row to paint; what is done is read with `row_change`. `reach`: whether it may hold for later steps too."""
    weights, most = [float(weight) for weight in row], max(row)
    painted = [cell for cell, weight in enumerate(weights) if weight > 0] if edited else []
    even = all(abs(weights[cell] - most) < EVEN for cell in painted) and len(painted) < len(weights) - len(block)
    data = painter_data(url, part, (), Painted(tuple(painted if even else ()), tuple(block)))
    rest = {"kind": "row", "tall": ROW_TALL, "row": weights, "own": [float(weight) for weight in own]}
    return with_id(data | rest | {"step": step, "onward": onward, "reach": reach})


def eye_painter(data: dict[str, Any], *, key: str, on_change: Callable[[], None]) -> None:
    """Place the painter; `painted` tells the callback what was painted."""
    _component(key=key, data=data, on_change_change=on_change)


def painted(key: str, cells: int) -> Painted | None:
    """In the callback: what was painted. Whatever does not have its form is None."""
    value = reported(key, "change")
    if not isinstance(value, Mapping):
        return None
    look, block, start = places(value.get("look"), cells), places(value.get("block"), cells), whole(value.get("from"))
    return None if look is None or block is None or start is None else Painted(look, block, start)
