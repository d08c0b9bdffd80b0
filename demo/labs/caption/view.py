"""The blocks of the Caption page: the result with its player, and what one can go on with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from demo import assets, controls, resources, state
from demo.blocks import answer, comparison, steer_from
from demo.blocks.player import Beside, player, showing, together
from demo.components.outputs.mount import output_table
from demo.components.player.data import PlayerLayout
from demo.lab import Queries, Values, attention_of
from demo.labs.caption import LAB, TASK
from demo.query import Query
from demo.wording import plain

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

PHOTO_HEIGHT, SMALL_HEIGHT = 430, 280  # pixels
LEARNT = (
    "These models learnt from 8,000 photos, mostly of people, dogs and outdoor scenes (Flickr8k: 6,000 to learn from, 1,000 to choose by). "
    "They will be wrong about much else, and they say it with the same confidence."
)


def result(query: Query) -> DecodeTrace:
    """The caption, its player with one picture per word, and the files one can take along."""
    shown = showing(LAB.name, query)
    trace = answer.trace_of(query)
    hypothesis = answer.hypothesis_of(trace)
    answer.result_line(trace, hypothesis, asset=query.asset)
    layout = shown.layout(PlayerLayout(height=PHOTO_HEIGHT))
    hear = steer_from.hear(query, trace, hypothesis)
    player(trace, hypothesis, asset=query.asset, layout=layout, actions=steer_from.actions(query), on_click=hear)
    steer_from.lead()
    if query.asset:
        st.caption(f"Photo: {plain(assets.credit(query.asset))}. {LEARNT}")
    return trace


def beside(queries: Queries, *, group: str) -> None:
    """Several captions of one photo, under one cursor."""
    entries = comparison.answers(queries)
    parted = comparison.partings([entry.trace for entry in entries])
    shown = [
        Beside(entry.name, entry.trace, entry.info.variant, queries[entry.name].asset, step)
        for entry, step in zip(entries, parted, strict=True)
    ]
    options = replace(state.player_options(), step=None)
    together(shown, group=group, most=len(shown), heights=(SMALL_HEIGHT, SMALL_HEIGHT), options=options)
    output_table(comparison.rows(entries, parted), comparison.columns(entries[0]), key=f"{group}_table", title="Captions")


def variants(values: Values) -> None:
    """The same photo through several models."""
    chosen = controls.several(state.PHOTO_MODELS, [info.variant for info in resources.installed(TASK)])
    if not chosen:
        st.info("Choose at least one variant.", icon=":material/view_column:")
        return
    queries = LAB.queries({**values, state.PHOTO_MODELS.key: chosen})
    for query in queries.values():
        answer.load(query.model_id)
    beside(queries, group="variants")


def glimpses(query: Query, values: Values) -> None:
    """Hard attention: where it drew its glimpses, beside the exact expectation over all of them."""
    if attention_of(query.model_id) != "hard":
        st.info("Choose a model with hard attention above: it looks at one cell of the grid for each word.", icon=":material/visibility:")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button("New seed", key="new_seed", icon=":material/casino:", on_click=_new_seed)
        seed = state.current(state.SEED)
        st.caption(f"Seed {seed}. Left: each word saw only its numbered spot. Right: each word saw every cell, weighted by its chance.")
    beside(LAB.queries(values), group="glimpses")


def _new_seed() -> None:
    state.assign(state.SEED, (state.current(state.SEED) + 1) % state.SEED.high)
