"""What all visitors share: loaded models, cached answers, and the turn one waits for before the processor is used."""

from __future__ import annotations

import gc
import logging
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from demo.state import DecodeRequest
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

    from seq2seq_core.config import DecodeSettings
    from seq2seq_core.pipeline import Encoded, Given, Grid, Pipeline
    from seq2seq_core.store.zoo import ModelInfo
    from seq2seq_core.study.likelihood import Reading
    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.steering import Steering
    from seq2seq_core.trace.trace import DecodeTrace

MODELS_KEPT = 16  # the least recently used goes first
ANSWERS_KEPT = 128
LISTING_SECONDS = 20  # a model that is put there meanwhile appears after so long
ENCODED_KEPT = 32
PATIENCE_SECONDS = 30.0
OWN = "own/"  # begins the id of a model that a visitor trained: see demo/own/models.py
SLOTS = os.cpu_count() or 2

_log = logging.getLogger(__name__)
_turn = threading.BoundedSemaphore(SLOTS)
_loaded: set[str] = set()


@contextmanager
def my_turn(patience_seconds: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Run at most SLOTS decodes at once: two that share a core are slower than one after the other."""
    if not _turn.acquire(timeout=patience_seconds):
        raise InputError(f"Too many people are decoding at this moment: nothing came free within {patience_seconds:g} s. Try again.")
    try:
        yield
    finally:
        _turn.release()


@st.cache_resource(show_spinner=False)
def prepare() -> None:
    """Once a process. One thread per decode: the models are small, and sharing cores among decodes is what costs."""
    import torch

    torch.set_num_threads(1)


def settle() -> None:
    """Take what is loaded out of the garbage collector's sight: Streamlit collects after every run, which is 100 ms with torch loaded."""
    gc.collect()
    gc.freeze()


@st.cache_resource(max_entries=MODELS_KEPT, show_spinner=False)
def pipeline(model_id: str) -> Pipeline:
    """One per model for all visitors; a Pipeline keeps nothing between calls, so threads may share it."""
    prepare()
    if model_id.startswith(OWN):
        from demo.own.models import open_mine

        return open_mine(model_id)
    from seq2seq_core.pipeline import Pipeline

    loaded = Pipeline.load(model_id)
    settle()
    _loaded.add(model_id)
    return loaded


def is_loaded(model_id: str) -> bool:
    """Whether an answer of this model needs no waiting for its weights."""
    return model_id in _loaded or (model_id.startswith(OWN) and bool(_loaded))


@st.cache_data(ttl=LISTING_SECONDS, show_spinner=False)
def installed(task: str) -> list[ModelInfo]:
    """The models of a task that are there, in the order of the menus. Needs no torch."""
    from seq2seq_core.store.zoo import list_models

    return [info for info in list_models() if info.task == task]


@st.cache_resource(max_entries=ENCODED_KEPT, show_spinner=False)
def _encoded(model_id: str, photo: str, _image: Image) -> Encoded:
    """A photo that a model has read: changing the search or the attention needs no second look."""
    return pipeline(model_id).encode(_seen(photo, model_id, _image))


@st.cache_resource(max_entries=ENCODED_KEPT, show_spinner=False)
def _seen(photo: str, _model_id: str, _image: Image) -> Grid:  # noqa: ARG001  the photo alone is the key
    """What the image network makes of a photo: the same for every model, so one of them looks and no other loads its network."""
    return pipeline(_model_id).look(_image)


def _given(request: DecodeRequest, image: Image | None) -> Given | Encoded:
    if image is not None:
        return _encoded(request.model_id, request.photo, image)
    return None if pipeline(request.model_id).model.config.source == "none" else request.text


def _steering(request: DecodeRequest) -> Steering:
    from demo.edits import read_edits

    edits = read_edits(request.edits)
    prefix = pipeline(request.model_id).prefix(request.prefix).prefix
    return replace(edits, prefix=prefix) if prefix else edits


@st.cache_resource(max_entries=ANSWERS_KEPT, show_spinner=False)
def _answer(request: DecodeRequest, _image: Image | None) -> DecodeTrace:
    model, steering = pipeline(request.model_id), _steering(request)
    with my_turn():
        return model.decode(_given(request, _image), request.settings, steering)


@st.cache_resource(max_entries=ANSWERS_KEPT, show_spinner=False)
def _score(request: DecodeRequest, target: str | tuple[int, ...], _image: Image | None) -> DecodeTrace:
    model, steering = pipeline(request.model_id), _steering(request)
    with my_turn():
        return model.score(_given(request, _image), target, steering=steering)


def encoded(request: DecodeRequest, image: Image | None = None) -> Encoded:
    """What the model has made of the source of a request."""
    return pipeline(request.model_id).encode(request.text) if image is None else _encoded(request.model_id, request.photo, image)


@st.cache_resource(max_entries=ANSWERS_KEPT, show_spinner=False)
def _reading(request: DecodeRequest, text: str, _image: Image | None) -> Reading:
    from seq2seq_core.study.likelihood import read

    with my_turn():
        return read(pipeline(request.model_id), _given(request, _image), text)


@st.cache_resource(max_entries=ANSWERS_KEPT, show_spinner=False)
def _chances(request: DecodeRequest, ways: tuple[DecodeSettings, ...], _image: Image | None) -> Floats:
    from seq2seq_core.study.likelihood import next_chances

    model = pipeline(request.model_id)
    prefix = model.prefix(request.prefix).prefix
    with my_turn():
        return next_chances(model, _given(request, _image), prefix, ways)


def answer(request: DecodeRequest, image: Image | None = None) -> DecodeTrace:
    """The trace of a request, from the cache when it was asked before. Traces are immutable, so visitors share them uncopied.

    `image`: the photo that `request.photo` names; the name alone decides whether an answer is known.
    """
    return _answer(request, image)


def score(request: DecodeRequest, target: str | tuple[int, ...], image: Image | None = None) -> DecodeTrace:
    """The trace of a given output: what the model thinks of it, and where it looks while it is forced to say it."""
    return _score(request, target, image)


def reading(request: DecodeRequest, text: str, image: Image | None = None) -> Reading:
    """A text as the request's model reads it: word by word, how likely, and how open each place was. The search plays no part."""
    return _reading(_asked(request), text, image)


def chances(request: DecodeRequest, ways: Sequence[DecodeSettings], image: Image | None = None) -> Floats:
    """The distribution over the token after the request's prefix, as each of the ways would draw from it: [ways, V]."""
    return _chances(replace(_asked(request), prefix=request.prefix), tuple(ways), image)


def _asked(request: DecodeRequest) -> DecodeRequest:
    """Model and source alone."""
    return DecodeRequest(request.model_id, request.text, request.photo)


def forget_answers() -> None:
    """Drop what is remembered, for measurements."""
    for cached in (_answer, _score, _reading, _chances, _encoded, _seen):
        cached.clear()


def warm_up(model_id: str, *, after_seconds: float = 0.0) -> None:
    """Import torch and load a model in the background, once a process, so that the first click finds them ready.

    `after_seconds`: the first page is painted meanwhile; importing torch would hold the interpreter while its parts are asked for.
    """
    _warm(model_id, after_seconds)


@st.cache_resource(show_spinner=False)
def _warm(model_id: str, _after_seconds: float = 0.0) -> threading.Thread:
    def load() -> None:
        time.sleep(_after_seconds)
        try:
            pipeline(model_id)
        except Exception:  # noqa: BLE001  the page that needs the model says what is wrong with it
            _log.info("The model %s could not be loaded ahead of its use.", model_id)

    thread = threading.Thread(target=load, name="warm-up", daemon=True)
    thread.start()
    return thread
