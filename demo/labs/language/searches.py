"""The same beginning gone on from in several ways, and what each way makes of the distribution it draws from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from demo import controls, resources, state
from demo.blocks import answer
from demo.blocks.answer import LOG_P
from demo.blocks.source import model_menu
from demo.components.events import choice
from demo.components.outputs.mount import Figure, Row, output_table
from demo.labs.language import LAB, TASK, WAYS
from demo.labs.language.score import PER_WORD, written
from demo.labs.language.ways_on import go_to_score, write
from demo.query import Query
from demo.tasks import TASKS
from demo.wording import END, chance, piece, shortened, signed

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

TIPS = {
    "greedy": "Always the most probable piece.",
    "temperature 0.5": "p^(1/0.5), made to sum to 1: what was likely becomes likelier.",
    "temperature 1": "The model's own distribution.",
    "temperature 1.5": "p^(1/1.5), made to sum to 1: flatter.",
    "top k = 5": "The five most probable pieces alone.",
    "top p = 0.5": "The most probable pieces that together reach 0.5.",
}
SHOWN = 10  # pieces of the distribution


def searches() -> None:
    left, middle, right = st.columns([5, 1.6, 1.4], vertical_alignment="bottom", gap="small")
    with left:
        beginning = controls.line(state.BEGINNING, placeholder="Empty: the model begins by itself").strip()
    with middle:
        variant = model_menu(TASKS[TASK])
    with right:
        st.button("Draw again", key="draw_again", icon=":material/casino:", on_click=draw_again, width="stretch")
    seed = state.current(state.SEED)
    queries = LAB.queries({**state.current_values(), state.LANGUAGE_MODEL.key: variant})
    first = next(iter(queries.values()))
    answer.load(first.model_id)
    traces = {name: resources.answer(query) for name, query in queries.items()}
    outputs(traces, beginning, seed)
    distributions(first)


def draw_again() -> None:
    state.remember(state.SEED, (state.current(state.SEED) + 1) % state.SEED.high)


def outputs(traces: dict[str, DecodeTrace], beginning: str, seed: int) -> None:
    """What each way wrote, with the score of the whole sentence."""
    from seq2seq_core.study.likelihood import output_perplexity

    rows = []
    for name, trace in traces.items():
        found = trace.hypotheses[0]
        cut = "" if trace.tokens()[-1] == END else " …"
        said = found.text[len(beginning) :] if beginning and found.text.startswith(beginning) else found.text
        text = f"…{said}{cut}" if beginning else f"{said}{cut}"
        rows.append(Row(name, text, (signed(found.total), written(output_perplexity(trace)), str(len(set(found.groups))))))
    words = Figure("words", tip="Of the whole sentence, its end included.")
    note = f"Scores are of the whole sentence, by the model itself. Sampling used seed {seed}. Choose a row to score it word by word."
    title = f"“{shortened(beginning, 60)}” …" if beginning else "From nothing"
    output_table(
        rows, (LOG_P, PER_WORD, words), key="outputs", title=title, header="goes on", note=note,
        on_choose=lambda: take([trace.text() for trace in traces.values()]),
    )  # fmt: skip


def take(texts: list[str]) -> None:
    row = choice("outputs", len(texts))
    if row is not None and texts[row].strip():
        go_to_score(texts[row])


def distributions(query: Query) -> None:
    """The next piece's distribution as each way of drawing sees it."""
    drawn = {name: way for name, way in WAYS.items() if way.search == "sample"}
    found = resources.chances(query, tuple(drawn.values()))
    own = found[list(drawn).index("temperature 1")]
    best = [int(i) for i in np.argsort(-own, kind="stable")[:SHOWN]]
    token = resources.pipeline(query.model_id).target_tokenizer.token
    columns = {"greedy": np.eye(1, len(own), best[0], dtype=own.dtype)[0]} | dict(zip(drawn, found, strict=True))
    rows = [
        Row(str(i + 1), piece(token(place)), tuple(cell(values[place]) for values in columns.values()),
            bars=tuple(float(values[place]) or None for values in columns.values()))
        for i, place in enumerate(best)
    ]  # fmt: skip
    left = [float(1 - sum(values[place] for place in best)) for values in columns.values()]
    rows.append(
        Row("", f"the other {len(own) - SHOWN:,}", tuple(cell(max(0.0, share)) for share in left), bars=tuple(max(0.0, s) for s in left))
    )
    after = f"after “{shortened(query.prompt, 44)}”" if query.prompt else "at the start"
    heads = tuple(Figure(name, tip=TIPS[name]) for name in columns)
    title = f"The next piece {after}, as it is drawn from"
    output_table(rows, heads, key="chances", title=title, header="piece", on_choose=lambda: write("chances", query, best))


def cell(p: float) -> str:
    return chance(float(p)) if p > 1e-6 else "0"
