"""The toy on the Steer page: the exact best output by exhaustive search, beside greedy and beam."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from demo import resources
from demo.blocks.answer import LOG_P
from demo.components.outputs.mount import Figure, Row, output_table
from demo.visitors.kept import kept
from demo.wording import signed
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.pipeline import Pipeline

LETTERS = 3


@kept(1)
def _toy() -> Pipeline:
    from seq2seq_core.toys.search import toy_pipeline

    resources.prepare()
    with resources.my_turn():
        return toy_pipeline()


def toy_search() -> None:
    from seq2seq_core.toys.search import search_all

    source = st.text_input("Toy: letters a, b, c to write backwards", "abacab", key="toy_source", max_chars=6)
    try:
        with st.spinner("A toy model learns to write letters backwards"):
            model = _toy()
        with resources.my_turn():
            found = search_all(model, source.strip())
    except InputError as error:
        st.info(str(error), icon=":material/edit:")
        return
    best = found.found[0]
    rows = [
        Row(one.name, one.output, (signed(one.total), f"{one.looked_at:,}", "" if one.total > best.total - 1e-4 else "search error"))
        for one in found.found
    ]
    columns = (LOG_P, Figure("looked at", tip="Whole sequences for the exhaustive search, continuations for a beam."), Figure(""))
    note = (
        f"{best.looked_at:,} sequences of at most L = {found.limit} tokens were visited; with D = {LETTERS} letters and the two signs, "
        f"(D + 2)^L = {found.upper:,}."
    )
    output_table(rows, columns, key="toy", title="The exact best, and what a search finds", note=note)
