"""Steer: the tree of the search with its reasons, forced words, and attention that a student can overwrite."""

from __future__ import annotations

import streamlit as st

from demo import controls, state, tasks
from demo.blocks import steer_from
from demo.blocks.source import no_model, source_row
from demo.lab import Values
from demo.labs.steer import LAB, study, view
from demo.labs.steer import bench as steering_bench
from demo.labs.steer.cases import cases_row, open_on_one
from demo.labs.steer.parts import PLAY, SIMPLE, parts
from seq2seq_core.errors import InputError


def main() -> None:
    steer_from.arrived()
    open_on_one()
    cases_row(LAB.title)
    source = source_row(tasks.reading(), compact=True, search=False)
    if not source.values[source.row.model.key]:
        no_model(source.task)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        part = controls.segments(state.PART, named=False, offered=state.offered(state.PART, SIMPLE))
        st.space("stretch")
        if part != PLAY and not state.simple():  # there the sliders stand above the tree
            with st.popover("Search", icon=":material/tune:", width="content"):
                steering_bench.search_and_ranking()
    if source.missing:
        st.info(source.missing, icon=":material/edit:")
    else:
        show(source.values, part)


def show(values: Values, part: str) -> None:
    place = st.container()
    columns = st.columns([6, 5], gap="medium") if part == PLAY else ()
    if columns and not state.simple():
        with columns[0]:
            steering_bench.search_and_ranking()
    try:
        with place:
            query = next(iter(LAB.queries({**values, state.BEAM.key: state.current(state.BEAM)}).values()))
            bench = steering_bench.open_bench(query)
    except InputError as error:
        if not state.current(state.EDITS):
            raise
        study.refused_link(error)
        return
    with place:
        steering_bench.said_refused()
        view.result(bench)
    parts(bench, part, columns)


main()
