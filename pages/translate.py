"""Translate: a sentence becomes one of another language token by token, and every token shows where it looked."""

from __future__ import annotations

import streamlit as st

from demo import lab
from demo.blocks import answer, steer_from
from demo.blocks.player import player, showing
from demo.blocks.source import source_row
from demo.labs.translate import LAB, TASKS, devanagari
from demo.query import Query
from demo.wording import plain


def main() -> None:
    source = source_row(TASKS, title=LAB.title)
    if source.ready():
        for query in LAB.queries(source.values).values():
            show(query)


def show(query: Query) -> None:
    shown = showing(LAB.name, query)
    trace = answer.trace_of(query)
    hypothesis, language = answer.hypothesis_of(trace), lab.language_of(query.model_id)
    answer.result_line(trace, hypothesis, language=language or "en")
    beside = st.container()
    answer.unknown_signs(trace)
    answer.rare(trace)
    hear = steer_from.hear(query, trace, hypothesis)
    player(trace, hypothesis, layout=shown.layout(), actions=steer_from.actions(query), on_click=hear)
    steer_from.lead()
    with beside:
        devanagari.row(query, trace, hypothesis)
    if len(trace.hypotheses) > 1:
        answer.n_best(trace, hypothesis, language=language or "en")
    answer.greedy_against_beam(query, trace, language=language or "en")
    if said := answer.learnt(query.model_id):
        st.caption(plain(said))


main()
