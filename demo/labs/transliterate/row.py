"""The row of Transliterate: a word that counts while it is typed, and models by the language they write."""

from __future__ import annotations

import streamlit as st

from demo import controls, resources, state
from demo.blocks.heading import heading
from demo.blocks.source import Source, decode_button, no_model, values_now
from demo.labs.transliterate import TASK
from demo.tasks import TASKS


def row(title: str) -> Source | None:
    """None when there is no model, which is said."""
    table = TASKS[TASK]
    models = {name: [info.variant for info in resources.installed(TASK) if info.language == name] for name in state.LANGUAGE.choices}
    languages = [name for name, variants in models.items() if variants]
    if not languages:
        st.title(title, anchor=False)
        no_model(TASK)
        return None
    asked = state.current(state.LANGUAGE)
    heading(title, table, table.examples(asked if asked in languages else languages[0]))
    place = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    with place:
        with st.container(width="stretch"):
            controls.line(state.WORD, placeholder="Type a word", live=True)
        with st.container(width=140):
            language = controls.menu(state.LANGUAGE, languages)
        with st.container(width=160):
            variant = controls.menu(table.model, models[language])
        with st.container(width=170):
            controls.whole(state.BEAM)
        with st.container(width=170):
            decode_button("Play")
    return Source(table, values_now(table, {state.LANGUAGE.key: language, table.model.key: variant}), place)
