"""The blocks of the page: the pair and whose loss goes back, and the player of it."""

from __future__ import annotations

from typing import Any

import streamlit as st
from PIL import ImageOps
from PIL.Image import Image

from demo import controls, lab, letters, moments, state
from demo.blocks import answer
from demo.blocks.lettering import lettering
from demo.blocks.player import Showing
from demo.blocks.source import Source
from demo.components.training_step.mount import rested, training_step_player
from demo.given import assets, photos
from demo.labs.training_step.data import RATES, Asked, step_data
from demo.labs.training_step.pairs import CAPTIONS, right_answer
from demo.query import Asset, Query
from demo.visitors.kept import kept
from demo.wording import plain
from seq2seq_core.config import DecodeSettings

KEY = "training_step"
MOMENT_MENU = "moment_menu"
GREEDY = DecodeSettings(search="greedy")
DATA = ("dog", "mountains", "bear", "coffee")  # photos that show what the data are


def query_of(source: Source) -> Query:
    return lab.asked(source.task, source.values, settings=GREEDY)


def pair(source: Source, query: Query) -> Asked:
    """What is right, at which moment, and whose loss: beside the menus of the source."""
    answer.load(query.model_id)
    right = query.prompt if not query.given else state.current(state.RIGHT).strip() or right_answer(query)
    with source.place:
        moment = _moment(query.model_id)
        with st.container(width=150):
            step = controls.whole(state.LOSS_OF)
        lettering()
    return Asked(Query(query.model_id, query.given, query.prompt, GREEDY), right, step, moment)


def _moment(model_id: str) -> int:
    """The moment of the training that the link names, the nearest to it, or the end."""
    steps = moments.steps_of(model_id)
    asked = state.current(state.TRANSLATION_MOMENT)
    now = min(steps, key=lambda each: abs(each - asked)) if asked >= 0 else -1
    options = [-1, *steps]
    if st.session_state.get(MOMENT_MENU) not in options:
        st.session_state[MOMENT_MENU] = now
    chosen: int = st.selectbox(
        "Training", options, key=MOMENT_MENU, width=190,
        format_func=lambda each: "at its end" if each < 0 else f"after {each:,} steps" if each else "before its training",
        on_change=lambda: state.remember(state.TRANSLATION_MOMENT, st.session_state[MOMENT_MENU]),
    )  # fmt: skip
    return chosen


def journey(asked: Asked, shown: Showing) -> dict[str, Any]:
    """The player; it plays by itself what it was given once."""
    data = step_data(asked)
    nearest = min(range(len(RATES)), key=lambda i: abs(RATES[i] - state.current(state.UPDATE_RATE)))
    places = len(data["places"])

    def rest() -> None:
        found = rested(KEY, places, len(RATES))
        if found is not None:
            state.remember(state.STEP, -1 if found[0] == places - 1 else found[0])
            state.remember(state.UPDATE_RATE, RATES[found[1]])

    own = letters.signs(state.current(state.LETTERS))
    training_step_player(
        data | {"letters": own, "place": state.current(state.STEP), "rate": nearest, "autoplay": shown.autoplay, "round": shown.round},
        key=KEY,
        on_rest=rest,
    )
    return data


def captions() -> None:
    """What such data are: photos, each with several sentences; those of the lab, with sentences that were written for it."""
    st.subheader("Images with captions", anchor=False)
    st.caption(
        "Data of this kind: each photo has several captions, and each of them is a right answer, one word after the other. The photos that "
        "the models learnt from may not be shown; these are the lab’s own, with captions written for them."
    )
    for place, name in zip(st.columns(len(DATA), gap="medium"), DATA, strict=True):
        with place:
            st.image(small_photo(name), width="stretch", alt=assets.title(Asset("photo", name)))
            for one in CAPTIONS[name]:
                st.write(plain(one))


@kept(len(DATA))
def small_photo(name: str) -> Image:
    """Of one height and width, so that what is said stands in one row."""
    return ImageOps.fit(photos.sample_image(name), (320, 240))
