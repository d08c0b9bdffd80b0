"""What visitors share: answers are computed once, models are dropped oldest first, and only so many decode at once."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from demo import resources
from demo.edits import read_edits
from demo.given import assets, photos
from demo.own import models
from demo.own.runs import all_runs
from demo.query import Asset, Query
from seq2seq_core import machines, serving
from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.trace.steering import Steering

ROOT = Path(__file__).parents[2]

CALLS: Counter[str] = Counter()
SLOW_SECONDS = 0.02


@dataclass(eq=False)
class FakePipeline:
    """Counts what is asked of it, and how many ask at the same time."""

    model_id: str
    model: Any = field(default_factory=lambda: SimpleNamespace(config=SimpleNamespace(source="text", eyes="imagenet")))
    running: int = 0
    most: int = 0

    def decode(self, given: object, settings: DecodeSettings, steering: Steering, prompt: str) -> object:
        CALLS["decode"] += 1
        self.running += 1
        self.most = max(self.most, self.running)
        time.sleep(SLOW_SECONDS)
        self.running -= 1
        return SimpleNamespace(given=given, settings=settings, steering=steering, prompt=prompt)

    def score(self, given: object, target: object, steering: Steering, prompt: str) -> object:
        CALLS["score"] += 1
        return SimpleNamespace(given=given, target=target, steering=steering, prompt=prompt)

    def look(self, image: object) -> object:
        CALLS["look"] += 1
        return image

    def encode(self, image: object) -> object:
        CALLS["encode"] += 1
        return ("encoded", image)


@pytest.fixture(autouse=True)
def shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def load(name: str) -> FakePipeline:
        CALLS["load"] += 1
        if name.startswith("no/"):
            raise InputError(f"There is no model {name!r}.")
        return FakePipeline(name)

    monkeypatch.setattr(Pipeline, "load", staticmethod(load))
    CALLS.clear()
    resources.pipeline.clear()
    resources.forget_answers()
    yield
    resources.pipeline.clear()
    resources.forget_answers()


def test_a_model_is_loaded_once_and_an_answer_computed_once() -> None:
    one = resources.answer(Query("a/b", ("text",), settings=DecodeSettings(beam_size=3)))
    again = resources.answer(Query("a/b", ("text",), settings=DecodeSettings(beam_size=3)))
    assert one is again
    assert CALLS == {"load": 1, "decode": 1}


@pytest.mark.parametrize(
    "other",
    [
        Query("a/c", ("text",)),
        Query("a/b", ("Text",)),
        Query("a/b", ("text",), settings=DecodeSettings(beam_size=4)),
        Query("a/b", ("text",), steering=read_edits("p5")),
        Query("a/b", ("text",), prompt="I"),
        Query("a/b", ("text", "and a question")),
    ],
)
def test_whatever_differs_is_decoded_anew(other: Query) -> None:
    assert resources.answer(Query("a/b", ("text",))) is not resources.answer(other)
    assert CALLS["decode"] == 2


def test_edits_and_prompt_reach_the_model() -> None:
    trace: Any = resources.answer(Query("a/b", ("text",), steering=read_edits("t5,7;h1")))
    assert trace.steering == Steering(tokens=((5, 7),), hidden=(1,))
    trace = resources.answer(Query("a/b", ("text",), steering=read_edits("t5,7"), prompt="ab"))
    assert (trace.steering, trace.prompt) == (Steering(tokens=((5, 7),)), "ab")


def test_of_several_parts_the_photo_is_given_as_it_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "image", lambda asset: asset.name)
    trace: Any = resources.answer(Query("a/b", (Asset("photo", "cat"), "Is it red?")))
    assert trace.given == ("cat", "Is it red?")
    assert CALLS["look"] == 1


def test_a_language_model_gets_no_source(monkeypatch: pytest.MonkeyPatch) -> None:
    resources.pipeline("language/gru").model.config.source = "none"
    trace: Any = resources.answer(Query("language/gru", prompt="I"))
    assert trace.given is None


def test_a_photo_is_looked_at_once_however_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "image", lambda asset: asset.name)
    for size in (1, 2, 3):
        resources.answer(Query("captioning/soft", (Asset("photo", "cat"),), settings=DecodeSettings(beam_size=size)))
    assert CALLS["encode"] == 1
    assert CALLS["decode"] == 3


def test_models_that_see_with_other_eyes_look_for_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "image", lambda asset: asset.name)
    for model in ("captioning/soft", "captioning/none"):
        resources.pipeline(model).model.config.eyes = "everyday"
    for model in ("captioning/soft", "captioning/none", "question/soft"):
        resources.answer(Query(model, (Asset("photo", "cat"),)))
    assert CALLS["look"] == 2


def test_a_given_output_is_scored_once() -> None:
    one, other = (Query("a/b", ("text",), target=target) for target in ("output", (5, 2)))
    assert resources.answer(one) is resources.answer(one)
    assert resources.answer(one) is not resources.answer(other)
    assert CALLS["score"] == 2


def test_an_error_is_not_remembered() -> None:
    for _ in range(2):
        with pytest.raises(InputError, match="There is no model"):
            resources.answer(Query("no/such", ("text",)))
    assert CALLS["load"] == 2


def test_the_least_recently_used_model_is_dropped_and_its_memory_freed() -> None:
    first = weakref.ref(resources.pipeline("m/0"))
    for number in range(1, resources.MODELS_KEPT):
        resources.pipeline(f"m/{number}")
    resources.pipeline("m/0")
    resources.pipeline("m/new")  # drops m/1
    loads = CALLS["load"]
    resources.pipeline("m/0")
    assert CALLS["load"] == loads
    for number in range(resources.MODELS_KEPT):
        resources.pipeline(f"n/{number}")
    gc.collect()
    assert first() is None


def test_no_more_decode_at_once_than_there_are_turns() -> None:
    shared_model: Any = resources.pipeline("a/b")
    requests = [Query("a/b", (f"text {number}",)) for number in range(4 * resources.SLOTS)]
    threads = [threading.Thread(target=resources.answer, args=(request,)) for request in requests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert CALLS["decode"] == len(requests)
    assert 1 <= shared_model.most <= resources.SLOTS


def test_waiting_too_long_is_said() -> None:
    held = [resources.my_turn() for _ in range(resources.SLOTS)]
    for turn in held:
        turn.__enter__()
    try:
        with pytest.raises(InputError, match="Try again"), resources.my_turn(patience_seconds=0.01):
            pass
    finally:
        for turn in held:
            turn.__exit__(None, None, None)
    with resources.my_turn(patience_seconds=1):
        pass


def test_a_failed_decode_gives_its_turn_back() -> None:
    for _ in range(resources.SLOTS + 1):
        with pytest.raises(ValueError, match="broken"), resources.my_turn(patience_seconds=1):
            raise ValueError("broken")


def test_warming_up_loads_once_and_never_fails() -> None:
    resources._warm.clear()
    for name in ("a/b", "a/b", "no/such"):
        resources.warm_up(name)
    for name in ("a/b", "no/such"):
        resources._warm(name).join()
    assert CALLS["load"] == 2
    resources._warm.clear()


def test_garbage_is_collected_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    class Knot:
        def __init__(self) -> None:
            self.itself = self

    monkeypatch.setattr(resources, "_tidied", -resources.TIDY_SECONDS)
    gc.disable()
    try:
        first = weakref.ref(Knot())
        resources.tidy()
        assert first() is None
        second = weakref.ref(Knot())
        resources.tidy()
        assert second() is not None  # so soon after the last time
    finally:
        gc.enable()


def test_answers_may_come_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[serving.Asked] = []
    monkeypatch.setenv("LAB_ENGINE", "ray")
    monkeypatch.setattr(serving, "ask", lambda one: asked.append(one) or "an answer")
    assert resources.answer(Query("translation/far", ("Hallo",), "Hi")) == "an answer"
    assert resources.answer(Query("captioning/far", (Asset("photo", "dog"),))) == "an answer"
    assert (asked[0].model_id, asked[0].given, asked[0].prompt) == ("translation/far", "Hallo", "Hi")
    assert asked[1].given is photos.sample_image("dog")
    assert CALLS["decode"] == 0
    assert resources.is_loaded("translation/far")
    assert asked[0].own is None
    monkeypatch.setattr(models, "packed", lambda model_id: f"the files of {model_id}".encode())
    monkeypatch.setattr(machines, "travelling", lambda packed, name: (packed, name))
    resources.answer(Query("own/mine", ("Hallo",)))
    assert asked[2].own == (b"the files of own/mine", "own/mine")  # what a visitor trained goes along


def test_a_client_that_clears_the_cache_reaches_nothing_that_others_need() -> None:
    """Streamlit does this when any client sends the message `clear_cache`."""
    runs, answer = all_runs(), resources.answer(Query("a/b", ("text",)))
    st.cache_resource.clear()
    st.cache_data.clear()
    assert all_runs() is runs
    assert resources.answer(Query("a/b", ("text",))) is answer
    assert CALLS == {"load": 1, "decode": 1}
    written = [path for room in ("demo", "pages") for path in (ROOT / room).rglob("*.py") if "st.cache_" in path.read_text(encoding="utf8")]
    assert not written, "a client could empty these: take demo.visitors.kept"
