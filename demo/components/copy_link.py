"""The "Copy link" button: the page's address holds its whole state, so copying needs the browser alone."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

_component = st.components.v2.component(
    "copy_link",
    css=(HERE / "copy_link.css").read_text(encoding="utf8"),
    js=(HERE / "copy_link.js").read_text(encoding="utf8"),
)


def copy_link(key: str = "copy_link") -> None:
    _component(key=key)
