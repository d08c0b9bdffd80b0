"""The list of lessons: what each is about, how far the student is, and all answers as a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from demo import app, state
from demo.blocks.drawing import HEIGHT, WIDTH
from demo.blocks.pictures import drawn, stored_traces
from demo.components.cards.mount import Card, cards
from demo.labs.lessons import answers as lesson_answers
from demo.labs.lessons.files import Lesson
from demo.wording import plain
from demo.yaml_files import Shelf

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace


def overview(shelf: Shelf[Lesson]) -> None:
    """All lessons with their progress; a file that cannot be read is named below them."""
    heading(shelf.all)
    asked = state.current(state.LESSON)
    if asked:
        st.warning(f"There is no lesson “{plain(asked)}”; choose one of these.", icon=":material/search_off:")
    if not shelf.all and not shelf.wrong:
        st.info("There is no lesson yet: put a file under demo/labs/lessons/, as the README there says.", icon=":material/school:")
    traces = stored_traces()
    chosen = cards([card(i, lesson, traces) for i, lesson in enumerate(shelf.all, 1)], size=(WIDTH, HEIGHT), key="lesson_cards")
    for sentence in shelf.wrong:
        st.error(f"One lesson file cannot be used. {plain(sentence)}", icon=":material/error:")
    lesson = next((lesson for lesson in shelf.all if address(lesson) == chosen), None)
    if lesson:
        open_lesson(lesson)
        st.rerun()


def heading(lessons: Sequence[Lesson]) -> None:
    """The title, the progress in all lessons, and the way to take the answers along."""
    kept = [(lesson, lesson_answers.answers_of(lesson)) for lesson in lessons]
    together = dict(enumerate(given for _, answers in kept for given in answers.values()))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.title("Lessons", anchor=False, width="content")
        with st.container(width="stretch"):
            if together:
                st.markdown(lesson_answers.progress(sum(len(lesson.questions) for lesson in lessons), together))
            else:
                st.markdown("Predict what a model will do, then see it. Answers stay in this browser tab; the link keeps the marks.")
        if together:
            st.download_button(
                "Answers, CSV",
                lambda: lesson_answers.to_csv(kept).encode("utf-8-sig"),  # the mark at the beginning tells a spreadsheet that it is UTF-8
                "answers.csv",
                "text/csv",
                key="answers_csv",
                icon=":material/download:",
                on_click="ignore",
            )


def card(number: int, lesson: Lesson, traces: dict[str, DecodeTrace]) -> Card:
    """With the picture of the page that its first question is about."""
    answers = lesson_answers.answers_of(lesson)
    count = len(lesson.questions)
    done = lesson_answers.progress(count, answers) if answers else f"{count} questions"
    picture = drawn(app.lab(lesson.questions[0].links[0][1].page), traces)
    return Card(address(lesson), f"{number}. {lesson.title}", f"{done}. {lesson.summary}", "Predict, then see", picture)


def address(lesson: Lesson) -> str:
    return state.link("lessons", {state.LESSON.key: lesson.name})


def open_lesson(lesson: Lesson) -> None:
    """The first question that is still open."""
    go(lesson, lesson_answers.next_place(lesson, lesson_answers.answers_of(lesson)))


def go(lesson: Lesson, place: int) -> None:
    """Callback: a question of a lesson, counted from 0; in the link it counts from 1."""
    state.remember(state.LESSON, lesson.name)
    state.remember(state.QUESTION, place + 1)


def leave() -> None:
    """Callback: back to the list."""
    state.remember(state.LESSON, "")
    state.remember(state.QUESTION, 0)
