"""What is steered on the Steer page: a sentence, a word or a photo, the model, and how it is searched for."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from demo import controls, resources, state
from demo.blocks import widgets
from demo.fields import TextField
from demo.labs.caption import view
from demo.labs.steer import bench
from demo.query import Asset, Query
from seq2seq_core.config import DecodeSettings

PLACEHOLDERS = {"translation": "Type a German sentence", "transliteration": "Type a word in Latin letters"}


@dataclass(frozen=True, slots=True)
class Source:
    """What the first row of the page says."""

    task: str
    model_id: str  # empty: none is installed
    text: str = ""
    photo: Asset | None = None

    @property
    def missing(self) -> str:
        """The sentence that says what to do first; empty when all is there."""
        if self.photo is not None or self.text.strip():
            return ""
        return f"{PLACEHOLDERS[self.task]}, or take one of the examples above."

    def query(self, settings: DecodeSettings) -> Query:
        return Query(self.model_id, (self.photo or self.text,), settings=settings)


def source_row() -> Source:
    """Task, model and source on one line."""
    installed = [task for task in state.MODELS if resources.installed(task)] or ["translation"]
    chosen = state.current(state.TASK)
    task = chosen if chosen in installed else installed[0]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if len(installed) > 1:
            with st.container(width=150):
                controls.menu(state.TASK, installed)
        with st.container(width=150):
            model_id = widgets.model_menu(state.MODELS[task], task)
        field = state.SOURCES[task]
        if isinstance(field, TextField):
            with st.container(width="stretch"):
                text = controls.line(field, placeholder=PLACEHOLDERS[task])
            with st.container(width=180):
                widgets.decode_button()
            return Source(task, model_id, text)
        view.photo_row()
    return Source(task, model_id, photo=view.shown_photo())


def search_and_ranking() -> DecodeSettings:
    """How many beams to search with, and the two sliders that only rank what was found."""
    with st.container(horizontal=True, gap="small"):
        with st.container(width=115):
            size = controls.whole(state.BEAM)
        if size > 1:
            with st.container(width=125):
                bench.kept_slider(size)
        with st.container(width=180):
            controls.number(state.RANK_LENGTH)
    return DecodeSettings(beam_size=size)
