"""The picture of a training as a Streamlit component: given the newest state again and again, it changes in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from demo.components.events import MANY, choice
from demo.components.served import component

_component = component("training", "training/mount.js")


def training_picture(data: dict[str, Any], *, key: str, on_moment: Callable[[], None]) -> None:
    """Place the picture; `moment` tells the callback where a person went."""
    _component(key=key, data=data, on_moment_change=on_moment)


def moment(key: str) -> int | None:
    """In the callback: the step of the moment a person went back to, or None while it shows the newest."""
    return choice(key, MANY, name="moment")
