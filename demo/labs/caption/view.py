"""The blocks of the Caption page: the result with its player, and what one can go on with."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from demo import controls, resources, state
from demo.blocks import answer, comparison, steer_from
from demo.blocks.player import Beside, player, showing, together
from demo.components.player.data import PlayerLayout
from demo.given import assets, photos
from demo.lab import Queries, Values, attention_of
from demo.labs.caption import LAB, TASK
from demo.query import Query
from demo.wording import chance, plain, quote

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

PHOTO_HEIGHT, SMALL_HEIGHT = 360, 280  # pixels: with the picture of each word below it, a page of 900 shows all
UNSURE = 0.42  # the mean probability (geometric) of a caption's words, below which the page says that they are guessed


def result(query: Query) -> DecodeTrace:
    """The caption, its player with one picture per word, and the files one can take along."""
    shown = showing(LAB.name, query, opens=True)
    trace = answer.trace_of(query)
    hypothesis = answer.hypothesis_of(trace)
    answer.result_line(trace, hypothesis, asset=query.asset, note=guessing(trace, hypothesis))
    layout = shown.layout(PlayerLayout(height=PHOTO_HEIGHT))
    hear = steer_from.hear(query, trace, hypothesis)
    with st.container(key="photo_player"):  # its room is kept, so that what stands below it does not jump as it comes
        player(trace, hypothesis, asset=query.asset, layout=layout, actions=steer_from.actions(query), on_click=hear)
    steer_from.lead()
    if query.asset:
        told = (f"Photo: {assets.credit(query.asset)}.", answer.learnt(query.model_id), photos.note(query.asset))
        st.caption(plain(" ".join(filter(None, told))))
    return trace


def guessing(trace: DecodeTrace, hypothesis: int = 0) -> str:
    """Whether the model is unsure of its words, in words; nothing when it is not."""
    words = [(one.word, one.p) for one in answer.word_chances(trace, hypothesis)]
    if not words:
        return ""
    average = math.exp(sum(math.log(max(p, 1e-12)) for _, p in words) / len(words))
    if average >= UNSURE:
        return ""
    least = sorted(words, key=lambda word: word[1])[:2]
    named = " and ".join(f"{quote(word)} {chance(p)}" for word, p in least)
    return f"The model is guessing: its words have a probability of {chance(average)} on average, {named} least. Do not believe them."


def beside(queries: Queries, *, group: str) -> None:
    """Several captions of one photo, under one cursor."""
    entries = comparison.answers(queries)
    parted = comparison.partings([entry.trace for entry in entries])
    shown = [
        Beside(entry.name, entry.trace, entry.info.variant, queries[entry.name].asset, step)
        for entry, step in zip(entries, parted, strict=True)
    ]
    options = replace(state.player_options(), step=None)
    together(shown, group=group, most=len(shown), height=SMALL_HEIGHT, options=options)
    if note := comparison.data_note(entries):
        st.caption(plain(note))
    comparison.table(entries, parted, key=f"{group}_table", title="Captions")


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
        st.info("Glimpses are hard attention’s: for each word it looks at one cell of the grid.", icon=":material/visibility:")
        hard = next((info.variant for info in resources.installed(TASK) if info.attention == "hard"), "")
        if hard:
            st.button("Take hard attention", key="take_hard", on_click=state.assign, args=(state.CAPTION_MODEL, hard))
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button("New seed", key="new_seed", icon=":material/casino:", on_click=_new_seed)
        seed = state.current(state.SEED)
        st.caption(f"Seed {seed}. Left: each word saw only its numbered spot. Right: each word saw every cell, weighted by its chance.")
    beside(LAB.queries(values), group="glimpses")


def _new_seed() -> None:
    state.assign(state.SEED, (state.current(state.SEED) + 1) % state.SEED.high)
