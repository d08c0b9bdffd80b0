"""The blocks of the Entailment page: the answer, how likely each of the three is, and the hypothesis as it looks at the premise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from demo import state
from demo.blocks import answer, steer_from
from demo.blocks.player import player, showing, without_end
from demo.blocks.shares import answered, explains, of_all, rows, shares
from demo.components.outputs.mount import Figure, output_table
from demo.components.player.data import PlayerLayout
from demo.lab import info_of
from demo.labs.entailment import LAB, alone
from demo.query import Query
from demo.wording import chance, plain

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

MEANS = {"entailment": "It follows.", "neutral": "It may be so or not.", "contradiction": "It cannot be so."}
USUAL = "Its reasons are learnt from 8,800 pairs of sentences, and often say what is usual, not what is true of these two."
HEIGHT = 310  # of the map, in pixels
OF_THREE = Figure("of three", tip="How the three answers share 1. At each step below, a probability is one among all words.")
OF_ALONE = Figure("alone", tip="By a model that has never seen a premise: so much is in the hypothesis alone.")


def show(query: Query) -> None:
    """The answer beside its bars; below it the words of the hypothesis, each over the premise, and at last the answer."""
    shown = showing(LAB.name, query)
    trace = answer.trace_of(query)
    blind = alone(query)
    guessed = shares(answer.trace_of(blind)) if blind else {}
    means = f"{MEANS.get(answered(trace), '')} Of all words, the three have {chance(of_all(trace))} together.".lstrip()
    answer.result_line(trace, 0, figures=(), note=means, beside=lambda: bars(trace, guessed))
    answer.unknown_signs(trace)
    player(
        without_end(trace),
        layout=shown.layout(PlayerLayout(height=HEIGHT)),
        actions=steer_from.actions(query),
        on_click=steer_from.hear(query, trace),
    )
    steer_from.lead()
    told = (answer.learnt(query.model_id), right(query.model_id), USUAL if explains(trace) else "")
    st.caption(plain(" ".join(filter(None, told))))


def right(model_id: str) -> str:
    """How often it is right, as its card has it, and what it misses most."""
    info = info_of(model_id)
    scores = info.card.get("scores", {}) if info else {}
    told = [f"{name} {found['accuracy']:.0f} %" for name, found in scores.items() if "accuracy" in found]
    return f"Of held-out pairs it answers rightly: {'; '.join(told)}. That one word was changed it often misses." if told else ""


def bars(trace: DecodeTrace, guessed: dict[str, float]) -> None:
    """One bar an answer, always in the same order; beside it what the hypothesis alone would give."""
    both = bool(guessed) and not state.simple()
    found = rows(trace, guessed) if both else rows(trace)
    output_table(found, (OF_THREE, OF_ALONE) if both else (OF_THREE,), key="answers", title="Three answers", header="answer")
