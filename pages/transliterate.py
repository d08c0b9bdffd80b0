"""Transliterate: a word in Latin letters becomes Devanagari, or another script, while it is typed."""

from __future__ import annotations

import streamlit as st

from demo import controls, examples, resources, state
from demo.app import plain_errors
from demo.blocks import widgets
from demo.query import Query
from seq2seq_core.config import DecodeSettings

TASK = "transliteration"
CODES = {"Hindi": "hi", "Tamil": "ta", "Telugu": "te", "Bengali": "bn"}


@st.fragment
def main() -> None:
    models = {name: [info.variant for info in resources.installed(TASK) if info.language == name] for name in state.LANGUAGE.choices}
    languages = [name for name, variants in models.items() if variants]
    if not languages:
        st.title("Transliterate", anchor=False)
        widgets.no_model(TASK)
        return
    chosen = state.current(state.LANGUAGE)
    widgets.heading("Transliterate", examples.LATIN[chosen if chosen in languages else languages[0]], state.WORD)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width="stretch"):
            word = controls.line(state.WORD, placeholder="Type a word", live=True)
        with st.container(width=140):
            language = controls.menu(state.LANGUAGE, languages)
        with st.container(width=160):
            variant = controls.menu(state.TRANSLITERATION_MODEL, models[language])
        with st.container(width=170):
            beam = controls.whole(state.BEAM)
        with st.container(width=170):
            widgets.decode_button("Play")
    if not word.strip():
        st.info("Type a word in Latin letters, or take one of the examples above.", icon=":material/edit:")
        return
    settings = DecodeSettings(beam_size=beam, length_penalty=0, hypotheses=min(beam, 5))
    with plain_errors():  # a key press runs this part of the page alone
        show(Query(f"{TASK}/{variant}", (word,), settings=settings), CODES[language])


def show(query: Query, language: str) -> None:
    shown = widgets.showing("transliterate", query)
    trace = widgets.trace_of(query)
    hypothesis = widgets.hypothesis_of(trace)
    widgets.unknown_signs(trace)
    widgets.top_outputs(trace, hypothesis, language=language)
    widgets.player(trace, hypothesis, shown)


main()
