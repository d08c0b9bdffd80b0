"""Below the tree on the Steer page: one part at a time, chosen in a row of names."""

from __future__ import annotations

import streamlit as st

from demo import controls, state, steering_actions, steering_study, steering_view
from demo.steering_bench import Bench


def parts(bench: Bench) -> None:
    part = controls.segments(state.PART)
    if part == "explanation":
        steering_study.explanation(bench)
    elif part == "beam sizes":
        steering_study.beam_sizes(bench)
    elif part == "whose error":
        steering_study.whose_error(bench)
    else:
        beside_the_player(bench, part)


def beside_the_player(bench: Bench, part: str) -> None:
    """The player of the chosen path, and what can be done to it."""
    left, right = st.columns(2, gap="medium")
    with left:
        steering_view.player(bench)
    with right:
        if part == "play":
            steering_view.ranked(bench)
        elif part == "force a word":
            steering_actions.force_a_word(bench)
        else:
            steering_actions.move_attention(bench)
    if part == "force a word" and state.current(state.EVERY_WORD):
        steering_actions.word_by_word(bench)
    if part == "move attention":
        steering_actions.oracle(bench)
