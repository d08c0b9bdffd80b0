"""The memory is a set, on the Steer page: the states in another order beside the words in another order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from demo import resources, state
from demo.blocks.answer import LOG_P
from demo.blocks.lettering import lettering, written
from demo.blocks.player import Beside, together
from demo.components.outputs.mount import Figure, Row, output_table
from demo.labs.steer.bench import Bench
from demo.labs.steer.view import language_of
from demo.query import Query
from demo.visitors.kept import kept
from demo.wording import chance, plural, signed

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

STUDIES_KEPT, STUDIES_MB = 64, 24
SAME_NATS = 0.001  # rounding
SAME = Figure("log p of the first", tip="What the model thinks of the output of the first line, in nats.")


@dataclass(frozen=True, slots=True)
class Shuffled:
    """One source three times: as it is, with its states in another order, and with its words, or the cells of a picture."""

    states: DecodeTrace
    words: DecodeTrace  # of a picture: its cells
    words_total: float  # log p of the output that the source as it is has
    moved: float  # the largest difference of a log p, when the states are shuffled
    weights: float  # and of a weight, when its columns are put back


@kept(STUDIES_KEPT, STUDIES_MB)
def _shuffled(query: Query, seed: int) -> Shuffled:
    from seq2seq_core.inputs.grid import Grid
    from seq2seq_core.study.shuffles import other_order, same_rows, shuffle_states, shuffle_words

    pipeline, encoded, own = resources.pipeline(query.model_id), resources.encoded(query), resources.answer(query)
    order = other_order(own.positions, seed)
    part = encoded.parts[0]
    with resources.my_turn():
        moved = shuffle_states(encoded, order)
        states = pipeline.decode(moved, query.settings, prompt=query.prompt)
        forced, again = (pipeline.score(each, own.token_ids()) for each in (encoded, moved))
        if part.grid is None:
            given: str | Grid = shuffle_words(part, seed)
        else:
            features = encoded.features[0]
            assert features is not None
            given = Grid(features[list(order)], part.grid, part.size or (1, 1), part.labels)
        words = pipeline.decode(given, query.settings, prompt=query.prompt)
        total = pipeline.score(given, own.token_ids()).hypotheses[0].total
    return Shuffled(states, words, total, *same_rows(forced, again, order))


def shuffle(bench: Bench) -> None:
    """Three maps under one cursor, and what the shuffles did in numbers."""
    if len(bench.free.parts) != 1:
        st.info("The order of what this model reads is shuffled where it reads one thing; choose another model.", icon=":material/info:")
        return
    if bench.free.positions < 2:
        st.info("There is only one position here: nothing can be shuffled. Type more.", icon=":material/info:")
        return
    query = bench.query.free
    found = _shuffled(query, state.current(state.SHUFFLE))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown(written(said(bench, found)), width="stretch")
        lettering()
        st.button("Another order", icon=":material/shuffle:", on_click=_another)
    shown = [Beside("as it is", bench.free), Beside("states shuffled", found.states), Beside("words shuffled", found.words)]
    if bench.asset is None and bench.free.attention().shape[1]:
        together(shown, group="shuffle", height=300, options=replace(state.player_options(), words=False), keeps="cursor")
    table(bench, found)


def said(bench: Bench, found: Shuffled) -> str:
    """The point, with its number."""
    attends = bench.free.attention().shape[1] > 0
    states = (
        f"**The states $h_j$ in another order:** their columns move, and no log p changes by more than {chance(found.moved)}, "
        f"no weight by more than {chance(found.weights)}. To the decoder the memory is a set."
        if attends
        else "**This model has no map:** its decoder is given one vector, so the order of the states cannot matter to it."
    )
    own = bench.free.hypotheses[0].total
    change = found.words_total - own
    if bench.asset is None:
        return f"{states} **The words in another order:** {signed(change)} nat for the same output. The encoder reads them one by one."
    cells = f"{states} **The {plural(bench.cell)} in another order:** {signed(change)} nat for the same output."
    if abs(change) > SAME_NATS:
        return f"{cells} The encoder reads them one by one."
    return f"{cells} What reads the {bench.trace.parts[0].name} does not know where one lies, either."


def table(bench: Bench, found: Shuffled) -> None:
    own = bench.free.hypotheses[0]
    cells = f"{plural(bench.cell)} shuffled"
    lines = [
        ("as it is", bench.free, own.total),
        ("states shuffled", found.states, found.states.hypotheses[0].total),
        (cells, found.words, found.words_total),
    ]
    rows = [
        Row(lead, trace.text() or "(nothing)", (signed(trace.hypotheses[0].total), signed(total)), chosen=False)
        for lead, trace, total in lines
    ]
    read = "" if bench.asset is not None else f"What was read with its words shuffled: “{found.words.parts[0].text}”."
    output_table(rows, (LOG_P, SAME), key="shuffled", title="What is said of each", note=read, language=language_of(bench))


def _another() -> None:
    """Callback."""
    state.remember(state.SHUFFLE, state.current(state.SHUFFLE) % state.SHUFFLE.high + 1)
