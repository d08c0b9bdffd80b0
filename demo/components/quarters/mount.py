"""A photo whose quarters can be pointed at; a click on one is an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from demo.components import script, style

_component = st.components.v2.component("quarters", css=style("quarters"), js=script("quarters/mount.js"))


def quarters(url: str, alt: str, names: Sequence[str], *, key: str, on_choose: Callable[[], None]) -> None:
    """`names`: of the four, from the top left to the bottom right; `choice` tells the callback which one, counted from 0."""
    _component(key=key, data={"url": url, "alt": alt, "names": list(names)}, on_choose_change=on_choose)
