"""The "Copy link" button: the page's address holds its whole state, so copying needs the browser alone."""

from __future__ import annotations

import streamlit as st

from demo.components import script, style

_component = st.components.v2.component(
    "copy_link",
    css=style("copy_link"),
    js=script("copy_link/mount.js"),
)


def copy_link(without: str = "", key: str = "copy_link") -> None:
    """`without`: what of the page the link cannot carry, said when it is copied."""
    _component(key=key, data={"without": without})
