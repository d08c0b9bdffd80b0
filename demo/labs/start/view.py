"""What the start page shows before any model is loaded: a stored trace that plays, a sentence to type, three things to do, all labs."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import streamlit as st

from demo import examples, state
from demo.app import lab, labs
from demo.blocks.drawing import HEIGHT, WIDTH, line, text
from demo.blocks.pictures import drawn
from demo.blocks.player import Showing, player, without_end
from demo.blocks.player import play as play_next
from demo.components.cards.mount import Card, cards
from demo.components.player.data import PlayerLayout
from demo.examples import Example
from demo.lab import Shape
from demo.wording import plain

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

LEAD = "Watch a neural network translate, word by word: the stronger a colour, the more it looks there."
PLAYER_HEIGHT = 300
VERBS = (  # what to do next: a link, its name, and what happens
    ("caption", "Caption your photo", "Word by word, and where it looked."),
    ("steer?part=move attention", "Move its attention", "Look elsewhere, say another word."),
    ("train?preset=reverse", "Train one", "In twenty seconds it learns to look."),
)


def ask() -> None:
    """A sentence of the visitor's own: Enter or the button translates it. Who has no German takes one."""
    with st.form("own", border=False):
        left, right = st.columns([4, 1], vertical_alignment="bottom", gap="small")
        with left:
            text = st.text_input(
                "Your own German sentence", key="own_sentence", placeholder="Type a German sentence of your own", autocomplete="off",
                label_visibility="collapsed",
            )  # fmt: skip
        with right:
            asked = st.form_submit_button("Translate", width="stretch")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):  # on a phone the examples scroll sideways
        if st.button("Surprise me", key="surprise", icon=":material/casino:", help="A German sentence, another one each time."):
            translate(random.choice(examples.GERMAN).text)
        for i, example in enumerate(examples.GERMAN[:3]):
            if st.button(glossed(example), key=f"example_{i}", type="tertiary", help=plain(example.shows)):
                translate(example.text)
    if asked and text.strip():
        translate(text)
    elif asked:
        st.info("Type a German sentence first, or take one of these.", icon=":material/edit:")


def glossed(example: Example) -> str:
    """With its words in English, for who reads no German."""
    return f"{plain(example.text)} :gray[{plain(example.gloss)}]"


def translate(text: str) -> None:
    """Go to Translate and play the answer there."""
    play_next()
    st.switch_page(lab("translate").file, query_params={state.SENTENCE.key: text})


def play(trace: DecodeTrace) -> None:
    """The recording as far as its last word: it comes to rest on the finished map. The sentence stands above."""
    st.markdown(f"**{plain(trace.given_text)}** :gray[{plain(examples.START.gloss)}]")
    layout = Showing("start", autoplay=True).layout(PlayerLayout(height=PLAYER_HEIGHT, panel=False, tools=False))
    player(without_end(trace), key="start_player", layout=layout)


def verbs(traces: dict[str, DecodeTrace]) -> None:
    """Three things to do next, each with the picture of its page."""
    shown = {address: lab(address.partition("?")[0]) for address, _, _ in VERBS}
    pictures = {address: moved() if one.name == "steer" else drawn(one, traces) for address, one in shown.items()}
    made = [Card(address, title, about, "And now you", pictures[address]) for address, title, about in VERBS]
    clicked = cards(made, size=(WIDTH, HEIGHT), key="verbs", form="list")
    if clicked:
        query = clicked.partition("?")[2]
        st.switch_page(shown[clicked].file, query_params=dict([query.split("=")]) if query else None)


def moved() -> list[Shape]:
    """A row of attention with one bar lifted by hand, and the word that comes of it."""
    bars = [(0.12, "faint"), (0.2, "faint"), (0.85, "accent"), (0.3, "faint"), (0.1, "faint")]
    shapes = [line([(24 + 32 * i, 118), (24 + 32 * i, 116 - 100 * high)], role=role, width=22) for i, (high, role) in enumerate(bars)]
    return [
        *shapes,
        line([(184, 70), (206, 70)], role="accent", width=4),
        text(218, 46, "table", size=34, role="quiet"),
        text(218, 98, "cat", size=40),
    ]


def show_labs(traces: dict[str, DecodeTrace]) -> None:
    """A card for every other page that is there."""
    others = {one.name: one for one in labs() if one.name != "start"}
    clicked = cards([Card(one.name, one.title, one.about, one.group, drawn(one, traces)) for one in others.values()], size=(WIDTH, HEIGHT))
    if clicked:
        st.switch_page(others[clicked].file)
