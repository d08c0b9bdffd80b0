"""What How it works looks into: a sentence, a word or a photo, the model, and how it is searched for."""

from __future__ import annotations

import streamlit as st

from demo import controls, examples, resources, state
from demo.blocks import widgets
from demo.labs.caption import view
from demo.query import Query

TITLE = "How it works"
OFFERED = {"translation": (state.SENTENCE, examples.GERMAN[:3]), "transliteration": (state.WORD, examples.LATIN["Hindi"][:3])}


def asked() -> Query | None:
    """The rows above the player; None when something is missing, which is said."""
    tasks = [task for task in state.MODELS if resources.installed(task)]
    task = state.current(state.TASK) if state.current(state.TASK) in tasks else "translation"
    return _photo(tasks) if task == view.TASK else _text(tasks, task)


def _photo(tasks: list[str]) -> Query:
    view.heading(TITLE)
    model_id = _settings(tasks, view.TASK)
    return Query(model_id, (view.shown_photo(),), settings=state.current_settings())


def _text(tasks: list[str], task: str) -> Query | None:
    field, offered = OFFERED[task]
    widgets.heading(TITLE, offered, field)
    text = widgets.input_row(field, placeholder="Type something, or take an example")
    model_id = _settings(tasks, task)
    if not model_id:
        widgets.no_model(task)
    elif not text.strip():
        st.info("Type something to decode, or take one of the examples above.", icon=":material/edit:")
    else:
        return Query(model_id, (text,), settings=state.current_settings())
    return None


def _settings(tasks: list[str], task: str) -> str:
    """Which model, and how it decodes: the model's id."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if len(tasks) > 1:
            with st.container(width=190):
                controls.menu(state.TASK, tasks)
        with st.container(width=190):
            model_id = widgets.model_menu(state.MODELS[task], task)
        with st.popover("Search"):
            controls.search_settings()
    return model_id
