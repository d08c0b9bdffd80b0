"""The picture of a training as a Streamlit component: given the newest state again and again, it changes in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from demo.components import script, style

_component = st.components.v2.component(
    "training",
    css=style("training"),
    js=script("training/mount.js"),
)


def training_picture(data: dict[str, Any], *, key: str, on_moment: Callable[[], None]) -> int | None:
    """Place the picture. Returns the step of the moment a person went back to, or None while it shows the newest."""
    result = _component(key=key, data=data, on_moment_change=on_moment)
    step = result.get("moment")
    return step if isinstance(step, int) and not isinstance(step, bool) and step >= 0 else None
