"""The letters of the equations beside them: where each lives in the drawing, and the vectors that are printed, whole."""

from __future__ import annotations

from typing import Any

import streamlit as st

from demo.components import script, style

_component = st.components.v2.component(
    "equations",
    css=style("equations"),
    js=script("equations/mount.js"),
)


def letters_of_equations(data: dict[str, Any], *, key: str) -> None:
    """Place it: `tables` of what lives where, one for each equation on the page; `letters` in order; `vectors` with their numbers."""
    _component(key=key, data=data)
