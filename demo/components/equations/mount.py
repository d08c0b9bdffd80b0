"""The equations of a run beside its player: every moment is sent once, and the browser shows the one that the player is at."""

from __future__ import annotations

from typing import Any

from demo.components.served import component

_component = component("equations", "equations/mount.js")


def moving_equations(data: dict[str, Any], *, key: str) -> None:
    """Place them: `steps`, `reads` and `read`, as `demo.labs.how_it_works.moments` has them; `begin`: what they open at."""
    _component(key=key, data=data)


def whole_vectors(data: dict[str, Any], *, key: str) -> None:
    """The `numbers` that the vectors of the equations have by their places. Nothing of it is seen before one is asked for."""
    _component(key=key, data=data)


def equations_in_boxes(data: dict[str, Any], *, key: str) -> None:
    """Still ones: a `title`, `boxes` of a name, a sentence, equations and a table, and below them one more sentence and table."""
    _component(key=key, data=data)
