"""One training step in slow motion: the gradient's way back through three cells, with and without attention."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from demo import controls, state
from demo.colours import DARK, LIGHT
from demo.components.training.backward import backward_picture
from demo.own.time_machine import answer
from demo.visitors.kept import kept
from demo.wording import END, plain
from seq2seq_core.config import WITHOUT_MAP, Cell
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.study.gradients import BackwardPass

NAMES: dict[Cell, str] = {"rnn": "RNN", "gru": "GRU", "lstm": "LSTM"}
LONGEST = 40  # symbols on either side


def block(preset: str, text: str) -> None:
    """The tab: two sliders, a choice of the time step, and three panels."""
    if preset in ("shapes", "own pairs", "own text"):
        st.info("The way back through time is shown for the five text tasks; choose one of them above.", icon=":material/info:")
        return
    right = answer(preset, text)
    if right is None or max(len(text), len(right)) > LONGEST:
        said = f"{plain(text[:60])} is no input of this task" if right is None else f"{plain(text[:60])} is too long for this picture"
        st.info(f"{said}; type another watched example.", icon=":material/info:")
        return
    st.write(
        "One example goes forward through six untrained models, and the loss of one time step comes back. "
        "A point is the size of the gradient that reaches a state: where it is near nothing, nothing is learnt."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        for field in (state.RECURRENT, state.GATE_BIAS):
            with st.container(width=250):
                controls.number(field)
        with st.container(width=250):
            controls.whole(state.LOSS_STEP)
    try:
        backward_picture(_data(preset, text, right), key="backward")
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _data(preset: str, text: str, right: str) -> dict[str, Any]:
    attention = state.current(state.ATTENTION)
    chosen = "additive" if attention in WITHOUT_MAP else attention
    return computed(
        preset, text, right, chosen, state.current(state.HIDDEN), state.current(state.TRAIN_SEED),
        state.current(state.RECURRENT), state.current(state.GATE_BIAS), state.current(state.LOSS_STEP),
    )  # fmt: skip


@kept(32)
def computed(
    preset: str, text: str, right: str, attention: str, hidden: int, seed: int, recurrent: float, bias: float, step: int
) -> dict[str, Any]:
    """Everything the browser draws, from six backward passes."""
    from demo import resources
    from seq2seq_core.study.gradients import backward_pass, fresh_model, with_cell
    from seq2seq_core.toys.job import Job, prepare

    resources.prepare()
    data, config = prepare(Job.from_dict({"toy": preset, "attention": attention, "hidden": 4 * round(hidden / 4)}))
    example = data.encode([(text, right)])[0]
    at = min(step or len(example.target), len(example.target)) - 1
    tokens = [data.target_tokenizer.token(i) for i in example.target]
    panels = []
    for cell, name in NAMES.items():
        lines = []
        for attends in (False, True):
            model = fresh_model(with_cell(config, cell, attends), seed, recurrent, bias)
            with resources.my_turn():
                lines.append(_line(backward_pass(model, example.source, example.target, at), attention if attends else "none"))
        panels.append({"name": name, "lines": lines})
    assert data.source_tokenizer is not None
    source = list(data.source_tokenizer.encode(text).tokens)
    return {"source": source, "target": [*tokens, END], "step": at, "panels": panels}


def _line(found: BackwardPass, name: str) -> dict[str, Any]:
    return {
        "name": "without attention" if name == "none" else f"with attention ({name})",
        "colours": {"light": LIGHT.variant(name), "dark": DARK.variant(name)},
        "losses": [round(loss, 3) for loss in found.losses],
        "encoder": [float(f"{norm:.3g}") for norm in found.encoder],
        "decoder": [float(f"{norm:.3g}") for norm in found.decoder],
    }
