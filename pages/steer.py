"""Steer: the tree of the search with its reasons, forced words, and attention that a student can overwrite."""

from __future__ import annotations

import streamlit as st

from demo import controls, resources, state, steering_bench, steering_study, steering_view, widgets
from demo.state import DecodeRequest
from demo.steering_cases import cases_row
from demo.steering_parts import parts
from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError

TASKS = {
    "translation": (state.SENTENCE, state.TRANSLATION_MODEL, "Type a German sentence"),
    "transliteration": (state.WORD, state.TRANSLITERATION_MODEL, "Type a word in Latin letters"),
}


def main() -> None:
    cases_row("Steer")
    installed = [task for task in TASKS if resources.installed(task)] or ["translation"]
    task = state.current(state.TASK) if state.current(state.TASK) in installed else installed[0]
    field, models, placeholder = TASKS[task]
    text = widgets.input_row(field, placeholder=placeholder)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if len(installed) > 1:
            with st.container(width=170):
                controls.menu(state.TASK, installed)
        with st.container(width=170):
            model_id = widgets.model_menu(models, task)
        settings = search_and_ranking()
    if not model_id:
        widgets.no_model(task)
    elif not text.strip():
        st.info(f"{placeholder}, or take one of the examples above.", icon=":material/edit:")
    else:
        show(DecodeRequest(model_id, text, settings=settings))


def search_and_ranking() -> DecodeSettings:
    """How many beams to search with, and the two sliders that only rank what was found."""
    with st.container(width=150):
        size = controls.whole(state.BEAM)
    if size > 1:
        with st.container(width=150):
            steering_bench.kept_slider(size)
    with st.container(width=230):
        controls.number(state.RANK_LENGTH)
    return DecodeSettings(beam_size=size)


def show(request: DecodeRequest) -> None:
    try:
        bench = steering_bench.open_bench(request)
    except InputError as error:
        if not state.current(state.EDITS):
            raise
        steering_study.refused_link(error)
        return
    steering_bench.said_refused()
    steering_view.result(bench)
    steering_view.tree(bench)
    parts(bench)


main()
