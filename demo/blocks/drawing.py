"""What the small pictures of labs are made of: shapes of a drawing 320 wide and 140 high, most of them drawn from a stored trace."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from demo.colours import attention_color, hex_color
from demo.lab import Shape
from demo.wording import END

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

WIDTH, HEIGHT = 320, 140


def cell(x: float, y: float, width: float, height: float, weight: float) -> Shape:
    return {"kind": "cell", "at": [round(n, 1) for n in (x, y, width, height)], "colours": colours(round(weight, 2))}


@cache
def colours(weight: float) -> list[str]:
    """On a light and on a dark page."""
    return [hex_color(attention_color(weight, theme)) for theme in ("light", "dark")]


def text(x: float, y: float, said: str, *, anchor: str = "start", size: int = 15, role: str = "ink") -> Shape:
    return {"kind": "text", "at": [round(x, 1), round(y, 1)], "text": said, "anchor": anchor, "size": size, "role": role}


def line(points: Sequence[tuple[float, float]], *, role: str = "quiet", width: float = 2, curved: bool = False) -> Shape:
    """Through the points; `curved`: between two points, leaving and arriving upright."""
    joined = " ".join(f"L{x:.1f} {y:.1f}" for x, y in points)[1:]
    if curved:
        (x, y), (u, v) = points
        joined = f"{x:.1f} {y:.1f}C{x:.1f} {(y + v) / 2:.1f} {u:.1f} {(y + v) / 2:.1f} {u:.1f} {v:.1f}"
    return {"kind": "line", "path": f"M{joined}", "role": role, "width": round(width, 1)}


def photo(x: float, y: float, width: float, height: float, url: str) -> Shape:
    """As much of its middle as fills the box."""
    return {"kind": "photo", "at": [round(n, 1) for n in (x, y, width, height)], "url": url}


def dot(x: float, y: float, *, role: str = "ink", radius: float = 4) -> Shape:
    return {"kind": "dot", "at": [round(x, 1), round(y, 1), radius], "role": role}


def cells(weights: np.ndarray, x: float, y: float, width: float, height: float) -> list[Shape]:
    """An attention map in a box."""
    rows, columns = weights.shape
    w, h = width / columns, height / rows
    return [cell(x + j * w, y + i * h, w - 1.5, h - 1.5, float(weights[i, j])) for i in range(rows) for j in range(columns)]


def words_of(trace: DecodeTrace) -> tuple[tuple[str, ...], tuple[str, ...], np.ndarray]:
    """Source words, target words without the end sign, and the weights between them."""
    grouped = trace.grouped()
    target = grouped.target[: -1 if trace.tokens()[-1] == END else None]
    return grouped.source, target, grouped.attention[: len(target)]
