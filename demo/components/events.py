"""What a component reports. It comes from a browser, so it may be anything: what has not its form is None."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import streamlit as st

MOST = 10_000  # no step, cell or row of a table has a number as large
MANY = 2**31 - 1  # nodes of a tree


def unheard() -> None:
    """The callback of an event that a page has no use for: a component may only send what is listened to."""


def reported(key: str, name: str) -> Any:
    """In a callback, or in the run after it: what the component in this place has said under a name, not looked at yet."""
    said = st.session_state.get(key)
    return said.get(name) if isinstance(said, Mapping) else None


def choice(key: str, below: int = MOST, *, name: str = "choose") -> int | None:
    """The number of what was chosen, a row, a node, a character, where there are so many of them."""
    return whole(reported(key, name), below)


def selected(key: str) -> list[Any]:
    """What a chart put into the point that was selected, not looked at yet; nothing without one."""
    selection = reported(key, "selection")
    points = selection.get("points") if isinstance(selection, Mapping) else None
    first = points[0] if isinstance(points, list) and points else None
    told = first.get("customdata") if isinstance(first, Mapping) else None
    return told if isinstance(told, list) else []


def whole(value: Any, below: int = MOST) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below else None


def one_of(value: Any, names: Collection[str]) -> str | None:
    return value if isinstance(value, str) and value in names else None


def places(value: Any, below: int = MOST) -> tuple[int, ...] | None:
    """Whole numbers, in order and each once."""
    if not isinstance(value, list) or len(value) > below or any(whole(place, below) is None for place in value):
        return None
    return tuple(sorted(set(value)))


def weights(value: Any, most: int = MOST) -> tuple[float, ...] | None:
    """An attention row: numbers from 0, not all of them 0."""
    if not isinstance(value, list) or len(value) > most or not all(map(_is_weight, value)):
        return None
    return tuple(map(float, value)) if any(value) else None


def _is_weight(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST  # what is no number is not in between
