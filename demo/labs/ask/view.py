"""The blocks of the page: the photo with the question and the answer, the likeliest answers, and what is known without a photo."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import streamlit as st

from demo import state
from demo.blocks import answer, steer_from
from demo.blocks.export_menu import export_menu
from demo.blocks.player import player, showing
from demo.components.outputs.mount import Figure, Row, output_line, output_table
from demo.components.player.data import PlayerLayout
from demo.given import assets
from demo.lab import Queries
from demo.labs.ask import BLIND, LAB
from demo.wording import chance, plain, quote

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

LOOKED = "Over each word: where the model looked while the word before it went in; over the answer, while the question’s end did."
PHOTO_HEIGHT = 320  # pixels: at 1280 x 720 the controls are in sight
SEEN = Figure("p", tip="The probability of the whole answer, with the photo and the question.")
UNSEEN = Figure(
    "no photo",
    tip="What a model says that has never seen a photo: so much of the answer is in the question alone. –: not among its ten likeliest.",
)


def result(queries: Queries) -> DecodeTrace:
    """The answer, the player, and the candidates beside what the question alone tells."""
    query = next(iter(queries.values()))
    shown = showing(LAB.name, query, opens=True)
    trace = answer.trace_of(query)
    blind = answer.trace_of(queries[BLIND]) if BLIND in queries else None
    hypothesis = answer.hypothesis_of(trace)
    left, right = st.columns([5, 4], gap="large")
    with right:
        said, taken = st.columns([3, 2], vertical_alignment="center", gap="small")
        with said:
            output_line(trace.hypotheses[hypothesis].answer, key="result", language="en")
        with taken:
            export_menu(trace, hypothesis, asset=query.asset)
        candidates(trace, hypothesis, blind)
    with left, st.container(key="asked_player"):  # its room is kept, as a photo's is
        layout = shown.layout(PlayerLayout(height=PHOTO_HEIGHT, panel=False))
        hear = steer_from.hear(query, trace, hypothesis)
        player(trace, hypothesis, asset=query.asset, layout=layout, actions=steer_from.actions(query), on_click=hear)
    steer_from.lead()
    assert query.asset is not None
    st.caption(plain(f"{LOOKED} Photo: {assets.credit(query.asset)}. {answer.learnt(query.model_id)}"))
    return trace


def chances(trace: DecodeTrace) -> dict[str, float]:
    """The answers with their probabilities given the question, the likeliest first; one that can be cut in several ways counts as all."""
    found: dict[str, float] = {}
    for place, one in enumerate(trace.hypotheses):
        given = trace.path(place)[trace.prompt - 1].total if trace.prompt else 0.0
        found[one.answer] = found.get(one.answer, 0.0) + math.exp(one.total - given)
    return found


def candidates(trace: DecodeTrace, hypothesis: int, blind: DecodeTrace | None) -> None:
    """A bar for each answer; beside it what it would get without the photo. A click plays it."""
    seen, usual = chances(trace), {} if blind is None else chances(blind)
    columns = (SEEN, UNSEEN) if usual and not state.simple() else (SEEN,)
    rows = []
    for place, one in enumerate(trace.hypotheses):
        both = (seen[one.answer], usual.get(one.answer))[: len(columns)]
        values = tuple("–" if p is None else chance(p) for p in both)  # – : not among the likeliest that it gave
        rows.append(Row("", one.answer, values, bars=both, chosen=place == hypothesis))
    note = told(trace.hypotheses[0].answer, usual)

    def hear() -> None:
        answer.choose_hypothesis("answers")

    output_table(rows, columns, key="answers", title="Likeliest answers", note=note, header="answer", on_choose=hear)


def told(said: str, usual: dict[str, float]) -> str:
    """How much of the answer is in the question, in words."""
    if not usual:
        return ""
    first, p = next(iter(usual.items()))
    if first == said:
        return f"A model that sees no photo says the same, with {chance(p)}: this much is in the question alone."
    return f"A model that sees no photo says {quote(first)}, with {chance(p)}: the photo has changed the answer."
