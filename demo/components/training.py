"""The picture of a training as a Streamlit component: given the newest state again and again, it changes in place."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from demo.scale import color_scale

HERE = Path(__file__).parent


@cache
def script(*names: str) -> str:
    """Files of this folder as one script, with the colour scale of attention."""
    scales = f"const SCALES = {json.dumps({theme: color_scale(theme) for theme in ('light', 'dark')})};\n"
    return scales + "\n".join((HERE / f"{name}.js").read_text(encoding="utf8") for name in names)


_component = st.components.v2.component(
    "training",
    css=(HERE / "training.css").read_text(encoding="utf8"),
    js=script("player_core", "training_map", "training_charts", "training"),
)


def training_picture(data: dict[str, Any], *, key: str, on_moment: Callable[[], None]) -> int | None:
    """Place the picture. Returns the step of the moment a person went back to, or None while it shows the newest."""
    result = _component(key=key, data=data, on_moment_change=on_moment)
    step = result.get("moment")
    return step if isinstance(step, int) and not isinstance(step, bool) and step >= 0 else None
