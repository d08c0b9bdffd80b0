"""How it works: the equations of the step under the cursor, with that step's own numbers in them."""

from __future__ import annotations

import streamlit as st

from demo import assets, state
from demo.assets import SMALL_SIDE
from demo.blocks import widgets
from demo.components.player.data import PlayerLayout, player_data
from demo.components.player.mount import attention_player, clicked, reported_options
from demo.labs.how_it_works import blocks, source, view
from demo.query import Query


def main() -> None:
    query = source.asked()
    if query is not None:
        show(query)


def show(query: Query) -> None:
    """The player on the left, and what its step computes on the right; the six parts below."""
    shown = widgets.showing("how_it_works", query)
    trace = widgets.trace_of(query)
    widgets.load(query.model_id)
    hypothesis = widgets.hypothesis_of(trace)
    left, right = st.columns([4, 5], gap="medium")
    with left:
        layout = PlayerLayout(height=420, panel=False, autoplay=shown.autoplay, round=shown.round)
        attention_player(
            player_data(trace, hypothesis, variant=query.model_id, image_url=assets.url(query.asset, SMALL_SIDE)),
            key="player",
            options=state.player_options(),
            layout=layout,
            on_options=remember,
            on_click=lambda: view.take_click(trace, hypothesis, clicked("player")),
        )
    seen = view.view(query, trace, hypothesis)
    with right:
        blocks.header(seen)
        with st.container(height=540, border=False):
            blocks.equations(seen)
    blocks.parts(seen, query.model_id)


def remember() -> None:
    options = reported_options("player")
    if options is not None:
        state.remember_player(options)


main()
