from __future__ import annotations

import copy
import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seq2seq_core.config import ATTENTIONS, DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.trace.json import shortest
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.trace import SCHEMA, DecodeTrace, Part
from tests.core.invariants import tiny_pipeline

BEAM = DecodeSettings(beam_size=3, max_length=6, hypotheses=3)


def example(attention: str = "additive", **changes: Any) -> DecodeTrace:
    return tiny_pipeline(1, eos=1.0, attention=attention).decode("abc d", BEAM, **changes)


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("how", ["greedy", "beam", "sample", "exhaustive"])
def test_a_trace_comes_back_from_json_exactly(attention: str, how: str) -> None:
    chosen = DecodeSettings(search=how, max_length=2 if how == "exhaustive" else 7, glimpse="sample")
    trace = tiny_pipeline(1, eos=1.0, attention=attention).decode("abc d", chosen, Steering(prefix=(5,), hidden=(1,)))
    values = json.loads(json.dumps(trace.to_dict(), allow_nan=False))
    assert values == trace.to_dict()
    again = DecodeTrace.from_dict(values)
    assert again == trace
    assert again.to_dict() == values
    assert list(again.nodes) == list(trace.nodes)
    assert DecodeTrace.from_json(trace.to_json()) == trace


def test_a_trace_with_another_key_is_read_all_the_same() -> None:
    trace = example()
    assert DecodeTrace.from_dict({**trace.to_dict(), "text": trace.text()}) == trace


def test_a_trace_says_what_flows_where_and_may_have_been_written_before_it_did() -> None:
    trace = example()
    assert trace.network is not None and trace.network.bidirectional
    values = trace.to_dict()
    assert DecodeTrace.from_dict(values).network == trace.network
    del values["network"]
    assert DecodeTrace.from_dict(values) == replace(trace, network=None)


def test_equality_sees_every_part() -> None:
    values = example().to_dict()
    changes: list[tuple[str, Any]] = [("model_id", "x"), ("task", "language"), ("encode_ms", 1.5), ("max_length", 7)]
    for name, value in changes:
        assert DecodeTrace.from_dict({**values, name: value}) != DecodeTrace.from_dict(values)
    for name, value in (("score", -1.0), ("rank", 9), ("forced", True), ("why", "length limit")):
        changed = copy.deepcopy(values)
        changed["nodes"][1][name] = value
        assert DecodeTrace.from_dict(changed) != DecodeTrace.from_dict(values)
    changed = copy.deepcopy(values)
    changed["nodes"][0]["attention"] = [0.2] * 5
    assert DecodeTrace.from_dict(changed) != DecodeTrace.from_dict(values)
    changed = copy.deepcopy(values)
    changed["nodes"][0]["candidates"][-1]["logprob"] -= 0.1
    assert DecodeTrace.from_dict(changed) != DecodeTrace.from_dict(values)


def test_the_format_of_a_node() -> None:
    trace = example()
    values = trace.to_dict()
    assert values["schema"] == SCHEMA == 2
    first = values["nodes"][0]
    assert list(first) == [
        "id", "parent", "step", "token_id", "token", "logprob", "total", "score", "rank", "state", "why", "forced",
        "attention", "candidates", "marks",
    ]  # fmt: skip
    assert (first["id"], first["parent"], first["step"], first["state"]) == (0, None, 0, trace.nodes[0].state)
    assert len(first["attention"]) == 5
    assert list(first["candidates"][0]) == ["token_id", "token", "logprob"]
    multi = example("multi-head").to_dict()["nodes"][0]["attention"]
    assert (len(multi), len(multi[0])) == (4, 5)
    assert example("none").to_dict()["nodes"][0]["attention"] is None


def test_a_pruned_node_leaves_its_distribution_to_a_sibling() -> None:
    nodes = example().to_dict()["nodes"]
    families: dict[int | None, list[dict[str, Any]]] = {}
    for node in nodes:
        families.setdefault(node["parent"], []).append(node)
    childless = 0
    for family in families.values():
        carriers = [node for node in family if node["candidates"] is not None]
        kept = [node for node in family if node["state"] != "pruned"]
        assert carriers == (kept or family[:1])
        assert all((node["attention"] is None) == (node["candidates"] is None) for node in family)
        childless += not kept
    assert childless


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), max_size=20))
def test_numbers_are_written_short_and_read_back_exactly(numbers: list[float]) -> None:
    values = np.array(numbers, dtype=np.float32)
    written = json.loads(json.dumps(shortest(values)))
    np.testing.assert_array_equal(np.array(written, dtype=np.float32), values)


