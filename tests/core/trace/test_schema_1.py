"""Traces that were stored before sources had parts: three small ones, and those of the app's examples."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.part import Head
from seq2seq_core.trace.trace import SCHEMA, DecodeTrace
from tests.core.trace.test_trace import paths_into

FOLDER = Path(__file__).parent / "schema_1"
EXAMPLES = Path(__file__).parents[3] / "demo" / "examples" / "traces"


def stored(name: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert values["schema"] == 1
    return values


def test_a_text_becomes_a_part_and_its_heads_get_names() -> None:
    values = stored("text")
    trace = DecodeTrace.from_dict(values)
    (part,) = trace.parts
    source = values["source"]
    assert (part.name, part.kind, part.text, part.labels) == ("word", "text", source["text"], tuple(source["tokens"]))
    assert (part.ids, [list(span) for span in part.spans]) == (tuple(source["token_ids"]), source["spans"])
    assert trace.heads == tuple(Head(f"head {number}") for number in range(1, 5))
    first = values["nodes"][0]["attention"]
    np.testing.assert_array_equal(trace.nodes[0].attention, np.array(first, dtype=np.float32))
    assert trace.prompt == 0
    assert trace.steering.hidden == (1,)
    assert (
        [one.answer for one in trace.hypotheses] == [one.text for one in trace.hypotheses] == [one["text"] for one in values["hypotheses"]]
    )


def test_a_photo_becomes_a_part_with_a_grid_and_its_glimpses_marks() -> None:
    values = stored("photo")
    trace = DecodeTrace.from_dict(values)
    (part,) = trace.parts
    assert (part.name, part.kind, part.grid, part.size, part.positions) == ("photo", "grid", (2, 3), (30, 20), 6)
    assert part.labels[4] == "row 2, column 2"
    assert [node.marks for node in trace.nodes] == [{"glimpse": node["glimpse"]} for node in values["nodes"]]
    assert trace.heads == (Head("attention"),)


def test_a_language_model_has_no_parts() -> None:
    trace = DecodeTrace.from_dict(stored("language"))
    assert (trace.parts, trace.heads, trace.positions, trace.borders) == ((), (), 0, (0,))
    assert trace.attention().shape == (len(trace.path()), 0)
    assert trace.steering.prefix == trace.token_ids()[:2]


@pytest.mark.parametrize("name", ["text", "photo", "language"])
def test_what_is_written_again_is_schema_2_and_equal(name: str) -> None:
    trace = DecodeTrace.from_dict(stored(name))
    again = trace.to_dict()
    assert again["schema"] == SCHEMA == 2
    assert DecodeTrace.from_dict(json.loads(json.dumps(again))) == trace


def test_the_examples_of_the_app_are_read() -> None:
    files = sorted(EXAMPLES.glob("*.json"))
    assert files
    for file in files:
        trace = DecodeTrace.from_dict(json.loads(file.read_text(encoding="utf-8"))["trace"])
        np.testing.assert_allclose(trace.attention().sum(1), 1, atol=1e-5, err_msg=file.name)
        assert len(trace.grouped().source) == len(trace.parts[0].members)


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_a_malformed_one_gives_a_sentence_never_another_error(data: st.DataObject) -> None:
    values = copy.deepcopy(stored(data.draw(st.sampled_from(["text", "photo", "language"]))))
    place = data.draw(st.sampled_from(paths_into(values)))
    value = data.draw(st.sampled_from([None, True, -1, 10**6, math.nan, "x", [], [1], ["x"], {}, {"x": 1}, "remove"]))
    part: Any = values
    for key in place[:-1]:
        part = part[key]
    if value == "remove":
        del part[place[-1]]
    else:
        part[place[-1]] = value
    try:
        trace = DecodeTrace.from_dict(values)
    except InputError as error:
        assert str(error).endswith(".")
        return
    assert DecodeTrace.from_dict(trace.to_dict()) == trace
