"""The shell's part in a lecture: the bar on whatever page its idea is shown, and pages that open as the idea's link says."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from demo import state
from demo.blocks.player import forget
from demo.components.lecture.mount import lecture_bar
from demo.lectures.files import HOME, shelf


@dataclass(frozen=True, slots=True)
class Giving:
    """An idea that was shown. `strayed`: the lecturer has gone to another page since, by the menu."""

    lecture: str
    place: int  # from 0
    strayed: bool = False


def give(page: str) -> None:
    """Show the bar of the lecture that the link names, or that is being given; the page of the lectures ends it."""
    named, idea, before = state.current(state.LECTURE), state.current(state.IDEA), st.session_state.get(state.GIVING)
    if named and idea:
        now = Giving(named, idea - 1)
    elif page != HOME and isinstance(before, Giving):
        now = replace(before, strayed=True)
    else:
        st.session_state.pop(state.GIVING, None)
        return
    lecture = shelf().named(now.lecture)
    if lecture is None:
        return
    now = replace(now, place=min(now.place, len(lecture.ideas) - 1))
    if not now.strayed and isinstance(before, Giving) and before != now:
        forget()  # from one idea to the next nothing of the page before is to be seen
    st.session_state[state.GIVING] = now
    with st.container(key="lecture_bar"):
        lecture_bar(lecture, now.place, strayed=now.strayed)
