"""What the start page shows before any model is loaded: a stored trace that plays, a sentence to type, a card for each lab."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from demo import examples, state
from demo.app import Lab, labs
from demo.blocks import widgets
from demo.components.cards.mount import Card, cards
from demo.components.player.data import PlayerLayout
from demo.labs.start.pictures import HEIGHT, WIDTH, picture
from demo.query import Query
from demo.state import BEAM, LENGTH, TRANSLATION_MODEL, TRANSLITERATION_MODEL
from demo.wording import plain
from seq2seq_core.config import DecodeSettings

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

LEAD = "Watch a neural network translate word by word, and see where it looks for each word."
PLAYER_HEIGHT = 330
QUERIES = {
    "translation": Query(
        f"translation/{TRANSLATION_MODEL.default}",
        (examples.START.text,),
        settings=DecodeSettings(beam_size=BEAM.default, length_penalty=LENGTH.default),
    ),
    "transliteration": Query(
        f"transliteration/{TRANSLITERATION_MODEL.default}",
        (examples.LATIN["Hindi"][0].text,),
        settings=DecodeSettings(beam_size=BEAM.default, length_penalty=0, hypotheses=5),
    ),
}


def stored_traces() -> dict[str, DecodeTrace]:
    """The traces that came with the tool, by task. What is played here was recorded, so it needs no weights to be installed."""
    places = {task: examples.FOLDER / f"{examples.name_of(query)}.json" for task, query in QUERIES.items()}
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
    page = next(lab for lab in labs() if lab.name == "translate")
    widgets.play()
    st.switch_page(page.file, query_params={state.SENTENCE.key: text})


def play(trace: DecodeTrace) -> None:
    """The recording, with what there is to see in it."""
    st.markdown(
        f"**{plain(trace.given_text)}** &ensp; Each row is one step; the stronger a cell’s colour, the more the step looks at that word."
    )
    widgets.player(trace, 0, widgets.Showing("start", autoplay=True), layout=PlayerLayout(height=PLAYER_HEIGHT))


def show_labs(traces: dict[str, DecodeTrace]) -> None:
    """A card for every other page that is there."""
    others = {lab.name: lab for lab in labs() if lab.name != "start"}
    clicked = cards([_card(lab, traces) for lab in others.values()], size=(WIDTH, HEIGHT))
    if clicked:
        st.switch_page(others[clicked].file)


def _card(lab: Lab, traces: dict[str, DecodeTrace]) -> Card:
    return Card(lab.name, lab.title, lab.about, lab.group, picture(lab.name, traces))
