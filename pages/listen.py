"""Listen: a spoken number is written down digit by digit, and every word shows and plays the stretch of sound it listened to."""

from __future__ import annotations

import streamlit as st

from demo import state
from demo.blocks.heading import titled
from demo.blocks.source import model_menu, no_model, search_menu
from demo.blocks.ways_in import recording
from demo.labs.listen import LAB, TASK, view
from demo.tasks import TASKS


def main() -> None:
    row = TASKS[TASK]
    with titled(LAB.title):
        recording.choices()
    shown = recording.shown()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=170):
            model = model_menu(row)
        search_menu(row, {row.model.key: model})
    if not model:
        no_model(TASK)
        return
    values = {**state.current_values(), state.RECORDING.key: shown.name, row.model.key: model}
    (query,) = LAB.queries(values).values()
    view.result(query)


main()
