"""The beam tree as a Streamlit component: the whole tree is sent once, folding, zooming and reading happen in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from demo.components import script, style

_component = st.components.v2.component(
    "beam_tree",
    css=style("beam_tree"),
    js=script("beam_tree/mount.js"),
)


def beam_tree(data: dict[str, Any], *, key: str, height: int = 400, on_choose: Callable[[], None] | None = None) -> None:
    """Place the tree that `tree_data` made. `chosen_node` tells the callback which node was clicked."""
    _component(key=key, data={"tree": data, "height": height}, on_choose_change=on_choose or _nothing)


def chosen_node(key: str) -> int | None:
    """In the callback: the trace's id of the node that was chosen."""
    value = (st.session_state.get(key) or {}).get("choose")
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _nothing() -> None:
    return None
