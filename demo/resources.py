"""What all visitors share: loaded models, cached answers, and the turn one waits for before the processor is used."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import platform
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from demo.given import assets
from demo.query import Asset, Query
from demo.visitors.kept import kept
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.config import DecodeSettings, Eyes
    from seq2seq_core.inputs.devanagari import Romaniser
    from seq2seq_core.inputs.grid import Grid
    from seq2seq_core.pipeline import Encoded, Given, Pipeline
    from seq2seq_core.store.zoo import ModelInfo
    from seq2seq_core.study.likelihood import Reading
    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.trace import DecodeTrace

MODELS_KEPT = 16  # the least recently used goes first
ANSWERS_KEPT, ANSWERS_MB = 128, 24  # of each kind of answer; one over the longest source has up to 20 MB
LISTING_SECONDS = 20  # a model that is put there meanwhile appears after so long
ENCODED_KEPT = 32
PATIENCE_SECONDS = 10.0  # few are here at once, and who waited to be has been told: see demo/visitors/line.py
TIDY_SECONDS = 20.0
GARBAGE = 20_000, 50, 50  # objects before Python looks for garbage by itself: `tidy` does, and between its rounds little comes together
HELD_SECONDS = 0.0005  # Python by one thread while others wait, a tenth of the usual: to send what is drawn takes several turns
MALLOC_MMAP_THRESHOLD, LARGE_BLOCK = -3, 256 * 1024  # the number of the option in malloc.h; bytes
OWN = "own/"  # begins the id of a model that a visitor trained: see demo/own/models.py
SLOTS = int(os.environ.get("LAB_CORES") or os.cpu_count() or 2)

_log = logging.getLogger(__name__)
_turn = threading.BoundedSemaphore(SLOTS)
_loaded: set[str] = set()
_tidied = 0.0


@contextmanager
def my_turn(patience_seconds: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Run at most SLOTS decodes at once: two that share a core are slower than one after the other."""
    if not _turn.acquire(timeout=patience_seconds):
        raise InputError(
            f"Too many people are decoding at this moment: no turn came within {patience_seconds:g} s. Try again: what you typed is kept."
        )
    try:
        yield
    finally:
        _turn.release()


@kept(1)
def prepare() -> None:
    """Once a process. One thread per decode: the models are small, and sharing cores among decodes is what costs."""
    import torch

    torch.set_num_threads(1)
    gc.set_threshold(*GARBAGE)
    sys.setswitchinterval(HELD_SECONDS)
    _give_back_large_blocks()


def _give_back_large_blocks() -> None:
    """Let the C library take every large block from the system and return it at once.

    Left to itself glibc keeps blocks of ever larger sizes for later, and finds no use for them between the small ones: a Transformer
    over the longest source took 120 MB more for each decode, and kept them.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(MALLOC_MMAP_THRESHOLD, LARGE_BLOCK)


def tidy() -> None:
    """Collect garbage now and then, whoever comes by: after every run, as Streamlit would, it costs as much as a decode."""
    global _tidied  # noqa: PLW0603  one for the process
    now = time.monotonic()
    if now - _tidied >= TIDY_SECONDS:
        _tidied = now
        gc.collect()
        _give_back_small_blocks()


def _give_back_small_blocks() -> None:
    """What lies free between blocks in use goes back to the system: 78 MB after four long decodes at once and 400 ordinary answers."""
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)


def settle() -> None:
    """Take what is loaded out of the garbage collector's sight: looking through all of torch takes 100 ms each time."""
    gc.collect()
    gc.freeze()


@kept(MODELS_KEPT)
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


@kept(MODELS_KEPT)
def romaniser(model_id: str) -> Romaniser | None:
    """How a model writes Hindi in Latin letters; None where it neither reads nor says any. Needs no torch."""
    from seq2seq_core.inputs.devanagari import Romaniser
    from seq2seq_core.store.zoo import find

    return None if model_id.startswith(OWN) else Romaniser.load(find(model_id))


def is_loaded(model_id: str) -> bool:
    """Whether an answer of this model needs no waiting for its weights."""
    return elsewhere() or model_id in _loaded or (model_id.startswith(OWN) and bool(_loaded))


@kept(1, seconds=LISTING_SECONDS)
def shelf() -> tuple[dict[str, list[ModelInfo]], list[str]]:
    """All models that are there, by task and in the order of the menus, and the ids of damaged ones. Needs no torch."""
    from seq2seq_core.store.zoo import look_through

    found, unreadable = look_through()
    by_task: dict[str, list[ModelInfo]] = {}
    for info in found:
        by_task.setdefault(info.task, []).append(info)
    return by_task, unreadable


def installed(task: str) -> list[ModelInfo]:
    """The models of a task that are there."""
    return shelf()[0].get(task, [])


def damaged() -> list[str]:
    """The ids of models whose folders cannot be read."""
    return shelf()[1]


@kept(ENCODED_KEPT)
def _encoded(model_id: str, asset: Asset) -> Encoded:
    """A photo that a model has read: changing the search or the attention needs no second look."""
    return pipeline(model_id).encode(_seen(asset, _eyes(model_id), model_id))


def _eyes(model_id: str) -> Eyes:
    return pipeline(model_id).model.config.eyes


