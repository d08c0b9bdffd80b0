"""Translate: a sentence becomes one of another language token by token, and every token shows where it looked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from demo import lab
from demo.blocks import answer, steer_from
from demo.blocks.player import player, sent, showing
from demo.blocks.source import source_row
from demo.labs.translate import LAB, TASKS, devanagari
from demo.query import Query
from demo.visitors.turn import by_itself
from demo.wording import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from seq2seq_core.trace.trace import DecodeTrace


@by_itself
def main() -> None:
    source = source_row(TASKS, title=LAB.title)
    if source.ready():
        for query in LAB.queries(source.values).values():
            show(query)


def show(query: Query) -> None:
    """The player comes before the line above it, but where nothing is there yet, which would be moved by the line."""
    shown = showing(LAB.name, query)
    above = st.container()
    trace = answer.trace_of(query)
    hypothesis = answer.hypothesis_of(trace)
    if shown.first:
        line(above, query, trace, hypothesis)
    answer.unknown_signs(trace)
    answer.rare(trace)
    hear = steer_from.hear(query, trace, hypothesis)
    player(trace, hypothesis, layout=shown.layout(), actions=steer_from.actions(query), on_click=hear)
    if not shown.first:
        sent()
        line(above, query, trace, hypothesis)
    steer_from.lead()
    below(query, trace, hypothesis)


def line(place: DeltaGenerator, query: Query, trace: DecodeTrace, hypothesis: int) -> None:
    with place:
        answer.result_line(trace, hypothesis, language=lab.language_of(query.model_id) or "en")
        devanagari.row(query, trace, hypothesis)


def below(query: Query, trace: DecodeTrace, hypothesis: int) -> None:
    language = lab.language_of(query.model_id) or "en"
    if len(trace.hypotheses) > 1:
        answer.n_best(trace, hypothesis, language=language)
    answer.greedy_against_beam(query, trace, language=language)
    if said := answer.learnt(query.model_id):
        st.caption(plain(said))


main()
