"""A class votes before the answer is seen: hands are counted for each option, and stand beside the answer afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from demo.components.outputs.mount import Figure, Row, output_table
from demo.labs.lessons.checks import Found
from demo.wording import plain

HANDS = "hands"  # in the session: of each question, how many hands each option had
MOST = 999


def counted(lesson: str, place: int) -> Mapping[int, int]:
    """How many hands each option had; an option without any is left out."""
    kept: Mapping[tuple[str, int], Mapping[int, int]] = st.session_state.get(HANDS, {})
    return kept.get((lesson, place), {})


def count(lesson: str, place: int, options: Sequence[str]) -> None:
    """The numbers to type, behind a name: who learns alone needs none of it."""
    with st.popover("Show of hands", icon=":material/back_hand:"):
        st.caption("Let a class vote first: its hands stand beside the answer.")
        for option, name in enumerate(options):
            key = f"hands_{lesson}_{place}_{option}"
            held = counted(lesson, place).get(option, 0)
            st.number_input(plain(name), 0, MOST, held, key=key, on_change=_keep, args=(lesson, place, option, key))


def _keep(lesson: str, place: int, option: int, key: str) -> None:
    hands = {**counted(lesson, place), option: int(st.session_state[key] or 0)}
    st.session_state[HANDS] = {**st.session_state.get(HANDS, {}), (lesson, place): {i: n for i, n in hands.items() if n}}


def result(lesson: str, place: int, found: Found) -> None:
    """What the class said, with what is right; nothing if no hand was counted."""
    hands = {option: n for option, n in counted(lesson, place).items() if option < len(found.options)}
    total = sum(hands.values())
    if not total:
        return
    rows = [
        Row("", name, (str(hands.get(option, 0)),), share=hands.get(option, 0) / total, chosen=option in found.right)
        for option, name in enumerate(found.options)
    ]
    right = sum(hands.get(option, 0) for option in found.right)
    note = f"{right} of {total} {'was' if right == 1 else 'were'} right."
    output_table(rows, (Figure("hands"),), key="hands", title="Show of hands", header="answer", note=note, dense=True)
