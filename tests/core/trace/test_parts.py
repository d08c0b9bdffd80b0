"""A trace over two parts, made by hand: three tokens in two words, and a grid of 2 x 2; two heads look at the text, one at the grid."""

from __future__ import annotations

import copy
import json
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.part import Head, Part
from seq2seq_core.trace.trace import DecodeTrace
from tests.core.invariants import tiny_pipeline

QUESTION = Part("question", ("is", "n't", "it"), (0, 0, 1), "isn't it", ((0, 2), (2, 5), (6, 8)), (4, 5, 6))
PHOTO = Part.of_grid("photo", (2, 2), (60, 40))
ROWS = [[[0.5, 0.25, 0.25, 0, 0, 0, 0], [0, 0, 0, 0.75, 0.25, 0, 0], [0.125, 0.125, 0.75, 0, 0, 0, 0]],
        [[0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0.5, 0.5], [1, 0, 0, 0, 0, 0, 0]]]  # fmt: skip


def values() -> dict[str, Any]:
    """Two greedy steps of some model, with these parts and maps in the place of its own."""
    found = tiny_pipeline(1, eos=-20.0).decode("abc", DecodeSettings(search="greedy", max_length=2, candidates=2)).to_dict()
    found["parts"] = [asdict(QUESTION), asdict(PHOTO) | {"grid": [2, 2], "size": [60, 40]}]
    for part in found["parts"]:  # tuples are lists in JSON
        part |= {name: json.loads(json.dumps(part[name])) for name in ("labels", "groups", "spans", "ids")}
    found["heads"] = [{"name": name, "part": part, "layer": layer} for name, part, layer in (("a", 0, 0), ("b", 1, 0), ("c", 0, 1))]
    for node, rows in zip(found["nodes"], ROWS, strict=True):
        node["attention"], node["marks"] = rows, {"gate": 0.25, "glimpse": 5}
    return found


TRACE = DecodeTrace.from_dict(values())


def test_positions_are_numbered_through_all_parts() -> None:
    assert TRACE.parts == (QUESTION, PHOTO)
    assert (TRACE.positions, TRACE.borders) == (7, (0, 3, 7))
    assert TRACE.heads == (Head("a", 0, 0), Head("b", 1, 0), Head("c", 0, 1))
    assert TRACE.given_text == "isn't it"
    assert "'isn\\'t it'" in repr(TRACE) or '"isn\'t it"' in repr(TRACE)
    assert "photo 60 x 40" in repr(TRACE)


def test_attention_is_asked_for_part_by_part() -> None:
    assert TRACE.attention().tolist() == [[0.3125, 0.1875, 0.5], [0.5, 0, 0.5]]  # the mean of the two heads that look there
    assert TRACE.attention(part=1).tolist() == [[0.75, 0.25, 0, 0], [0, 0, 0.5, 0.5]]
    assert TRACE.entropy(part=1)[1] == pytest.approx(np.log(2))
    assert TRACE.maps().tolist() == ROWS


def test_words_are_asked_for_part_by_part() -> None:
    words = TRACE.grouped()
    assert words.source == ("isn't", "it")
    assert words.source_members == ((0, 1), (2,))
    cells = TRACE.grouped(part=1)
    assert cells.source == PHOTO.labels
    assert cells.source_members == ((3,), (4,), (5,), (6,))
    np.testing.assert_allclose(cells.attention.sum(1), 1)


def test_marks_come_back_as_they_were() -> None:
    assert TRACE.nodes[1].marks == {"gate": 0.25, "glimpse": 5}
    assert TRACE.nodes.marks["glimpse"].dtype == np.int64
    assert DecodeTrace.from_json(TRACE.to_json()) == TRACE
    other = copy.deepcopy(values())
    other["nodes"][1]["marks"]["gate"] = 0.5
    assert DecodeTrace.from_dict(other) != TRACE


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda v: v["heads"].pop(), "The trace has 2 heads, and 3 attention maps; export it again."),
        (lambda v: v["heads"][0].update(part=2), "part is 2 in heads[0]; the trace has 2 parts, counted from 0."),
        (
            lambda v: v["heads"][0].update(part=1),
            "heads[0] looks at parts[1], but its map has weight on another; export the trace again.",
        ),
        (lambda v: v["parts"].pop(), "part is 1 in heads[1]; the trace has 1 parts, counted from 0."),
        (lambda v: v.update(prompt=3), "prompt is 3; it must be between 0 and the 2 steps of the trace."),
        (
            lambda v: v["parts"][1].update(grid=[2, 3]),
            "A text must have one span and one id per label, and a picture one label per cell; parts[1] has not.",
        ),
        (
            lambda v: v["nodes"][0]["marks"].update(gate="x"),
            "The mark 'gate' of the first nodes is 'x'; it must be a number.",
        ),
        (lambda v: v["nodes"][0]["marks"].pop("gate"), "The attention rows of the trace differ in their shape; export it again."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(change: Any, sentence: str) -> None:
    wrong = values()
    change(wrong)
    with pytest.raises(InputError) as error:
        DecodeTrace.from_dict(wrong)
    assert str(error.value) == sentence
