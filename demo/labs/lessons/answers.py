"""What a student answered, kept in this browser session, and its marks in the link; progress in words, and all answers as a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from demo import state
from demo.labs.lessons.files import Lesson

COLUMNS = ("lesson", "question", "text", "answer", "right answer", "result", "models", "link")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # a spreadsheet would take such a cell for a formula


@dataclass(frozen=True, slots=True)
class Given:
    """One answer; `right` None: skipped."""

    text: str  # of the question, as it was asked
    answer: str
    expected: str
    right: bool | None
    models: tuple[str, ...] = ()
    link: str = ""


Answers = Mapping[int, Given]  # by the question's place, from 0


def answers_of(lesson: Lesson) -> Answers:
    """What was answered of a lesson; a file that has lost questions since then loses their answers."""
    kept: Mapping[str, Answers] = st.session_state.get(state.ANSWERS, {})
    return {place: given for place, given in kept.get(lesson.name, {}).items() if place < len(lesson.questions)}


def keep(lesson: Lesson, place: int, given: Given) -> None:
    kept = dict(st.session_state.get(state.ANSWERS, {}))
    kept[lesson.name] = {**kept.get(lesson.name, {}), place: given}
    st.session_state[state.ANSWERS] = kept
    state.remember(state.DONE, written())


MARKS = {True: "r", False: "w", None: "s"}


def written() -> str:
    """The marks of all lessons, short enough for a link: what was answered itself stays in the session."""
    kept: Mapping[str, Answers] = st.session_state.get(state.ANSWERS, {})
    said = {
        name: "".join(MARKS[given[i].right] if i in given else "." for i in range(max(given, default=-1) + 1))
        for name, given in kept.items()
    }
    return ";".join(f"{name}:{marks}" for name, marks in said.items() if marks)


def restore(lessons: Sequence[Lesson]) -> None:
    """After a reload the link still has the marks; while the session lasts, it is the link that follows."""
    if state.ANSWERS in st.session_state:
        state.remember(state.DONE, written())
        return
    marks = dict(part.rpartition(":")[::2] for part in state.current(state.DONE).split(";"))
    right = {mark: each for each, mark in MARKS.items()}
    kept = {}
    for lesson in lessons:
        said = enumerate(zip(lesson.questions, marks.get(lesson.name, ""), strict=False))
        given = {place: Given(question.text, "", "", right[mark]) for place, (question, mark) in said if mark in right}
        if given:
            kept[lesson.name] = given
    if kept:
        st.session_state[state.ANSWERS] = kept


def forget(lesson: Lesson) -> None:
    kept = dict(st.session_state.get(state.ANSWERS, {}))
    kept.pop(lesson.name, None)
    st.session_state[state.ANSWERS] = kept
    state.remember(state.DONE, written())


def progress(count: int, answers: Answers) -> str:
    """For example "2 of 4 answered, 1 right"; skipped questions are told apart."""
    answered = [given for given in answers.values() if given.right is not None]
    skipped = len(answers) - len(answered)
    right = sum(bool(given.right) for given in answered)
    said = f"{len(answered)} of {count} answered, {right} right"
    return said + (f", {skipped} skipped" if skipped else "")


def next_place(lesson: Lesson, answers: Answers) -> int:
    """The first question that is still open; the last one when none is."""
    return next((i for i in range(len(lesson.questions)) if i not in answers), len(lesson.questions) - 1)


def to_csv(lessons: Sequence[tuple[Lesson, Answers]]) -> str:
    """One line for each answer, in the order of the lessons."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for lesson, answers in lessons:
        for place, given in sorted(answers.items()):
            result = "skipped" if given.right is None else "right" if given.right else "wrong"
            line = (lesson.title, str(place + 1), given.text, given.answer, given.expected, result, " ".join(given.models), given.link)
            writer.writerow([cell(text) for text in line])
    return out.getvalue()


def cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe before the sign that would make it one."""
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
