"""What Compare opens on for whoever comes with nothing of their own: a sentence that one vector does not hold, and attention does."""

from __future__ import annotations

from typing import Any

import streamlit as st

from demo import examples, state
from demo.fields import Field

VISITED = "compare_visited"
ASKED: tuple[Field[Any], ...] = (
    state.TASK,
    state.SENTENCE,
    state.COMPARE,
    state.COMPARED,
    state.SAME_TARGET,
)  # who has chosen one of these sees that


def open_on_one() -> None:
    if st.session_state.get(VISITED):
        return
    st.session_state[VISITED] = True
    if all(state.current(field) == field.default and field.key not in st.query_params for field in ASKED):
        state.assign(state.SENTENCE, examples.LONG.text)
