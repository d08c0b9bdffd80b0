"""Steer: the tree of the search with its reasons, forced words, and attention that a student can overwrite."""

from __future__ import annotations

import streamlit as st

from demo import controls, state
from demo.blocks import widgets
from demo.labs.steer import bench as steering_bench
from demo.labs.steer import source as steering_source
from demo.labs.steer import study, view
from demo.labs.steer.cases import cases_row
from demo.labs.steer.parts import PLAY, parts
from demo.labs.steer.source import Source
from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError


def main() -> None:
    cases_row("Steer")
    source = steering_source.source_row()
    if not source.model_id:
        widgets.no_model(source.task)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        part = controls.segments(state.PART, named=False)
        st.space("stretch")
        settings = None
        if part != PLAY:  # there the sliders stand above the tree
            with st.popover("Search", icon=":material/tune:", width="content"):
                settings = steering_source.search_and_ranking()
    if source.missing:
        st.info(source.missing, icon=":material/edit:")
    else:
        show(source, part, settings)


def show(source: Source, part: str, settings: DecodeSettings | None) -> None:
    place = st.container()
    columns = st.columns([6, 5], gap="medium") if part == PLAY else ()
    if columns:
        with columns[0]:
            settings = steering_source.search_and_ranking()
    try:
        with place:
            bench = steering_bench.open_bench(source.query(settings or DecodeSettings()))
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
