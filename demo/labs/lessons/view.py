"""One question of a lesson: what is given, the answer, and then what was hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from demo import app, resources, state, terms
from demo.blocks.answer import trace_of
from demo.blocks.drawing import HEIGHT, WIDTH
from demo.blocks.pictures import drawn, stored_traces
from demo.components.cards.mount import Card, cards
from demo.components.events import choice
from demo.components.quarters.mount import quarters
from demo.labs.lessons import answers as lesson_answers
from demo.labs.lessons import files, hands, shelf
from demo.labs.lessons.answers import Given
from demo.labs.lessons.checks import Answer, Found
from demo.labs.lessons.files import Lesson, Question
from demo.labs.lessons.kinds import KINDS, QUARTERS, find
from demo.labs.lessons.reveal import given_table, open_links, reveal_one, reveal_several
from demo.wording import closed, plain, quoted
from seq2seq_core.errors import InputError
from seq2seq_core.tasks import task_of

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

SHORT = 28  # signs of an option: up to here several stand in one line
MARKS = {True: ":material/check:", False: ":material/close:", None: ":material/redo:"}


def lesson(shown: Lesson) -> None:
    """The question that the link names, or the first that is still open."""
    answers = lesson_answers.answers_of(shown)
    asked = state.current(state.QUESTION)
    place = min(asked, len(shown.questions)) - 1 if asked else lesson_answers.next_place(shown, answers)
    heading(shown, place)
    question = shown.questions[place]
    missing = missing_models(question)
    if missing:
        cannot_ask(
            shown, place, f"This question needs {missing}, which is not installed here: skip it, or install the model and come back."
        )
        return
    try:
        traces = {name: trace_of(each) for name, each in question.states}
        found = find(traces, question.check)
    except InputError as error:
        cannot_ask(shown, place, str(error))
        return
    ask(shown, place, traces, found)


def heading(shown: Lesson, place: int) -> None:
    """The way back, the title, and one mark for each question."""
    answers = lesson_answers.answers_of(shown)

    def label(i: int) -> str:
        return f"{MARKS[answers[i].right]} {i + 1}" if i in answers else str(i + 1)

    def chosen() -> None:
        picked = st.session_state.get(key)
        if isinstance(picked, int):
            shelf.go(shown, picked)

    key = f"places_{shown.name}_{place}_{len(answers)}"  # another key: its default is the question that is shown
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("All lessons", key="leave", icon=":material/arrow_back:", on_click=shelf.leave)
        st.title(plain(shown.title), anchor=False, width="stretch")
        places = range(len(shown.questions))
        st.segmented_control(
            "Question", places, default=place, required=True, key=key, format_func=label, on_change=chosen, label_visibility="collapsed"
        )
        st.caption(lesson_answers.progress(len(shown.questions), answers), width="content")


def missing_models(question: Question) -> str:
    """The models it needs that are not there, as a list in words."""
    needed = dict.fromkeys(query.model_id for _, query in question.states)
    absent = [name for name in needed if name not in [info.id for info in resources.installed(task_of(name))]]
    return " and ".join(plain(name) for name in absent)


def cannot_ask(shown: Lesson, place: int, why: str) -> None:
    """The question as it stands, one sentence, and the way on."""
    question = shown.questions[place]
    left, _ = st.columns([3, 2])
    with left:
        word = question.check.word
        st.subheader(plain(question.text.replace("{word}", word if isinstance(word, str) else "…")), anchor=False)
        st.info(why, icon=":material/info:")
        with st.container(horizontal=True):
            skip_button(shown, place)
            if place in lesson_answers.answers_of(shown):
                way_on(shown, place)


def ask(shown: Lesson, place: int, traces: dict[str, DecodeTrace], found: Found) -> None:
    """Left the question with its answer, right what is given; once answered, also what was hidden."""
    question = shown.questions[place]
    given = lesson_answers.answers_of(shown).get(place)
    left, right = st.columns([4, 5] if len(traces) == 1 else 2, gap="large")
    with left:
        if shown.before:
            st.markdown(plain(shown.before))
        text = worded(question.text, found)
        st.subheader(plain(text), anchor=False)
        explain_terms(f"{text} {question.check.measure}", shown.before)
        if given is None:
            answer_form(shown, place, found, text)
        else:
            verdict(given, found, question.explanation)
            hands.result(shown.name, place, found)
            with st.container(horizontal=True):
                way_on(shown, place)
                open_links(question.links)
    key = f"{shown.name}_{place}"
    with right:
        given_table(question, traces, hidden=given is None, picture=in_the_picture(shown, place, found, text))
        if given is None:
            picture_of(question)
        if given is not None and len(traces) == 1:
            reveal_one(question, next(iter(traces.values())), found, key=key)
    if given is not None and len(traces) > 1:
        reveal_several(question, traces, key=key)


def in_the_picture(shown: Lesson, place: int, found: Found, text: str) -> Callable[[str], None] | None:
    """A question about quarters is answered by a click on one."""
    key = f"quarter_{shown.name}_{place}"

    def chosen() -> None:
        quarter = choice(key, len(QUARTERS))
        if quarter is not None:
            take(shown, place, found, text, quarter)

    return (lambda url: quarters(url, "The photo", QUARTERS, key=key, on_choose=chosen)) if found.options == QUARTERS else None


def take(shown: Lesson, place: int, found: Found, text: str, answer: Answer) -> None:
    """An answer, however it was given."""
    keep(shown, place, Given(text, found.written(answer), found.expected, found.is_right(answer)))


def explain_terms(text: str, before: str) -> None:
    """A word that a question needs is explained before it is answered, unless the lesson has done so already."""
    for term in terms.met(text):
        if term not in terms.met(before):
            st.caption(f"**{plain(term)}**: {plain(terms.TERMS[term])}")


def picture_of(question: Question) -> None:
    """The page it is about, as on its card, until the answer shows the real thing."""
    if not any(query.asset for _, query in question.states):  # a photo is a picture already
        of = app.lab(question.links[0][1].page)
        drawing = drawn(of, stored_traces())
        if drawing:
            cards([Card(of.name, of.title, of.about, "", drawing, still=True)], size=(WIDTH, HEIGHT), key="lesson_picture", form="list")


def worded(text: str, found: Found) -> str:
    """The question with the word it is about."""
    for name, value in found.names.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def answer_form(shown: Lesson, place: int, found: Found, text: str) -> None:
    """The widget for this kind of answer, with a button to answer and one to skip."""
    question = shown.questions[place]
    key = f"answer_{shown.name}_{place}"
    skipped = Given(text, "", found.expected, None)

    def answered() -> None:
        answer: Answer | None = st.session_state.get(key)
        if answer is None or (isinstance(answer, str) and not answer.strip()):
            st.session_state[f"{key}_empty"] = True
            return
        take(shown, place, found, text, answer)

    with st.form(f"form_{key}", border=False):
        asks = "a quarter of the photo" if found.options == QUARTERS else KINDS[question.check.kind].asks
        if found.options:
            short = all(len(option) <= SHORT for option in found.options)
            pointed = ", or click on it" if found.options == QUARTERS else ""
            st.radio(
                f"Choose {asks}{pointed}", range(len(found.options)), index=None, key=key, horizontal=short,
                format_func=lambda i: plain(found.options[i]),
            )  # fmt: skip
        elif asks == "a number":
            st.number_input("Type a number", value=None, key=key, step=1.0 if float(found.value).is_integer() else 0.1, format="%g")
        else:
            st.text_input("Type your prediction", key=key, max_chars=300, autocomplete="off")
        with st.container(horizontal=True):
            st.form_submit_button("Answer", on_click=answered)
            st.form_submit_button("Skip", type="tertiary", icon=":material/redo:", on_click=keep, args=(shown, place, skipped))
    if found.options and not state.simple():
        hands.count(shown.name, place, found.options)
    if st.session_state.pop(f"{key}_empty", False):
        st.info("Choose or type an answer first, or skip the question.", icon=":material/edit:")


def keep(shown: Lesson, place: int, given: Given) -> None:
    """Take the answer, with the models and the link it is about, and stay at the question."""
    question = shown.questions[place]
    models = tuple(dict.fromkeys(query.model_id for _, query in question.states))
    link = " ".join(link.address for _, link in question.links)
    lesson_answers.keep(shown, place, Given(given.text, given.answer, given.expected, given.right, models, link))
    shelf.go(shown, place)


def skip_button(shown: Lesson, place: int) -> None:
    """Past a question that cannot be asked, to the next one."""

    def skip() -> None:
        keep(shown, place, Given(shown.questions[place].text, "", "", None))
        shelf.go(shown, min(place + 1, len(shown.questions) - 1))

    if place not in lesson_answers.answers_of(shown):
        st.button("Skip", key=f"skip_{shown.name}_{place}", icon=":material/redo:", on_click=skip)


def verdict(given: Given, found: Found, explanation: str) -> None:
    """Right or wrong, why with the numbers, and what there is to learn from it."""
    with st.container(border=True):
        if given.right is not None and not given.answer:
            said = "right" if given.right else "not right"
            st.markdown(
                f":material/history: You have answered this before, and it was {said}. The answer is {closed(quoted(found.expected))}"
            )
        elif given.right is None:
            st.markdown(f":material/redo: **Skipped.** The answer is {closed(quoted(found.expected))}")
        elif given.right:
            st.markdown(f":material/check_circle: **Right:** {closed(quoted(given.answer))}")
        else:
            st.markdown(
                f":material/cancel: **Not this time.** You said {quoted(given.answer)}; the answer is {closed(quoted(found.expected))}"
            )
    st.markdown(plain(found.said))
    if explanation:
        st.markdown(plain(explanation))


def way_on(shown: Lesson, place: int) -> None:
    """The next question; after the last one, back to the list or once more from the beginning."""
    if place + 1 < len(shown.questions):
        st.button("Next question", key="next", icon=":material/arrow_forward:", on_click=shelf.go, args=(shown, place + 1))
        return

    def again() -> None:
        lesson_answers.forget(shown)
        shelf.go(shown, 0)

    after = next_lesson(shown)
    if after is not None:
        st.button(
            f"Next lesson: {plain(after.title)}",
            key="next_lesson",
            icon=":material/arrow_forward:",
            on_click=shelf.open_lesson,
            args=(after,),
        )
    st.button("Back to all lessons", key="done", icon=":material/check:", on_click=shelf.leave)
    if lesson_answers.answers_of(shown):
        st.button("Begin again", key="again", type="tertiary", icon=":material/replay:", on_click=again)


def next_lesson(shown: Lesson) -> Lesson | None:
    """The one that follows on the shelf."""
    lessons = files.shelf().all
    places = [lesson.name for lesson in lessons]
    return next(iter(lessons[places.index(shown.name) + 1 :]), None) if shown.name in places else None
