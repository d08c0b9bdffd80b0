"""The beam tree as a Streamlit component: the whole tree is sent once, folding, zooming and reading happen in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from demo.components import script, style
from demo.components.events import unheard

_component = st.components.v2.component(
    "beam_tree",
    css=style("beam_tree"),
    js=script("beam_tree/mount.js"),
)


def beam_tree(data: dict[str, Any], *, key: str, height: int = 400, on_choose: Callable[[], None] | None = None) -> None:
    """Place the tree that `tree_data` made. `choice` tells the callback which node of the trace was clicked."""
    _component(key=key, data={"tree": data, "height": height}, on_choose_change=on_choose or unheard)
