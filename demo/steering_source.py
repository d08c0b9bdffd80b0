"""What is steered on the Steer page: a sentence, a word or a photo, the model, and how it is searched for."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from demo import caption_view, controls, photos, resources, state, steering_bench, widgets
from demo.fields import NameField, TextField
from demo.photos import Shown
from demo.state import DecodeRequest
from seq2seq_core.config import DecodeSettings


@dataclass(frozen=True, slots=True)
class Kind:
    """A task as this page offers it."""

    models: NameField
    field: TextField | None = None  # where its source is typed; None: a photo
    placeholder: str = ""


KINDS = {
    "translation": Kind(state.TRANSLATION_MODEL, state.SENTENCE, "Type a German sentence"),
    "transliteration": Kind(state.TRANSLITERATION_MODEL, state.WORD, "Type a word in Latin letters"),
    "captioning": Kind(state.CAPTION_MODEL),
}


@dataclass(frozen=True, slots=True)
class Source:
    """What the first row of the page says."""

    task: str
    model_id: str  # empty: none is installed
    text: str = ""
    photo: Shown | None = None

    @property
    def missing(self) -> str:
        """The sentence that says what to do first; empty when all is there."""
        if self.photo is not None or self.text.strip():
            return ""
        return f"{KINDS[self.task].placeholder}, or take one of the examples above."

    def request(self, settings: DecodeSettings) -> DecodeRequest:
        if self.photo is not None:
            return DecodeRequest(self.model_id, photo=self.photo.name, settings=settings)
        return DecodeRequest(self.model_id, self.text, settings=settings)


def source_row() -> Source:
    """Task, model and source on one line."""
    installed = [task for task in KINDS if resources.installed(task)] or ["translation"]
    chosen = state.current(state.TASK)
    task = chosen if chosen in installed else installed[0]
    kind = KINDS[task]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if len(installed) > 1:
            with st.container(width=150):
                controls.menu(state.TASK, installed)
        with st.container(width=150):
            model_id = widgets.model_menu(kind.models, task)
        if kind.field is None:
            caption_view.photo_row()
        else:
            with st.container(width="stretch"):
                text = controls.line(kind.field, placeholder=kind.placeholder)
            with st.container(width=180):
                widgets.decode_button()
            return Source(task, model_id, text)
    wrong = photos.error()
    if wrong:
        st.error(wrong, icon=":material/error:")
    return Source(task, model_id, photo=photos.shown())


def search_and_ranking() -> DecodeSettings:
    """How many beams to search with, and the two sliders that only rank what was found."""
    with st.container(horizontal=True, gap="small"):
        with st.container(width=115):
            size = controls.whole(state.BEAM)
        if size > 1:
            with st.container(width=125):
                steering_bench.kept_slider(size)
        with st.container(width=180):
            controls.number(state.RANK_LENGTH)
    return DecodeSettings(beam_size=size)
