"""The gradient's way back as a Streamlit component: three cells, with and without attention."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from demo.components.training import script

HERE = Path(__file__).parent

_component = st.components.v2.component(
    "backward",
    css=(HERE / "training.css").read_text(encoding="utf8"),
    js=script("player_core", "training_map", "backward"),
)


def backward_picture(data: dict[str, Any], *, key: str) -> None:
    _component(key=key, data=data)
