"""What a visitor gives in a file, or films and says into what was opened for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from demo.errors import sentence_of
from demo.wording import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

T = TypeVar("T")


def opener(name: str, label: str, icon: str) -> DeltaGenerator:
    """A button that opens what stands inside it.

    It is another one after it was closed from here: a browser that gets "closed" before it has heard back that it opened leaves it open.
    """
    return st.popover(label, icon=icon, width="content", key=f"{name}_{_closings(name)}", on_change="rerun")


def close(name: str) -> None:
    """In a callback: what `opener` opened is out of the way."""
    st.session_state[name] = _closings(name) + 1


def _closings(name: str) -> int:
    return int(st.session_state.get(name, 0))


def taken(hold: Callable[[], T], *, opened: str, wrong: str) -> T | None:
    """In a callback: what `hold` made of it. None when it cannot be read: why is kept under `wrong`, to be said in one sentence.

    What was `opened` to choose it is closed either way.
    """
    held = list[T]()
    close(opened)
    if said := sentence_of(lambda: held.append(hold())):
        st.session_state[wrong] = said
        return None
    return held[0]


def say_wrong(wrong: str) -> None:
    """What `taken` kept under this name, once."""
    if said := st.session_state.pop(wrong, ""):
        st.error(plain(said), icon=":material/error:")
