"""How it works: the equations of the step under the cursor, with that step's own numbers in them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from demo import controls, examples, resources, state, step_blocks, step_view, widgets
from demo.components.player import attention_player
from demo.components.player_data import PlayerLayout, PlayerOptions, player_data
from demo.fields import NameField
from demo.state import DecodeRequest

TASKS = {
    "translation": (state.SENTENCE, state.TRANSLATION_MODEL, examples.GERMAN[:3]),
    "transliteration": (state.WORD, state.TRANSLITERATION_MODEL, examples.LATIN["Hindi"][:3]),
}


def main() -> None:
    tasks = [task for task in TASKS if resources.installed(task)]
    task = state.current(state.TASK) if state.current(state.TASK) in tasks else "translation"
    field, model, offered = TASKS[task]
    widgets.heading("How it works", offered, field)
    text = widgets.input_row(field, placeholder="Type something, or take an example")
    model_id = settings_row(tasks, task, model)
    if not model_id:
        widgets.no_model(task)
    elif not text.strip():
        st.info("Type something to decode, or take one of the examples above.", icon=":material/edit:")
    else:
        show(DecodeRequest(model_id, text, settings=state.current_settings()))


def settings_row(tasks: list[str], task: str, model: NameField) -> str:
    """Which model, and how it decodes: the model's id."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if len(tasks) > 1:
            with st.container(width=190):
                controls.menu(state.TASK, tasks)
        with st.container(width=190):
            model_id = widgets.model_menu(model, task)
        with st.popover("Search"):
            controls.search_settings()
    return model_id


def show(request: DecodeRequest) -> None:
    """The player on the left, and what its step computes on the right; the six parts below."""
    shown = widgets.showing("how_it_works", request)
    trace = widgets.trace_of(request)
    widgets.load(request.model_id)
    hypothesis = widgets.hypothesis_of(trace)
    left, right = st.columns([4, 5], gap="medium")
    with left:
        layout = PlayerLayout(height=420, panel=False, autoplay=shown.autoplay, round=shown.round)
        attention_player(
            player_data(trace, hypothesis, variant=request.model_id),
            key="player",
            options=state.player_options(),
            layout=layout,
            on_options=remember,
            on_click=lambda: step_view.take_click(trace, hypothesis, reported("click")),
        )
    seen = step_view.view(request, trace, hypothesis)
    with right:
        step_blocks.header(seen)
        with st.container(height=540, border=False):
            step_blocks.equations(seen)
    step_blocks.parts(seen, request.model_id)


def reported(part: str) -> Any:
    return (st.session_state.get("player") or {}).get(part)


def remember() -> None:
    if reported("options"):
        state.remember_player(PlayerOptions.from_dict(reported("options")))


main()
