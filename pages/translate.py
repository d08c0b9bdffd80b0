"""Translate: a German sentence becomes English token by token, and every token shows where it looked."""

from __future__ import annotations

import streamlit as st

from demo.blocks import answer, steer_from
from demo.blocks.player import player, showing
from demo.blocks.source import source_row
from demo.labs.translate import LAB, TASK
from demo.labs.translate.language import instead_of_german
from demo.query import Query


def main() -> None:
    source = source_row((TASK,), title=LAB.title)
    if source.ready():
        for query in LAB.queries(source.values).values():
            show(query)


def show(query: Query) -> None:
    shown = showing(LAB.name, query)
    trace = answer.trace_of(query)
    hypothesis = answer.hypothesis_of(trace)
    answer.result_line(trace, hypothesis)
    other = instead_of_german(query.text) if query.model_id.startswith(f"{TASK}/") else ""
    if other:
        said = f"This looks like {other}. The model has read German alone, and makes an English sentence of anything."
        st.info(said, icon=":material/translate:")
    answer.unknown_signs(trace)
    answer.rare(trace)
    hear = steer_from.hear(query, trace, hypothesis)
    player(trace, hypothesis, layout=shown.layout(), actions=steer_from.actions(query), on_click=hear)
    steer_from.lead()
    if len(trace.hypotheses) > 1:
        answer.n_best(trace, hypothesis)
    answer.greedy_against_beam(query, trace)


main()
