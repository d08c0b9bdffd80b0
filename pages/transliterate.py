"""Transliterate: a word in Latin letters becomes Devanagari, or another script, while it is typed."""

from __future__ import annotations

import streamlit as st

from demo import lab
from demo.app import plain_errors
from demo.blocks import answer, steer_from
from demo.blocks.player import player, showing
from demo.labs.transliterate import LAB
from demo.labs.transliterate.row import row
from demo.query import Query


@st.fragment
def main() -> None:
    source = row(LAB.title)
    if source is not None and source.ready():
        with plain_errors():  # a key press runs this part of the page alone
            for query in LAB.queries(source.values).values():
                show(query)


def show(query: Query) -> None:
    shown = showing(LAB.name, query)
    trace = answer.trace_of(query)
    hypothesis = answer.hypothesis_of(trace)
    answer.unknown_signs(trace)
    answer.top_outputs(trace, hypothesis, language=lab.language_of(query.model_id))
    player(trace, hypothesis, layout=shown.layout(), on_click=steer_from.hear(query, trace, hypothesis))
    steer_from.offer([query])


main()
