"""Watch a clip: it becomes a kind of event and a sentence, or a gesture, and every word shows the frames it looked at."""

from __future__ import annotations

import streamlit as st

from demo import controls, resources, state
from demo.blocks.heading import titled
from demo.blocks.source import model_menu, no_model, search_menu
from demo.blocks.ways_in import clip, film
from demo.labs.watch import GESTURE, LAB, TASK, composer, gestures, view
from demo.tasks import TASKS


def main() -> None:
    there = tuple(task for task in (TASK, GESTURE) if resources.installed(task))
    filmed = GESTURE in there and (there == (GESTURE,) or state.current(state.TASK) == GESTURE)
    row = TASKS[GESTURE if filmed else TASK]
    if filmed:
        shown = gestures.heading(LAB.title)
    else:
        with titled(LAB.title):
            clip.samples()
        shown = clip.shown()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if len(there) > 1:
            with st.container(width=112):
                controls.menu(state.TASK, there)
        with st.container(width=120):
            model = model_menu(row)
        if filmed:
            film.choices()
        else:
            search_menu(row, {row.model.key: model})
            composer.ways()
    if not model:
        no_model(TASK)
    elif shown is None:
        st.info(film.first(), icon=":material/front_hand:")
    else:
        source = next(iter(row.fields))
        values = {**state.current_values(), state.TASK.key: row.name, source.key: shown.name, row.model.key: model}
        (gestures if filmed else view).result(LAB.queries(values))


main()
