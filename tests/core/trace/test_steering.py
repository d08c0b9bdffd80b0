from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from seq2seq_core.config import WIRINGS, DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, EOS, PAD, UNK
from seq2seq_core.model.override import Override, Rows
from seq2seq_core.model.record import Record
from seq2seq_core.search.job import gumbel_noise
from seq2seq_core.search.plain import next_logprobs
from seq2seq_core.trace.steering import RowEdit, Steering, visible
from seq2seq_core.trace.trace import DecodeTrace
from tests.core.invariants import assert_close, check_trace, tiny_pipeline
from tests.core.tiny import LETTERS

TEXT = "abc d"  # 5 positions
ONE_HEAD = ["dot", "bilinear", "additive", "key-query", "hard"]
SEARCHES = ["greedy", "beam", "sample"]


def chosen(how: str, **changes: Any) -> DecodeSettings:
    return DecodeSettings(search=how, beam_size=4, max_length=8, **changes)


def row_of(trace: DecodeTrace, step: int) -> tuple[float, ...]:
    return tuple(trace.attention()[step].tolist())


weights = st.lists(st.floats(0, 1e6), min_size=5, max_size=5).filter(any).map(tuple)
row_edits = st.builds(RowEdit, st.integers(0, 9), weights, st.booleans())


@st.composite
def steerings(draw: st.DrawFn) -> Steering:
    prefix = draw(st.lists(st.integers(4, 12), max_size=3))
    steps = draw(st.sets(st.integers(len(prefix), 7), max_size=2))
    tokens = [(step, draw(st.integers(4, 12))) for step in steps]
    hidden = draw(st.sets(st.integers(0, 4), max_size=3))
    rows = draw(st.lists(row_edits, max_size=3, unique_by=lambda row: (row.step, row.onward)))
    rows = [row for row in rows if any(weight for place, weight in enumerate(row.weights) if place not in hidden)]
    return Steering(tuple(prefix), tuple(tokens), tuple(rows), tuple(hidden))


