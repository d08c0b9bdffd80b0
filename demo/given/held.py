"""What a visitor brought, held for as long as the session lives: the newest few, and nobody else's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import streamlit as st

T = TypeVar("T")


class Held(Generic[T]):
    """By name, the newest last; which session's is asked of Streamlit each time."""

    def __init__(self, key: str, *, most: int) -> None:
        self.key, self.most = key, most

    def _things(self) -> dict[str, T]:
        things: dict[str, T] = st.session_state.setdefault(self.key, {})
        return things

    def __contains__(self, name: str) -> bool:
        return name in self._things()

    def get(self, name: str) -> T | None:
        return self._things().get(name)

    def own(self, key: str, gone: str, icon: str, as_held: Callable[[str], str] = str) -> str:
        """The name of the visitor's own that the session has under `key`. What is no longer held is none, and `gone` says so once."""
        name = str(st.session_state.get(key, ""))
        if name and as_held(name) not in self:
            name = st.session_state[key] = ""
            st.warning(gone, icon=icon)
        return name

    def keep(self, name: str, thing: T) -> None:
        things = self._things()
        things[name] = thing
        while len(things) > self.most:
            things.pop(next(iter(things)))
