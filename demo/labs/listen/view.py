"""The blocks of the Listen page: the number with its player, how its attention moves, and what else might have been said."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from demo import resources, state
from demo.blocks import answer, steer_from
from demo.blocks.comparison import attentions
from demo.blocks.player import player, showing
from demo.blocks.ways_in import recording
from demo.components.player.data import PlayerLayout
from demo.given import recordings
from demo.labs.listen import LAB, TASK
from demo.query import Query
from demo.wording import chance, plain
from seq2seq_core.study.measures import onward

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

HEIGHT = 300  # pixels
UNSURE = 0.7  # the mean probability (geometric) of the digits, below which the page says that they are guessed


def result(query: Query) -> DecodeTrace:
    """The number, its player, and the files one can take along."""
    shown = showing(LAB.name, query, opens=False)
    trace = answer.trace_of(query)
    hypothesis = answer.hypothesis_of(trace)
    answer.result_line(trace, hypothesis, asset=query.asset, note=doubt(trace, hypothesis))
    with st.container(key="sound_player"):  # its room is kept, as a photo's is
        layout, hear = shown.layout(PlayerLayout(height=HEIGHT)), steer_from.hear(query, trace, hypothesis)
        player(trace, hypothesis, asset=query.asset, layout=layout, actions=steer_from.actions(query), on_click=hear)
    steer_from.lead()
    said = [moves(trace, hypothesis), recording.cut(), f"Recording: {recordings.credit(query.asset)}." if query.asset else ""]
    st.caption(plain(" ".join(filter(None, said))))
    if not state.simple():
        answer.n_best(trace, hypothesis)
    if "none" in attentions(resources.installed(TASK)):
        values = {state.TASK.key: TASK, state.BASE.key: "none", state.OTHER.key: "additive"}
        st.page_link(
            "pages/bottleneck.py", label="Longer numbers, with and without attention", icon=":material/compress:", query_params=values
        )
    return trace


def doubt(trace: DecodeTrace, hypothesis: int = 0) -> str:
    """Whether the model is unsure of what it heard, in words; nothing when it is not."""
    path = [node for node in trace.path(hypothesis) if node.token_id > 3]
    if not path:
        return "No digit was heard: the models know the English digits zero to nine, said one by one, and nothing else."
    average = math.exp(sum(node.logprob for node in path) / len(path))
    if average >= UNSURE:
        return ""
    return (
        f"The model is guessing: its digits have a probability of {chance(average)} on average. It knows the English digits zero to nine, "
        "said one by one; music, noise and other words are digits to it too."
    )


def moves(trace: DecodeTrace, hypothesis: int = 0) -> str:
    """How the attention goes through the sound."""
    words = [step for step, node in enumerate(trace.path(hypothesis)) if node.token_id > 3]
    rows = trace.attention(hypothesis)
    if not rows.shape[1]:
        return "This model has no map: it hears all of the number first, and writes it down from one vector."
    share = onward(np.asarray(rows[words])) if words else None
    if share is None:
        return ""
    steps = len(words) - 1
    onward_steps = round(share * steps)
    if onward_steps == steps:
        return "Nobody told the attention to go from left to right, and it does: every digit is looked for later than the one before."
    return f"The attention goes from left to right in {onward_steps} of {steps} steps."
