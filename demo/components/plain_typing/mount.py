"""A text box whose letters count one by one: a phone may neither capitalise, correct nor underline them. Streamlit has no such option."""

from __future__ import annotations

from demo.components.served import component

_component = component("plain_typing", "plain_typing/mount.js")


def plain_typing(label: str, *, key: str) -> None:
    """For the text box with this label, on the same page."""
    _component(key=key, data={"label": label})
