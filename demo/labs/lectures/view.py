"""The list of lectures, the outline of one, and an idea that no page of the lab shows."""

from __future__ import annotations

from urllib.parse import parse_qsl

import streamlit as st

from demo import controls, state
from demo.components.cards.mount import Card, cards
from demo.components.lecture.mount import lecture_outline
from demo.lectures.files import Lecture
from demo.wording import plain
from demo.yaml_files import Shelf

READY = "Ready to give"


def overview(shelf: Shelf[Lecture]) -> None:
    """Every lecture as a card; a file that cannot be read is named below."""
    st.title("Lectures", anchor=False)
    st.markdown("A lecture idea by idea: each opens the page that shows it, and a bar at its foot leads on.")
    asked = state.current(state.LECTURE)
    if asked:
        st.warning(f"There is no lecture “{plain(asked)}”; choose one of these.", icon=":material/search_off:")
    chosen = cards([Card(address(lecture), lecture.title, summary(lecture), READY) for lecture in shelf.all], size=(0, 0))
    for sentence in shelf.wrong:
        st.error(f"One lecture file cannot be used. {plain(sentence)}", icon=":material/error:")
    lecture = next((lecture for lecture in shelf.all if address(lecture) == chosen), None)
    if lecture:
        state.remember(state.LECTURE, lecture.name)
        st.rerun()


def address(lecture: Lecture) -> str:
    return state.link("lectures", {state.LECTURE.key: lecture.name})


def summary(lecture: Lecture) -> str:
    return f"{lecture.by}. {lecture.about} {told(lecture)}"


def told(lecture: Lecture) -> str:
    """How much of it the lab shows."""
    said = [f"{count} {shown}" for shown, count in lecture.counts().items() if count]
    return f"{len(lecture.ideas)} ideas: {', '.join(said)}."


def outline(lecture: Lecture) -> None:
    """All of it, before it is given; or with everything that is said, for paper."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.title(plain(lecture.title), anchor=False, width="stretch")
        st.button("All lectures", key="leave_lecture", icon=":material/arrow_back:", on_click=leave)
        printing = controls.flag(state.PRINT)
    st.markdown(f"{plain(lecture.by)}. {plain(lecture.about)} {told(lecture)}")
    if not printing:
        st.markdown(
            "Begin with any idea. **n** leads to the next, **b** back (or Shift with Page Down and Page Up); **s** says what to say."
        )
    lecture_outline(lecture, whole=printing)


def leave() -> None:
    """Callback: back to the list."""
    state.remember(state.LECTURE, "")


def idea(lecture: Lecture, place: int) -> None:
    """An idea that has no page: left the outline, right what is said of it. A link from before it had one leads on."""
    if lecture.ideas[place].link:
        page, _, query = lecture.address(place).partition("?")
        st.switch_page(f"pages/{page}.py", query_params=parse_qsl(query))
    left, right = st.columns([2, 3], gap="large")
    with left, st.container(height=560, border=False):
        lecture_outline(lecture, place=place)
    with right:
        shown = lecture.ideas[place]
        st.title(plain(shown.text), anchor=False)
        st.markdown(f":material/visibility_off: Not in the lab yet. {plain(shown.lacks)}")
        if shown.say:
            st.markdown(plain(shown.say))
