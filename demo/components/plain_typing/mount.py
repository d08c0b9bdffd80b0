"""A text box whose letters count one by one: a phone may neither capitalise, correct nor underline them. Streamlit has no such option."""

from __future__ import annotations

import streamlit as st

from demo.components import script, style

_component = st.components.v2.component("plain_typing", css=style("plain_typing"), js=script("plain_typing/mount.js"))


def plain_typing(label: str, *, key: str) -> None:
    """For the text box with this label, on the same page."""
    _component(key=key, data={"label": label})
