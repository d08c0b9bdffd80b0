"""Translate: a German sentence becomes English token by token, and every token shows where it looked."""

from __future__ import annotations

import streamlit as st

from demo import examples, state
from demo.blocks import widgets
from demo.query import Query

TASK = "translation"


def main() -> None:
    widgets.heading("Translate", examples.GERMAN, state.SENTENCE)
    text = widgets.input_row(state.SENTENCE, placeholder="Type a German sentence, or take an example")
    model_id, settings = widgets.search_row(state.TRANSLATION_MODEL, TASK)
    if not model_id:
        widgets.no_model(TASK)
    elif not text.strip():
        st.info("Type a German sentence, or take one of the examples above.", icon=":material/edit:")
    else:
        show(Query(model_id, (text,), settings=settings))


def show(query: Query) -> None:
    shown = widgets.showing("translate", query)
    trace = widgets.trace_of(query)
    hypothesis = widgets.hypothesis_of(trace)
    widgets.result_line(trace, hypothesis)
    widgets.unknown_signs(trace)
    widgets.player(trace, hypothesis, shown)
    if len(trace.hypotheses) > 1:
        widgets.n_best(trace, hypothesis)
    widgets.greedy_against_beam(query, trace)


main()
