"""How it works: the equations of the step under the cursor, with that step's own numbers in them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from demo import assets, state
from demo.assets import SMALL_SIDE
from demo.blocks import widgets
from demo.components.player.data import PlayerLayout, PlayerOptions, player_data
from demo.components.player.mount import attention_player
from demo.labs.how_it_works import blocks, source, view
from demo.labs.how_it_works.source import Asked


def main() -> None:
    asked = source.asked()
    if asked is not None:
        show(asked)


def show(asked: Asked) -> None:
    """The player on the left, and what its step computes on the right; the six parts below."""
    request, photo = asked.request, asked.photo
    shown = widgets.showing("how_it_works", request)
    image = photo.image if photo else None
    trace = widgets.trace_of(request, image)
    widgets.load(request.model_id)
    hypothesis = widgets.hypothesis_of(trace)
    left, right = st.columns([4, 5], gap="medium")
    with left:
        layout = PlayerLayout(height=420, panel=False, autoplay=shown.autoplay, round=shown.round)
        url = assets.data_url(photo.name, SMALL_SIDE, photo.image) if photo else None
        attention_player(
            player_data(trace, hypothesis, variant=request.model_id, image_url=url),
            key="player",
            options=state.player_options(),
            layout=layout,
            on_options=remember,
            on_click=lambda: view.take_click(trace, hypothesis, reported("click")),
        )
    seen = view.view(request, trace, hypothesis, image)
    with right:
        blocks.header(seen)
        with st.container(height=540, border=False):
            blocks.equations(seen)
    blocks.parts(seen, request.model_id)


def reported(part: str) -> Any:
    return (st.session_state.get("player") or {}).get(part)


def remember() -> None:
    if reported("options"):
        state.remember_player(PlayerOptions.from_dict(reported("options")))


main()