def test_a_tenth_is_written_as_a_tenth() -> None:
    assert json.dumps(shortest(np.array([[0.1, 0.7]], dtype=np.float32))) == "[[0.1, 0.7]]"


def paths_into(values: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where every value of a JSON document stands; of long lists, the first two."""
    found = [path] if path else []
    if isinstance(values, dict):
        for key, value in values.items():
            found += paths_into(value, (*path, key))
    elif isinstance(values, list):
        for place, value in enumerate(values[:2]):
            found += paths_into(value, (*path, place))
    return found


DOCUMENT = example().to_dict()
PLACES = paths_into(DOCUMENT)
FREE = {"text", "tokens", "token", "words", "model_id"}  # any string is right there


@given(
    place=st.sampled_from(PLACES),
    value=st.sampled_from([None, True, -1, 10**6, 1.5, math.nan, math.inf, "x", "", [], [1], ["x"], {}, {"x": 1}, "remove"]),
)
@settings(max_examples=300, deadline=None)
def test_a_malformed_trace_gives_a_sentence_never_another_error(place: tuple[Any, ...], value: Any) -> None:
    values = copy.deepcopy(DOCUMENT)
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
    for hypothesis in range(len(trace.hypotheses)):  # what is accepted can be used
        trace.attention(hypothesis)
        trace.grouped(hypothesis)
    list(trace.nodes)
    assert repr(trace)
    assert DecodeTrace.from_dict(trace.to_dict()) == trace


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda v: v.update(schema=3), "The trace has schema 3; this version reads schema 2, and 1."),
        (lambda v: v.pop("nodes"), "'nodes' is missing in the trace; export the trace again."),
        (lambda v: v["nodes"][3].pop("total"), "'total' is missing in nodes[3]; export the trace again."),
        (lambda v: v["nodes"][3].update(total="x"), "total is 'x' in nodes[3]; it must be a whole number or a number."),
        (lambda v: v["nodes"][0].update(total=-99.0), None),
        (lambda v: v["nodes"][9].update(parent=9), None),
        (lambda v: v["nodes"][0].update(attention=[1.0]), None),
        (lambda v: v["hypotheses"][0].update(node=999), None),
        (lambda v: v["hypotheses"].clear(), None),
        (lambda v: v["settings"].update(beam_size=0), "beam_size is 0; it must be between 1 and 20."),
        (lambda v: v["nodes"].clear(), "The trace has no nodes; export it again."),
        (lambda v: v.update(network=1), "network is '1'; it must be an object."),
        (lambda v: v["network"].update(wiring="x"), "wiring is 'x'; it must be one of output, straight, input, state."),
    ],
)
def test_what_is_wrong_with_a_trace_is_said(change: Any, sentence: str | None) -> None:
    values = copy.deepcopy(DOCUMENT)
    change(values)
    with pytest.raises(InputError) as error:
        DecodeTrace.from_dict(values)
    assert sentence is None or str(error.value) == sentence


def test_text_that_is_no_trace() -> None:
    with pytest.raises(InputError, match=r"^The trace is not valid JSON"):
        DecodeTrace.from_json("{")
    with pytest.raises(InputError, match=r"^A trace is a JSON object; this is list"):
        DecodeTrace.from_json("[]")
    with pytest.raises(InputError, match=r"^The trace has schema None"):
        DecodeTrace.from_json("{}")


def test_siblings_share_their_distribution() -> None:
    trace = example()
    first, second = trace.nodes[0], trace.nodes[1]
    assert first.parent is second.parent is None
    assert np.shares_memory(first.attention, second.attention)
    assert first.candidates == second.candidates


def test_nodes_are_a_sequence_that_cannot_be_changed() -> None:
    nodes = example().nodes
    assert nodes[-1] == nodes[len(nodes) - 1]
    assert nodes[2:5] == (nodes[2], nodes[3], nodes[4])
    assert nodes[0] != nodes[1]
    assert nodes[0] != "a node"
    with pytest.raises(IndexError):
        nodes[len(nodes)]
    with pytest.raises(ValueError, match="read-only"):
        nodes[0].attention[0] = 1
    with pytest.raises(TypeError):
        hash(nodes)


def test_a_path_may_end_at_any_node() -> None:
    trace = example()
    node = next(node for node in trace.nodes if node.state == "pruned" and node.step == 3)
    path = trace.path(node=node.id)
    assert path[-1] == node
    assert [one.step for one in path] == [0, 1, 2, 3]
    assert trace.tokens(node=node.id) == tuple(one.token for one in path)
    np.testing.assert_array_equal(trace.attention(node=node.id)[3], node.attention)
    with pytest.raises(InputError, match=r"^The node is 9999; this trace has the nodes 0 to \d+\.$"):
        trace.path(node=9999)


def test_attention_is_the_mean_of_the_heads() -> None:
    trace = example("multi-head")
    assert trace.maps().shape == (len(trace.path()), 4, 5)
    np.testing.assert_allclose(trace.attention(), trace.maps().mean(1))
    np.testing.assert_array_equal(trace.maps()[0], trace.path()[0].attention)


def test_entropy_of_certain_and_of_even_rows() -> None:
    values = example().to_dict()
    values["nodes"] = [{**node, "attention": node["attention"] and [0, 0, 1, 0, 0]} for node in values["nodes"]]
    assert DecodeTrace.from_dict(values).entropy().tolist() == [0] * len(example().path())
    values["nodes"] = [{**node, "attention": node["attention"] and [0.2] * 5} for node in values["nodes"]]
    np.testing.assert_allclose(DecodeTrace.from_dict(values).entropy(), math.log(5), rtol=1e-6)


def words_example() -> DecodeTrace:
    """Six source tokens in three words; the output is given two words by hand."""
    pipeline = tiny_pipeline(1, eos=-20.0)
    values = pipeline.decode("abcdef", DecodeSettings(search="greedy", max_length=4)).to_dict()
    values["parts"][0]["groups"] = [0, 0, 1, 2, 2, 2]
    values["hypotheses"][0] |= {"groups": [0, 1, 1, 1], "words": ["one", "two"]}
    return DecodeTrace.from_dict(values)


def test_words_sum_over_the_source_and_average_over_the_target() -> None:
    trace = words_example()
    words = trace.grouped()
    assert words.source == ("ab", "c", "def")
    assert words.target == ("one", "two")
    assert words.source_members == ((0, 1), (2,), (3, 4, 5))
    assert words.target_members == ((0,), (1, 2, 3))
    rows = trace.attention()
    summed = np.stack([rows[:, :2].sum(1), rows[:, 2], rows[:, 3:].sum(1)], 1)
    np.testing.assert_allclose(words.attention, [summed[0], summed[1:].mean(0)], rtol=1e-6)
    np.testing.assert_allclose(words.attention.sum(1), 1, atol=1e-6)


@given(text=st.text("abcdefgh ", min_size=1, max_size=20).filter(str.strip), seed=st.integers(0, 20))
@settings(max_examples=30, deadline=None)
def test_grouped_rows_still_sum_to_one(text: str, seed: int) -> None:
    trace = tiny_pipeline(seed).decode(text, DecodeSettings(search="greedy"))
    words = trace.grouped()
    assert words.attention.shape == (len(words.target), len(words.source))
    np.testing.assert_allclose(words.attention.sum(1), 1, atol=1e-5)
    assert sorted(place for members in words.source_members for place in members) == list(range(trace.positions))
    assert tiny_pipeline(seed, attention="none").decode(text).grouped().attention.shape[1] == 0


def test_a_picture_is_grouped_by_cell() -> None:
    values = words_example().to_dict()
    values["parts"][0] |= {"name": "photo", "text": "", "ids": [], "spans": [], "groups": list(range(6)), "grid": [2, 3], "size": [60, 40]}
    trace = DecodeTrace.from_dict(values)
    assert trace.positions == 6
    assert trace.grouped().attention.shape == (2, 6)
    assert repr(trace).startswith("DecodeTrace('test/tiny', photo 60 x 40 -> ")


def test_a_trace_says_what_it_is() -> None:
    trace = example()
    assert repr(trace) == (
        f"DecodeTrace('test/tiny', 'abc d' -> {trace.text()!r}, beam 3, {trace.hypotheses[0].length} tokens, "
        f"total {trace.hypotheses[0].total:.4f}, 3 hypotheses, {len(trace.nodes)} nodes)"
    )
    assert repr(trace.nodes) == f"NodeTable({len(trace.nodes)} nodes)"


def test_positions_of_a_source() -> None:
    assert Part("text", ("a", "b"), (0, 1), "ab", ((0, 1), (1, 2)), (4, 5)).positions == 2
    photo = Part.of_grid("photo", (7, 8), (60, 40))
    assert (photo.positions, photo.labels[9], photo.members[9]) == (56, "row 2, column 2", (9,))
