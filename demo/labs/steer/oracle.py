"""The oracle on the Steer page: rows for a whole sentence by hand, and whether the model does better with them than with its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from demo import controls, state, wording
from demo.components.events import choice
from demo.components.eye_painter.mount import eye_painter, row_painter_data
from demo.components.outputs.mount import Figure, Row, output_table
from demo.components.row_editor.mount import all_rows, oracle_data, row_change, row_editor
from demo.given import assets
from demo.given.assets import SMALL_SIDE
from demo.labs.steer import bench as steering_bench
from demo.labs.steer.bench import Bench
from demo.labs.steer.edits import hide, put_all_rows
from demo.labs.steer.view import language_of, reference_field
from demo.query import Asset
from demo.wording import plain, signed

if TYPE_CHECKING:
    from seq2seq_core.trace.steering import Steering
    from seq2seq_core.trace.trace import DecodeTrace

SAME = 0.005  # nats: below this the verdict is that nothing changed
COLUMNS = (
    Figure("its own", tip="log p of the word with the model's own attention row."),
    Figure("yours", tip="log p of the word with the rows that you gave."),
    Figure("change", tip="Yours less its own, in nats."),
)


def oracle(bench: Bench) -> None:
    """The words are held fixed, so that only the rows differ; what is decoded freely with them stands above."""
    if not bench.free.attention().shape[1]:
        st.info("This model has no attention row to give: it receives one vector. Choose another model.", icon=":material/info:")
        return
    target = controls.line(reference_field(bench), placeholder="The words that are to be said; empty: the model's own output").strip()
    words = target or bench.own
    own, told = bench.told(words), bench.told(words, replace(bench.steering, prefix=(), tokens=()))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        if bench.asset is None:
            grid(bench, own, told)
        else:
            cells(bench, own, told, bench.asset)
    with right:
        verdict(bench, own, told)


def grid(bench: Bench, own: DecodeTrace, told: DecodeTrace) -> None:
    """One line per word, one column per source token."""
    given = [bench.steering.row_at(step) is not None for step in range(len(told.tokens()))]
    data = oracle_data(
        told.parts[0].labels, [wording.token(token) for token in told.tokens()], told.attention().tolist(), own.attention().tolist(),
        given, bench.steering.hidden,
    )  # fmt: skip

    def take() -> None:
        rows = all_rows("oracle")
        if rows is not None:
            said = "the oracle spoke at every step" if any(rows) else "the oracle is silent again"
            steering_bench.apply(bench, lambda: put_all_rows(bench.steering, rows), said, 0)
            return
        take_row(bench, "oracle")

    row_editor(data, key="oracle", on_change=take)


def cells(bench: Bench, own: DecodeTrace, told: DecodeTrace, asset: Asset) -> None:
    """The cells of one word; a click in the table chooses the word."""
    step, part = step_of(told), told.parts[0]
    before = f"{step + 1}  {wording.token(told.tokens()[step])}"
    st.markdown(f"Where to look for word **{plain(before)}**")
    data = row_painter_data(
        assets.url(asset, SMALL_SIDE), part,
        told.attention()[step].tolist(), own.attention()[step].tolist(),
        step=step, block=bench.steering.hidden, edited=bench.steering.row_at(step) is not None, reach=False,
    )  # fmt: skip
    eye_painter(data, key="oracle_cells", on_change=lambda: take_row(bench, "oracle_cells"))


def step_of(told: DecodeTrace) -> int:
    return min(state.current(state.ORACLE_STEP), len(told.tokens()) - 1)


def rows_given(steering: Steering, steps: int) -> list[tuple[float, ...] | None]:
    """The row that holds at each step; one that holds onward counts for every step it reaches."""
    found = [steering.row_at(step) for step in range(steps)]
    return [None if row is None else row.weights for row in found]


def take_row(bench: Bench, key: str) -> None:
    """Callback: one step's row is another, or the model's again; the rows of the other steps stay."""
    change = row_change(key)
    if change is None:
        return
    last = max([change.step, *(row.step for row in bench.steering.rows), len(bench.trace.tokens()) - 1])
    steering = bench.steering if change.hidden is None else hide(bench.steering, change.hidden)
    rows = rows_given(steering, last + 1)
    if change.hidden is None or change.row is not None:
        rows[change.step] = change.row
    steering_bench.apply(bench, lambda: put_all_rows(steering, rows), f"the oracle spoke at {bench.piece(change.step)}", change.step)


def verdict(bench: Bench, own: DecodeTrace, told: DecodeTrace) -> None:
    """Word by word and in all: what the model thinks of the same words with its own rows and with the given ones."""
    pairs = [(a.logprob, b.logprob) for a, b in zip(own.path(), told.path(), strict=True)]
    most = max((abs(b - a) for a, b in pairs), default=0.0) or 1.0
    picture, step = bench.asset is not None, step_of(told)
    rows = [
        Row(
            "●" if bench.steering.row_at(i) else "", f"{i + 1}  {wording.token(token)}", (signed(a), signed(b), changed(b - a)),
            bars=(None, None, (b - a) / most), chosen=picture and i == step,
        )
        for i, ((a, b), token) in enumerate(zip(pairs, told.tokens(), strict=True))
    ]  # fmt: skip
    totals = own.hypotheses[0].total, told.hypotheses[0].total
    rows.append(Row("", "in all", (*map(signed, totals), changed(totals[1] - totals[0]))))

    def choose() -> None:
        row = choice("oracle_words", len(pairs))
        if row is not None:
            state.remember(state.ORACLE_STEP, row)

    output_table(
        rows, COLUMNS, key="oracle_words", title=sentence(bench, totals), header="word", language=language_of(bench),
        on_choose=choose if picture else None,
        note=f"Dots: rows that you gave. {beside_the_free(bench, told)}",
    )  # fmt: skip


def beside_the_free(bench: Bench, told: DecodeTrace) -> str:
    """What stands above the table is not what it compares: free to choose, the model may find other words, and better ones."""
    held = "The words are held fixed in this table"
    if not (bench.steering.rows or bench.steering.hidden):
        return f"{held}; what the model says freely stands above."
    free = bench.ranking.ranked[0]
    if bench.trace.token_ids(node=free.node) == told.token_ids():
        return f"{held}; free to choose, the model says the same with your rows."
    text = bench.pipeline.target_tokenizer.decode(list(bench.trace.token_ids(node=free.node)))
    return f"{held}. Free to choose, the model says other words with your rows: “{text}”, log p {signed(free.total)}, as above."


def changed(difference: float) -> str:
    return "" if abs(difference) < SAME else f"{'+' if difference > 0 else ''}{signed(difference)}"


def sentence(bench: Bench, totals: Sequence[float]) -> str:
    """More or less probable, in one line."""
    own, told = totals
    if not (bench.steering.rows or bench.steering.hidden):
        return "Say where to look: are the same words more probable with your rows?"
    verdict = "as" if abs(told - own) < SAME else "more" if told > own else "less"
    return f"With your rows the same words are {verdict} probable: log p {signed(told)}, with the model’s own {signed(own)}"
