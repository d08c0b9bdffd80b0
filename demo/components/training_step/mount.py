"""One training step as a Streamlit component: given once, it plays back and forth by itself, and reports where a person left it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from demo.components.events import reported, whole
from demo.components.served import component

_component = component("training_step", "training_step/mount.js")


def training_step_player(data: dict[str, Any], *, key: str, on_rest: Callable[[], None]) -> None:
    """Place it. `rest` tells the callback where it stands once it has stood for a moment."""
    _component(key=key, data=data, on_rest_change=on_rest)


def rested(key: str, places: int, rates: int) -> tuple[int, int] | None:
    """In the callback: the place, and the number of the rate."""
    said = reported(key, "rest")
    if not isinstance(said, list) or len(said) != 2:
        return None
    place, rate = whole(said[0], places), whole(said[1], rates)
    return None if place is None or rate is None else (place, rate)