@given(steering=steerings(), how=st.sampled_from(SEARCHES), attention=st.sampled_from([*ONE_HEAD, "multi-head"]), seed=st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_any_steering_gives_a_sound_trace_that_obeys_it(steering: Steering, how: str, attention: str, seed: int) -> None:
    trace = tiny_pipeline(seed, eos=-2.0, attention=attention).decode(TEXT, chosen(how), steering)
    check_trace(trace)
    assert DecodeTrace.from_json(trace.to_json()) == trace
    forced = steering.forced()
    for node in trace.nodes:
        if node.state == "pruned":
            assert not node.forced
            assert (node.why == "another token was forced") == (node.step in forced) or node.why in ("length limit", "finished worse")
        else:
            assert node.forced == (node.step in forced)
            assert not node.forced or node.token_id == forced[node.step]
        row = steering.row_at(node.step)
        if row is not None:
            for head in np.atleast_2d(node.attention):
                np.testing.assert_array_equal(head, visible(row, steering.hidden))


@given(steering=steerings())
def test_steering_survives_json(steering: Steering) -> None:
    assert Steering.from_dict(json.loads(json.dumps(steering.to_dict()))) == steering


@pytest.mark.parametrize("attention", ONE_HEAD)
@pytest.mark.parametrize("wiring", ["input", "output"])
@pytest.mark.parametrize("how", ["greedy", "sample"])
def test_writing_back_a_row_changes_nothing(attention: str, wiring: str, how: str) -> None:
    pipeline = tiny_pipeline(3, eos=-2.0, attention=attention, wiring=wiring)
    trace = pipeline.decode(TEXT, chosen(how))
    for step in range(len(trace.path())):
        again = pipeline.decode(TEXT, chosen(how), Steering(rows=(RowEdit(step, row_of(trace, step)),)))
        assert again.nodes == trace.nodes
    every = tuple(RowEdit(step, row_of(trace, step)) for step in range(len(trace.path())))
    assert pipeline.decode(TEXT, chosen(how), Steering(rows=every)).nodes == trace.nodes


@pytest.mark.parametrize("attention", ONE_HEAD)
@pytest.mark.parametrize("wiring", WIRINGS)
def test_writing_back_a_row_changes_nothing_under_beam_search(attention: str, wiring: str) -> None:
    pipeline = tiny_pipeline(3, eos=-2.0, attention=attention, wiring=wiring)
    prefix = pipeline.decode(TEXT, chosen("beam")).token_ids()[:3]
    trace = pipeline.decode(TEXT, chosen("beam"), Steering(prefix))
    for step in range(4):
        again = pipeline.decode(TEXT, chosen("beam"), Steering(prefix, rows=(RowEdit(step, row_of(trace, step)),)))
        assert again.nodes == trace.nodes


@pytest.mark.parametrize("how", SEARCHES)
def test_forcing_what_the_model_says_anyway_changes_only_the_marks(how: str) -> None:
    pipeline = tiny_pipeline(3, eos=-2.0)
    plain = pipeline.decode(TEXT, chosen(how))
    trace = pipeline.decode(TEXT, chosen(how), Steering(plain.token_ids()[:3]))
    assert trace.token_ids() == plain.token_ids()
    assert trace.hypotheses[0].total == pytest.approx(plain.hypotheses[0].total, abs=1e-6)
    assert [node.forced for node in trace.path()] == [True] * 3 + [False] * (len(plain.path()) - 3)


@pytest.mark.parametrize("how", SEARCHES)
def test_a_forced_token_has_the_models_probability(how: str) -> None:
    pipeline = tiny_pipeline(3, eos=-2.0)
    memory = pipeline.encode(TEXT).memory
    steering = Steering(prefix=(7,), tokens=((3, UNK), (1, 5)))
    trace = pipeline.decode(TEXT, chosen(how, candidates=1), steering)
    check_trace(trace)
    for place in range(len(trace.hypotheses)):
        ids = trace.token_ids(place)
        assert (ids[0], ids[1], ids[3]) == (7, 5, UNK)
        for node in trace.path(place):
            assert node.logprob == pytest.approx(next_logprobs(pipeline.model, memory, ids[: node.step])[node.token_id].item(), abs=1e-5)


def test_a_forced_step_keeps_all_beams_and_says_what_fell() -> None:
    trace = tiny_pipeline(3, eos=-2.0).decode(TEXT, chosen("beam"), Steering(tokens=((2, 9),)))
    kept = [trace.nodes[i] for i in trace.beams[2]]
    assert [node.token_id for node in kept] == [9] * 4
    assert len({node.parent for node in kept}) == 4
    fell = [node for node in trace.nodes if node.step == 2 and node.state == "pruned"]
    assert {node.why for node in fell} == {"another token was forced"}


@pytest.mark.parametrize("how", SEARCHES)
def test_a_forced_end_ends(how: str) -> None:
    trace = tiny_pipeline(3, eos=-20.0).decode(TEXT, chosen(how), Steering(prefix=(4, 5, EOS)))
    assert trace.token_ids() == (4, 5, EOS)
    assert trace.path()[-1].state == "finished"
    check_trace(trace)


def test_an_exhaustive_search_obeys_too() -> None:
    pipeline = tiny_pipeline(3)
    exhaustive = DecodeSettings(search="exhaustive", max_length=4, hypotheses=20, limit=200)
    trace = pipeline.decode(TEXT, exhaustive, Steering(prefix=(4, 5), hidden=(1,)))
    check_trace(trace)
    assert {trace.token_ids(place)[:2] for place in range(10)} == {(4, 5)}
    assert len(trace.hypotheses) == 1 + 9


@pytest.mark.parametrize("how", SEARCHES)
def test_hidden_positions_get_exactly_nothing(how: str) -> None:
    pipeline = tiny_pipeline(3, eos=-2.0, attention="multi-head")
    trace = pipeline.decode(TEXT, chosen(how), Steering(hidden=(1, 4)))
    check_trace(trace)
    assert (trace.maps()[:, :, [1, 4]] == 0).all()
    assert (trace.maps()[:, :, [0, 2, 3]] > 0).all()
    assert not np.array_equal(trace.maps(), pipeline.decode(TEXT, chosen(how)).maps())


@pytest.mark.parametrize("onward", [False, True])
@pytest.mark.parametrize("how", SEARCHES)
def test_a_row_holds_at_its_step_or_from_there_on(how: str, onward: bool) -> None:
    pipeline = tiny_pipeline(3, eos=-20.0)
    edit = RowEdit(2, (0, 0, 0, 1, 0), onward)
    trace = pipeline.decode(TEXT, chosen(how), Steering(rows=(edit,)))
    hot = (trace.attention() == np.array([0, 0, 0, 1, 0])).all(1)
    assert hot.tolist() == [False, False, True] + [onward] * 5
    plain = pipeline.decode(TEXT, chosen(how), Steering(trace.token_ids()[:3]))
    assert trace.nodes[0].logprob == plain.nodes[0].logprob


def test_a_row_for_one_step_comes_before_one_that_holds_onward() -> None:
    steering = Steering(rows=(RowEdit(4, (1, 0), onward=True), RowEdit(1, (0, 1), onward=True), RowEdit(5, (1, 1))))
    assert [row and row.weights for row in map(steering.row_at, range(7))] == [None, (0, 1), (0, 1), (0, 1), (1, 0), (1, 1), (1, 0)]


@pytest.mark.parametrize("attention", ONE_HEAD)
@torch.no_grad()
def test_a_one_hot_row_gives_the_context_of_its_position(attention: str) -> None:
    pipeline = tiny_pipeline(3, attention=attention)
    encoded = pipeline.encode(TEXT)
    for place in range(5):
        row = torch.nn.functional.one_hot(torch.tensor([[place]]), 5).float()
        override, record = Override(Rows(row, torch.tensor([[True]]))), Record()
        pipeline.model.step(torch.tensor([[BOS]]), pipeline.model.start(encoded.memory), encoded.memory, override, record)
        torch.testing.assert_close(record.whole("attention/context")[0, 0], encoded.memory.states[0, place], atol=1e-6, rtol=0)


def test_steering_of_a_batch_is_the_steering_of_each() -> None:
    pipeline = tiny_pipeline(5, eos=-1.0)
    texts = ["abc", "hgfe d", "ab"]
    steering = [
        Steering(prefix=(4, 6), rows=(RowEdit(1, (1, 2, 1), onward=True),)),
        Steering(hidden=(0, 3)),
        Steering(tokens=((2, 8), (3, EOS))),
    ]
    for how in SEARCHES:
        traces = pipeline.decode_batch(texts, chosen(how), steering)
        for trace, text, one in zip(traces, texts, steering, strict=True):
            assert_close(trace, pipeline.decode(text, chosen(how), one))
            check_trace(trace)


@pytest.mark.parametrize("how", SEARCHES)
@pytest.mark.parametrize("attention", ["additive", "multi-head", "hard"])
def test_teacher_forcing_reproduces_a_steered_hypothesis(how: str, attention: str) -> None:
    pipeline = tiny_pipeline(5, eos=1.0, attention=attention)
    steering = Steering(rows=(RowEdit(1, (1, 0, 0, 0, 1)), RowEdit(2, (0, 1, 1, 1, 0), onward=True)), hidden=(2,))
    trace = pipeline.decode(TEXT, chosen(how), steering)
    ids = trace.token_ids()
    again = pipeline.score(TEXT, ids, steering=steering)
    assert again.nodes[len(ids) - 1].total == pytest.approx(trace.hypotheses[0].total, abs=1e-5)
    np.testing.assert_allclose(again.maps()[: len(ids)], trace.maps(), atol=1e-5)


def test_the_noise_of_a_sampled_glimpse_does_not_depend_on_padding() -> None:
    assert torch.equal(gumbel_noise(3, 5), gumbel_noise(3, 9)[:, :5])
    assert not torch.equal(gumbel_noise(3, 5), gumbel_noise(4, 5))


@given(values=weights, hidden=st.sets(st.integers(0, 4), max_size=4))
def test_rows_sum_to_one_over_what_is_visible(values: tuple[float, ...], hidden: set[int]) -> None:
    row = RowEdit(0, values)
    if not any(weight for place, weight in enumerate(values) if place not in hidden):
        with pytest.raises(InputError, match="has weight only on hidden source positions"):
            visible(row, sorted(hidden))
        return
    found = visible(row, sorted(hidden))
    assert found.sum() == pytest.approx(1, abs=1e-5)
    assert (found[sorted(hidden)] == 0).all()
    again = visible(RowEdit(0, tuple(found.tolist())), sorted(hidden))
    np.testing.assert_array_equal(again, found)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: RowEdit(-1, (1,)), "The step of an attention row is -1; it must be a whole number between 0 and 399."),
        (lambda: RowEdit(2, (0.5, -0.5)), "The attention row of step 2 has the weight -0.5; weights are numbers from 0 up."),
        (lambda: RowEdit(2, (0.5, float("nan"))), "The attention row of step 2 has the weight nan; weights are numbers from 0 up."),
        (lambda: RowEdit(2, (0, 0)), "The attention row of step 2 is all 0; give at least one source position a weight."),
        (lambda: RowEdit(2, ()), "The attention row of step 2 is all 0; give at least one source position a weight."),
        (lambda: RowEdit(2, (1,), onward=1), "onward is 1; it must be true or false."),
        (lambda: Steering(prefix=(5,), tokens=((0, 6),)), "Step 0 is forced twice; force one token per step."),
        (lambda: Steering(tokens=((3, 6), (3, 7))), "Step 3 is forced twice; force one token per step."),
        (lambda: Steering(prefix=(PAD,)), "The token forced at step 0 is padding; force a real token."),
        (lambda: Steering(tokens=((4, BOS),)), "The token forced at step 4 is the start sign; force a real token."),
        (lambda: Steering(prefix=(5, -1)), "The token forced at step 1 is -1; it must be a whole number between 0 and 100000."),
        (lambda: Steering(prefix=(EOS, 5)), "The end of the sentence is forced at step 0, but a later token is forced too; remove one of them."),  # noqa: E501
        (lambda: Steering(prefix="abc"), "prefix of a steering is 'abc'; it must be a list."),
        (lambda: Steering(tokens=(5,)), "A forced token is 5; it must be a step and a token id."),
        (lambda: Steering(hidden=(-1,)), "A hidden source position is -1; it must be a whole number between 0 and 100000."),
        (lambda: Steering(rows=(RowEdit(1, (1,)), RowEdit(1, (2,)))), "Two attention rows are given for the same step; give one."),
        (lambda: Steering.from_dict({"rows": [{"step": 1}]}), "A row of a steering must be an object with step, weights, onward."),
        (lambda: Steering.from_dict({"row": []}), "'row' is not a part of a steering; it has prefix, tokens, rows, hidden."),
        (lambda: Steering.from_dict({"prefix": 5}), "prefix of a steering is 5; it must be a list."),
    ],
)  # fmt: skip
def test_impossible_steering_is_refused(make: Any, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        make()
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("steering", "sentence"),
    [
        (Steering(prefix=(99,)), "The token forced at step 0 is 99; it must be a whole number between 0 and 12."),
        (Steering(tokens=((8, 5),)), "A token is forced at step 8; this output has at most 8 tokens, so the last step is 7."),
        (Steering(hidden=(5,)), "A hidden source position is 5; it must be a whole number between 0 and 4."),
        (Steering(hidden=(0, 1, 2, 3, 4)), "All 5 source positions are hidden; leave at least one visible."),
        (Steering(rows=(RowEdit(1, (1, 0)),)), "The attention row of step 1 has 2 weights; the source has 5 positions."),
        (
            Steering(rows=(RowEdit(1, (1, 0, 0, 0, 0)),), hidden=(0,)),
            "The attention row of step 1 has weight only on hidden source positions; give a visible one some.",
        ),
    ],
)
def test_steering_that_does_not_fit_is_refused_before_the_first_step(steering: Steering, sentence: str) -> None:
    for how in SEARCHES:
        with pytest.raises(InputError) as error:
            next(tiny_pipeline().stream(TEXT, chosen(how), steering))
        assert str(error.value) == sentence


def test_rows_need_a_map_and_a_source() -> None:
    row = Steering(rows=(RowEdit(0, (1, 0, 0, 0, 0)),))
    with pytest.raises(InputError, match="This model's attention is 'every-step': it has no attention rows to change"):
        tiny_pipeline(attention="every-step").decode(TEXT, steering=row)
    with pytest.raises(InputError, match="This model has no source, so there is no attention to change"):
        tiny_pipeline(source="none", attention="none").decode(None, steering=row)
    hidden = tiny_pipeline(attention="every-step").decode(TEXT, steering=Steering(hidden=(1,)))
    assert hidden.attention().shape[1] == 0


def test_steering_is_false_when_it_asks_for_nothing() -> None:
    assert not Steering()
    assert Steering(hidden=(1,))
    assert Steering(hidden=[2, 1, 2]).hidden == (1, 2)
    assert dataclasses.replace(Steering(), prefix=[5]).prefix == (5,)
    assert LETTERS.size == 13
