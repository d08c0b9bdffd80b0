"""What the start page shows before any model is loaded: a stored trace that plays, a sentence to type, a card for each lab."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from demo import examples, state
from demo.app import lab, labs
from demo.blocks.drawing import HEIGHT, WIDTH
from demo.blocks.player import Showing, player
from demo.blocks.player import play as play_next
from demo.components.cards.mount import Card, cards
from demo.components.player.data import PlayerLayout
from demo.lab import Lab
from demo.query import Query
from demo.wording import plain

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

LEAD = "Watch a neural network translate word by word, and see where it looks for each word."
PLAYER_HEIGHT = 330


def queries() -> dict[str, Query]:
    """What is played here and drawn on the cards, by task: what those pages ask when nothing is changed, but for the sentence."""
    values = state.values_of("") | {state.SENTENCE.key: examples.START.text}
    asked = [query for name in ("translate", "transliterate") for query in lab(name).queries(values).values()]
    return {query.model_id.partition("/")[0]: query for query in asked}


def stored_traces() -> dict[str, DecodeTrace]:
    """The traces that came with the tool, by task. What is played here was recorded, so it needs no weights to be installed."""
    places = {task: examples.FOLDER / f"{examples.name_of(query)}.json" for task, query in queries().items()}
    return {task: examples.read(path) for task, path in places.items() if path.is_file()}


def ask() -> None:
    """A sentence of the visitor's own: Enter or the button translates it."""
    with st.form("own", border=False):
        left, right = st.columns([4, 1], vertical_alignment="bottom", gap="small")
        with left:
            text = st.text_input("Your own German sentence", key="own_sentence", placeholder="Type a German sentence", autocomplete="off")
        with right:
            asked = st.form_submit_button("Translate", width="stretch")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):  # on a phone the examples scroll sideways
        st.caption("Or take one:", width="content")
        for i, example in enumerate(examples.GERMAN[:3]):
            if st.button(plain(example.text), key=f"example_{i}", type="tertiary", help=plain(example.shows)):
                translate(example.text)
    if asked and text.strip():
        translate(text)
    elif asked:
        st.info("Type a German sentence first, or take one of these.", icon=":material/edit:")


def translate(text: str) -> None:
    """Go to Translate and play the answer there."""
    play_next()
    st.switch_page(lab("translate").file, query_params={state.SENTENCE.key: text})


def play(trace: DecodeTrace) -> None:
    """The recording, with what there is to see in it."""
    st.markdown(
        f"**{plain(trace.given_text)}** &ensp; Each row is one step; the stronger a cell’s colour, the more the step looks at that word."
    )
    player(trace, layout=Showing("start", autoplay=True).layout(PlayerLayout(height=PLAYER_HEIGHT)))


def show_labs(traces: dict[str, DecodeTrace]) -> None:
    """A card for every other page that is there."""
    others = {one.name: one for one in labs() if one.name != "start"}
    clicked = cards([_card(one, traces) for one in others.values()], size=(WIDTH, HEIGHT))
    if clicked:
        st.switch_page(others[clicked].file)


def _card(of: Lab, traces: dict[str, DecodeTrace]) -> Card:
    """Its picture needs the trace that it is drawn from."""
    drawn = of.picture(traces) if of.picture and "translation" in traces else []
    return Card(of.name, of.title, of.about, of.group, drawn)
