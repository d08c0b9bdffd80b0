"""How it works: the whole run, drawn and in equations, with the numbers of the moment under the cursor."""

from __future__ import annotations

import streamlit as st

from demo.blocks import answer, lettering
from demo.blocks.player import player, showing
from demo.blocks.source import Source, source_row
from demo.components.player.data import PlayerLayout
from demo.labs.how_it_works import LAB, blocks, view
from demo.query import Query
from demo.tasks import TASKS


def main() -> None:
    source = source_row(tuple(TASKS), title=LAB.title)
    if source.ready():
        for query in LAB.queries(source.values).values():
            show(query, source)


def show(query: Query, source: Source) -> None:
    """The player on the left, and what its moment computes on the right; the six parts below."""
    shown = showing(LAB.name, query)
    trace = answer.trace_of(query)
    answer.load(query.model_id)
    hypothesis = answer.hypothesis_of(trace)
    left, right = st.columns([4, 5], gap="medium")
    with left, st.container(key="inside_player"):  # its room is kept while it comes
        player(
            trace, hypothesis, asset=query.asset, variant=query.model_id, first_view="network",
            layout=shown.layout(PlayerLayout(height=480, panel=False, reads=True, letters=lettering.states())),
            on_click=lambda click: view.take_click(trace, hypothesis, click),
        )  # fmt: skip
    with right:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            lettering.lettering()
            blocks.wiring(source)
        blocks.equations(query, hypothesis)
    with left, st.container(horizontal=True, gap="small"):  # after what the page is opened for
        blocks.position(trace, query.model_id)
        blocks.vocabulary(query.model_id)
    blocks.by_pytorch(query, trace, hypothesis)
    blocks.self_attention(query, trace, hypothesis)
    blocks.parts(query.model_id)
    blocks.numbers(query, hypothesis)


main()
