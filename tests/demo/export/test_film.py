"""Animations of maps of text: one picture more for each row, in the colours of the map, for every kind of trace."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from demo.colours import LIGHT, attention_color
from demo.export.film import LONGEST, decoding, moments
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.traces import dog_trace, make_trace, premise_trace, question_trace, text_source

TRACES: dict[str, Callable[[], DecodeTrace]] = {
    "dog": dog_trace,
    "two texts": premise_trace,
    "photo and question": question_trace,
    "none": lambda: make_trace([" a", " b", "</s>"], text_source(["x", " y"]), heads=0),
    "language": lambda: make_trace([" <b>", " b", "</s>"], task="language"),
    "one row": lambda: make_trace(["</s>"], text_source(["x"])),
}


def opened(film: bytes) -> list[np.ndarray]:
    picture = Image.open(io.BytesIO(film))
    assert picture.format == "GIF"
    found = []
    for place in range(picture.n_frames):
        picture.seek(place)
        found.append(np.asarray(picture.convert("RGB")).astype(int))
    return found


@pytest.mark.parametrize("kind", TRACES)
def test_there_is_a_picture_for_nothing_for_each_row_and_for_the_whole(kind: str) -> None:
    trace = TRACES[kind]()
    frames = opened(decoding(trace, words=False))
    assert len(frames) == len(trace.tokens()) + 2
    assert len({frame.tobytes() for frame in frames}) == len(frames)


def test_a_row_that_is_not_said_yet_is_empty_and_one_that_is_stays() -> None:
    frames = opened(decoding(dog_trace(), words=False, numbers=False))
    dog = np.array(attention_color(0.81))
    there = [int((np.abs(frame - dog).sum(2) < 12).sum()) for frame in frames]
    assert there[0] == there[1] < 200 and min(there[2:]) > 1000  # the legend has a little of it
    assert len(set(there[2:])) == 1
    accent = np.array([int(LIGHT.accent[i : i + 2], 16) for i in (1, 3, 5)])
    marked = [bool((np.abs(frame - accent).sum(2) < 60).any()) for frame in frames]
    assert marked == [False] + [True] * 10 + [False]


def test_a_long_map_is_made_smaller() -> None:
    trace = make_trace([" word"] * 39 + ["</s>"], text_source(["wort"] + [" wort"] * 39))
    frames = opened(decoding(trace, words=False))
    assert len(frames) == 42 and max(frames[0].shape) == LONGEST


def test_a_training_shows_each_moment_with_its_name() -> None:
    early = make_trace([" a", "</s>"], text_source(["Ein", " Hund"]))
    frames = opened(moments([("after 0 steps", early), ("after 100 steps", dog_trace())]))
    assert len({frame.shape for frame in frames}) == 1
    assert len({frame.tobytes() for frame in frames}) == 2
