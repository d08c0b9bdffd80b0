"""The letters of the equations beside them: where each lives in the drawing, and the vectors that are printed, whole."""

from __future__ import annotations

from typing import Any

from demo.components.served import component

_component = component("equations", "equations/mount.js")


def letters_of_equations(data: dict[str, Any], *, key: str) -> None:
    """Place it: `tables` of what lives where, one for each equation on the page; `letters` in order; `vectors` with their numbers."""
    _component(key=key, data=data)
