"""What can be done on the Steer page: force a word, choose every word, move the attention, play the oracle."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

from demo import controls, state, wording
from demo.components.events import choice
from demo.components.eye_painter.mount import eye_painter, row_painter_data
from demo.components.outputs.mount import Figure, Row, output_table
from demo.components.row_editor.mount import RowChange, row_change, row_data, row_editor
from demo.given import assets
from demo.given.assets import SMALL_SIDE
from demo.labs.steer import bench as steering_bench
from demo.labs.steer.bench import Bench
from demo.labs.steer.edits import force, hide, put_row, remove_row
from demo.labs.steer.view import language_of
from demo.query import Asset
from demo.wording import plain, signed, told_apart
from seq2seq_core.errors import InputError
from seq2seq_core.trace.steering import Steering

# -- force a word ---------------------------------------------------------------------------------------------------------


def step_title(bench: Bench) -> str:
    before = bench.before()
    place = bench.named(bench.step).capitalize()
    return f"{place}, after “{before}”" if before else f"{place}, at the beginning"


def step_line(bench: Bench) -> None:
    """Which step it is, and what is said there: where the player stands."""
    st.markdown(f"{plain(step_title(bench))}: **{plain(bench.said())}**")


def candidates(bench: Bench) -> None:
    """The distribution at the step; a click forces one of its tokens."""
    path = bench.played.path()
    node = path[min(bench.step, len(path) - 1)]
    chances = [math.exp(one.logprob) for one in node.candidates]
    told = told_apart(chances, [f"{chance:.2f}" for chance in chances])
    figures = (Figure("p", tip="Probability after these words."), Figure("log p", tip="Its natural logarithm."))[
        : 1 if state.simple() else 2
    ]
    rows = [
        Row("", wording.token(one.token), (said, signed(one.logprob))[: len(figures)], share=chance, chosen=one.token_id == node.token_id)
        for one, chance, said in zip(node.candidates, chances, told, strict=True)
    ]

    def take() -> None:
        row = choice("candidates", len(node.candidates))
        if row is not None:
            one = node.candidates[row]
            say(bench, (one.token_id,), wording.token(one.token))

    title, language = step_title(bench), language_of(bench)
    output_table(rows, figures, key="candidates", title=title, header="click to force", on_choose=take, language=language)


def say(bench: Bench, tokens: tuple[int, ...], word: str) -> None:
    """Force tokens at the step; when every word is chosen by hand, go on to the next step."""
    onward = len(tokens) if state.current(state.EVERY_WORD) else 0
    steering_bench.apply(
        bench, lambda: force(bench.steering, bench.kept, tokens), f"“{word}” forced as {bench.named(bench.step)}", bench.step + onward
    )


def own_word(bench: Bench) -> None:
    """Any word at all, typed."""

    def take() -> None:
        word = st.session_state.get("typed_word", "")
        try:
            tokens = bench.pipeline.prefix(word).prefix
        except InputError as error:
            st.session_state[steering_bench.REFUSED] = str(error)
            return
        if tokens:
            st.session_state["typed_word"] = ""
            say(bench, tokens, word.strip())

    st.text_input("Or type any word, and press Enter", key="typed_word", on_change=take, placeholder="blue")


def force_a_word(bench: Bench) -> None:
    step_line(bench)
    candidates(bench)
    own_word(bench)
    controls.flag(state.EVERY_WORD)


def word_by_word(bench: Bench) -> None:
    """What the student's words have cost so far, beside the model's own output."""
    mine, own = bench.trace.path(), bench.free.path()
    done = len(bench.steering.prefix)
    rows = []
    for step, node in enumerate(mine[:done]):
        other = own[min(step, len(own) - 1)]
        values = (signed(node.logprob), signed(node.total), wording.token(other.token) if step < len(own) else "", signed(other.total))
        rows.append(Row(str(step + 1), wording.token(node.token), (*values, signed(node.total - other.total))))
    columns = (
        Figure("log p"), Figure("your total", tip="Sum of the log-probabilities so far."), Figure("model says"),
        Figure("its total"), Figure("behind", tip="Your total less the model's at the same step."),
    )  # fmt: skip
    if rows:
        end = "" if mine[done - 1].token == wording.END else f"The model would go on: “{_rest(bench, done)}”"
        output_table(rows, columns, key="word_by_word", title="Your words against the model's", header="your word", note=end)


def _rest(bench: Bench, done: int) -> str:
    return bench.pipeline.target_tokenizer.decode(list(bench.trace.token_ids()[done:])).strip()


# -- attention ------------------------------------------------------------------------------------------------------------


def move_attention(bench: Bench) -> None:
    """The row of the step: bars to drag, or the cells of a picture to paint."""
    trace = bench.played
    if trace.attention().shape[1] == 0:
        st.info("This model has no attention row to change: it receives one vector. Choose another model.", icon=":material/info:")
        return
    row = trace.attention()[bench.step]
    edit = bench.steering.row_at(bench.step)
    step_line(bench)
    if bench.asset is not None:
        paint_cells(bench, bench.asset, row.tolist())
        return
    data = row_data(
        trace.parts[0].labels,
        row.tolist(),
        own_row(bench),
        step=bench.step,
        hidden=bench.steering.hidden,
        onward=bool(edit and edit.onward),
    )
    row_editor(data, key="row", on_change=lambda: take_row(bench, "row"))


def paint_cells(bench: Bench, asset: Asset, row: list[float]) -> None:
    """The same on the grid of a photo, a spectrogram or a film strip."""
    part, edit = bench.played.parts[0], bench.steering.row_at(bench.step)
    data = row_painter_data(
        assets.url(asset, SMALL_SIDE), part, row, own_row(bench),
        step=bench.step, block=bench.steering.hidden, edited=edit is not None, onward=bool(edit and edit.onward),
    )  # fmt: skip
    eye_painter(data, key="cells", on_change=lambda: take_row(bench, "cells"))


def own_row(bench: Bench) -> list[float]:
    """The model's own row at the step, after the words before it and with the same words hidden."""
    if not bench.steering.rows:
        weights: list[float] = bench.played.attention()[bench.step].tolist()
        return weights
    rows = tuple(row for row in bench.steering.rows if row.step < bench.step)
    plain_rows = replace(bench.steering, rows=rows, prefix=(), tokens=())
    target = bench.tokens[: bench.step + 1]
    forced = bench.pipeline.score(bench.encoded(), target, steering=plain_rows)
    again: list[float] = forced.attention()[bench.step].tolist()
    return again


def masked(bench: Bench, change: RowChange) -> Steering:
    """Other masked positions, and with them perhaps another row."""
    steering = hide(bench.steering, change.hidden or ())
    if change.row is None:
        return steering
    return put_row(steering, bench.tokens[: change.step], change.row, onward=change.onward)


def take_row(bench: Bench, key: str) -> None:
    change = row_change(key)
    if change is None:
        return
    if change.hidden is not None:
        steering_bench.apply(bench, lambda: masked(bench, change), "what is masked was changed", bench.step)
    elif change.row is None:
        steering_bench.apply(bench, lambda: remove_row(bench.steering, change.step, bench.own), "the model's own row again", change.step)
    else:
        weights = change.row
        steering_bench.apply(
            bench, lambda: put_row(bench.steering, bench.tokens[: change.step], weights, onward=change.onward),
            f"attention moved at {bench.named(change.step)}", change.step,
        )  # fmt: skip
