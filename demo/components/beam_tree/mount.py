"""The beam tree as a Streamlit component: the whole tree is sent once, folding, zooming and reading happen in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from demo.components.events import unheard
from demo.components.served import component

_component = component("beam_tree", "beam_tree/mount.js")


def beam_tree(
    data: dict[str, Any], *, key: str, height: int = 400, plain: bool = False, on_choose: Callable[[], None] | None = None
) -> None:
    """Place the tree that `tree_data` made. `choice` tells the callback which node of the trace was clicked. `plain`: without numbers."""
    _component(key=key, data={"tree": data, "height": height, "plain": plain}, on_choose_change=on_choose or unheard)
