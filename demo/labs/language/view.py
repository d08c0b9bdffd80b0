"""The Language model page: its heading and parts, and generating from a beginning or from nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from demo import controls, examples, resources, state
from demo.blocks import answer
from demo.blocks.heading import heading as titled
from demo.blocks.lettering import lettering, states, written
from demo.blocks.player import player, showing
from demo.blocks.source import no_model, source_row
from demo.components.outputs.mount import Figure, Row, output_table
from demo.components.player.data import PlayerLayout
from demo.examples import Example
from demo.lab import info_of, named
from demo.labs.language import LAB, TASK, conditions, score, searches
from demo.labs.language.ways_on import go_to_score, write
from demo.query import Query
from demo.tasks import TASKS
from demo.wording import chance, piece, shortened, told_apart

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

PLAYER_HEIGHT = 330
SIMPLE = ("generate", "condition")
NEXT = 8  # candidates offered for the next piece
CHAIN_RULE = (
    r"$p(y_1 \dots y_T) = \prod_t p(y_t \mid y_1 \dots y_{t-1})$: each piece is chosen by what stands before it, and by nothing else."
)


def heading() -> str:
    """Title, examples and the parts; the name of the chosen one."""
    part = state.current(state.LANGUAGE_PART)
    sentences = part in ("score", "models")
    info = info_of(named(TASK, state.current(state.LANGUAGE_MODEL)))
    offered: tuple[Example, ...] = examples.ENGLISH if sentences else TASKS[TASK].examples(info.language if info else "")
    field = state.SCORED if sentences else state.BEGINNING
    if part == "condition":
        offered, field = examples.GERMAN[:3], state.SENTENCE
    titled(LAB.title, TASKS[TASK], offered, field)
    return controls.segments(state.LANGUAGE_PART, offered=state.offered(state.LANGUAGE_PART, SIMPLE))


def show(part: str) -> None:
    if not resources.installed(TASK):
        no_model(TASK)
        return
    parts: dict[str, Callable[[], None]] = {
        "generate": generate,
        "score": score.score,
        "searches": searches.searches,
        "models": score.models,
        "condition": conditions.conditions,
    }
    parts[part]()


def generate() -> None:
    """Go on from a beginning, in the player; and below it, piece by piece by hand."""
    source = source_row((TASK,), act="Go on" if state.simple() else "Decode")
    query = next(iter(LAB.queries(source.values).values()))
    shown = showing(LAB.name, query, opens=True)
    trace = answer.trace_of(query)
    hypothesis = answer.hypothesis_of(trace)
    answer.result_line(trace, hypothesis)
    layout = shown.layout(PlayerLayout(height=PLAYER_HEIGHT, letters=states()))
    player(trace, hypothesis, layout=layout, first_view="curves" if score.by_character(query) else "map")  # hundreds of bars are no text
    if not state.simple():
        rule_and_score(trace.text(hypothesis))
    left, right = st.columns(2, gap="medium")
    with left:
        next_piece(query, trace)
    if len(trace.hypotheses) > 1:
        with right:
            answer.n_best(trace, hypothesis)


def rule_and_score(said: str) -> None:
    """By what each piece was chosen, and the way to the score of them all."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown(written(CHAIN_RULE), width="stretch")
        lettering()
        st.button("Score this sentence", key="score_it", on_click=go_to_score, args=(said,), disabled=not said.strip())


def next_piece(query: Query, trace: DecodeTrace) -> None:
    """The distribution after the beginning; a click writes that piece."""
    begun, path, plainly = trace.prompt, trace.path(), state.simple()
    best = path[begun].candidates[:NEXT]
    chances = [math.exp(one.logprob) for one in best]
    told = told_apart(chances, [*map(chance, chances)])
    rows = [
        Row(str(i + 1), piece(one.token), () if plainly else (said,), share=p, chosen=one.token_id == path[begun].token_id)
        for i, (one, p, said) in enumerate(zip(best, chances, told, strict=True))
    ]
    after = f"after “{shortened(query.prompt, 44)}”" if query.prompt else "at the start"
    probability = Figure("p", tip="Of this piece, given what stands before it; all pieces of the vocabulary together have 1.")
    output_table(
        rows, () if plainly else (probability,), key="next_piece", title=f"The next piece {after}", header="piece",
        note="Choose one and it is written" + ("." if plainly else "; the end takes the sentence to its score."),
        on_choose=lambda: write("next_piece", query, [one.token_id for one in best]),
    )  # fmt: skip
