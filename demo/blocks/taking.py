"""What a visitor gives in a file, or films and says into what was opened for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from demo.errors import sentence_of

T = TypeVar("T")


def taken(hold: Callable[[], T], *, opened: str, wrong: str) -> T | None:
    """In a callback: what `hold` made of it. None when it cannot be read: why is kept under `wrong`, to be said in one sentence.

    What was `opened` to choose it is closed either way.
    """
    held = list[T]()
    st.session_state[opened] = False
    if said := sentence_of(lambda: held.append(hold())):
        st.session_state[wrong] = said
        return None
    return held[0]
