"""How it works: the equations of the step under the cursor, with that step's own numbers in them."""

from __future__ import annotations

import streamlit as st

from demo import tasks
from demo.blocks import answer
from demo.blocks.player import player, showing
from demo.blocks.source import source_row
from demo.components.player.data import PlayerLayout
from demo.labs.how_it_works import LAB, blocks, view
from demo.query import Query


def main() -> None:
    source = source_row(tasks.reading(), title=LAB.title, search="popover")
    if source.ready():
        for query in LAB.queries(source.values).values():
            show(query)


def show(query: Query) -> None:
    """The player on the left, and what its step computes on the right; the six parts below."""
    shown = showing(LAB.name, query)
    trace = answer.trace_of(query)
    answer.load(query.model_id)
    hypothesis = answer.hypothesis_of(trace)
    left, right = st.columns([4, 5], gap="medium")
    with left:
        player(
            trace, hypothesis, asset=query.asset, variant=query.model_id, layout=shown.layout(PlayerLayout(height=420, panel=False)),
            on_click=lambda click: view.take_click(trace, hypothesis, click),
        )  # fmt: skip
    seen = view.view(query, trace, hypothesis)
    with right:
        blocks.header(seen)
        with st.container(height=540, border=False):
            blocks.equations(seen)
    blocks.parts(seen, query.model_id)


main()
