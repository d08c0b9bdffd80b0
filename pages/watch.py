"""Watch a clip: it becomes a kind of event and a sentence, and every word shows the frames it looked at."""

from __future__ import annotations

import streamlit as st

from demo import state
from demo.blocks.source import model_menu, no_model, search_menu
from demo.labs.watch import LAB, TASK, given, view
from demo.tasks import TASKS


def main() -> None:
    row = TASKS[TASK]
    shown = given.heading(LAB.title)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=170):
            model = model_menu(row)
        search_menu(row, {row.model.key: model})
        given.ways()
    if not model:
        no_model(TASK)
        return
    values = {**state.current_values(), state.CLIP.key: shown.name, row.model.key: model}
    view.result(LAB.queries(values))


main()
