"""The gradient's way back as a Streamlit component: three cells, with and without attention."""

from __future__ import annotations

from typing import Any

import streamlit as st

from demo.components import script, style

_component = st.components.v2.component(
    "backward",
    css=style("training"),
    js=script("training/backward.js"),
)


def backward_picture(data: dict[str, Any], *, key: str) -> None:
    _component(key=key, data=data)