@kept(ENCODED_KEPT, by=lambda asset, eyes, _: (asset, eyes))
def _seen(asset: Asset, eyes: Eyes, model_id: str) -> Grid:  # noqa: ARG001
    """What an image network makes of a photo: the same for every model with these eyes, so one looks and no other loads its network.

    Of a recording, its spectrogram.
    """
    return pipeline(model_id).look(assets.thing(asset))


def _given(query: Query) -> Given | Encoded:
    """What the pipeline reads; a photo as the model has seen it."""
    if len(query.given) > 1:
        return tuple(_seen(one, _eyes(query.model_id), query.model_id) if isinstance(one, Asset) else one for one in query.given)
    if query.asset is not None:
        return _encoded(query.model_id, query.asset)
    return query.text if query.given else None


def elsewhere() -> bool:
    """Whether other computers answer."""
    return os.environ.get("LAB_ENGINE") == "ray"


def _asked_elsewhere(query: Query) -> DecodeTrace:
    from seq2seq_core.machines import travelling
    from seq2seq_core.serving import Asked, ask

    own = None
    if query.model_id.startswith(OWN):
        from demo.own.models import packed

        own = travelling(packed(query.model_id), query.model_id)
    things = tuple(assets.thing(one) if isinstance(one, Asset) else one for one in query.given)
    given = things if len(things) > 1 else next(iter(things), None)
    return ask(Asked(query.model_id, given, query.settings, query.steering, query.prompt, own))


@kept(ANSWERS_KEPT, ANSWERS_MB)
def _answer(query: Query) -> DecodeTrace:
    if elsewhere():
        return _asked_elsewhere(query)
    model = pipeline(query.model_id)
    with my_turn():
        return model.decode(_given(query), query.settings, query.steering, query.prompt)


@kept(ANSWERS_KEPT, ANSWERS_MB)
def _score(query: Query) -> DecodeTrace:
    model, target = pipeline(query.model_id), query.target
    words = _same_tokens(answer(target), model) if isinstance(target, Query) else target
    with my_turn():
        return model.score(_given(query), words, steering=query.steering, prompt=query.prompt)


def _same_tokens(trace: DecodeTrace, model: Pipeline) -> str | tuple[int, ...]:
    """An output as a target for another model: its token ids when that model has the same tokens, else its text."""
    words, ids = model.target_tokenizer, trace.token_ids()[trace.prompt :]
    same = all(i < words.size and words.token(i) == token for i, token in zip(ids, trace.tokens()[trace.prompt :], strict=True))
    return ids if same else trace.hypotheses[0].answer


def encoded(query: Query) -> Encoded:
    """What the model has made of the source of a query."""
    from seq2seq_core.pipeline import Encoded

    given = _given(query)
    return given if isinstance(given, Encoded) else pipeline(query.model_id).encode(given)


@kept(ANSWERS_KEPT, ANSWERS_MB)
def _reading(query: Query) -> Reading:
    from seq2seq_core.study.likelihood import read

    assert isinstance(query.target, str)
    with my_turn():
        return read(pipeline(query.model_id), _given(query), query.target)


@kept(ANSWERS_KEPT, ANSWERS_MB)
def _chances(query: Query, ways: tuple[DecodeSettings, ...]) -> Floats:
    from seq2seq_core.study.likelihood import next_chances

    model = pipeline(query.model_id)
    with my_turn():
        return next_chances(model, _given(query), model.prompt_ids(query.prompt), ways)


def answer(query: Query) -> DecodeTrace:
    """The trace of a query, from the cache when it was asked before. Traces are immutable, so visitors share them uncopied.

    With a target: what the model thinks of that output, and where it looks while it is forced to say it.
    """
    return _score(query) if query.target else _answer(query)


def known(query: Query) -> DecodeTrace | None:
    """The trace if somebody has just asked for it."""
    return _score.known(query) if query.target else _answer.known(query)


def reading(query: Query) -> Reading:
    """The target as the model reads it: word by word, how likely, and how open each place was. The search plays no part."""
    return _reading(Query(query.model_id, query.given, target=query.target))


def chances(query: Query, ways: Sequence[DecodeSettings]) -> Floats:
    """The distribution over the token after the prompt, as each of the ways would draw from it: [ways, V]."""
    return _chances(Query(query.model_id, query.given, query.prompt), tuple(ways))


def forget_answers() -> None:
    """Drop what is remembered, for measurements."""
    for cached in (_answer, _score, _reading, _chances, _encoded, _seen):
        cached.clear()


def warm_up(model_id: str, *, after_seconds: float = 0.0) -> None:
    """Import torch and load a model in the background, once a process, so that the first click finds them ready.

    `after_seconds`: the first page is painted meanwhile; importing torch would hold the interpreter while its parts are asked for.
    """
    _warm(model_id, after_seconds)


@kept(MODELS_KEPT, by=lambda model_id, *_: model_id)
def _warm(model_id: str, after_seconds: float = 0.0) -> threading.Thread:
    def load() -> None:
        time.sleep(after_seconds)
        try:
            pipeline(model_id)
        except Exception:  # noqa: BLE001  the page that needs the model says what is wrong with it
            _log.info("The model %s could not be loaded ahead of its use.", model_id)

    thread = threading.Thread(target=load, name="warm-up", daemon=True)
    thread.start()
    return thread
