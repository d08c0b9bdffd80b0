"""The parts of the Steer page: one at a time, so that what is done and what it changed stand together on one screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from demo import state
from demo.labs.steer import actions, oracle, shuffle, study, view
from demo.labs.steer.bench import Bench

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

PLAY = state.PART.default
SIMPLE = (PLAY, "force a word", "move attention")
TREE, TREE_EDITED = 380, 300  # pixels of the tree beside the player, without and with the rows of an edit above
MAP, BESIDE, PHOTO = 400, 300, 270  # beside an editor: map and transport stand on a projector of 720 lines, below what an edit changed


def parts(bench: Bench, part: str, columns: Sequence[DeltaGenerator]) -> None:
    """`columns`: where the tree and the player stand side by side, the tree under its sliders."""
    if part == PLAY:
        tree_and_player(bench, columns)
        view.ranked(bench)
        return
    if part == "explanation":
        study.explanation(bench)
    elif part == "beam sizes":
        study.beam_sizes(bench)
    elif part == "whose error":
        study.whose_error(bench)
    elif part == "oracle":
        oracle.oracle(bench)
    elif part == "shuffle":
        shuffle.shuffle(bench)
    else:
        beside_the_player(bench, part)
    view.tree(bench)


def tree_and_player(bench: Bench, columns: Sequence[DeltaGenerator]) -> None:
    """A click on a node of the tree plays its path beside it."""
    left, right = columns
    with left:
        view.tree(bench, TREE_EDITED if bench.steering else TREE)
    with right:
        view.player(bench, MAP if bench.asset is None else PHOTO)


def beside_the_player(bench: Bench, part: str) -> None:
    """The player of the chosen path, and what can be done to it."""
    left, right = st.columns(2, gap="medium")
    with left:
        view.player(bench, BESIDE if bench.asset is None else PHOTO)
    with right:
        if part == "force a word":
            actions.force_a_word(bench)
        else:
            actions.move_attention(bench)
    if part == "force a word" and state.current(state.EVERY_WORD):
        actions.word_by_word(bench)
