"""Tables for pandas: every number of the trace stands in its row, and nothing is imported before one is asked for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from seq2seq_core.config import ATTENTIONS, DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.part import Head, Part
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.trace import DecodeTrace
from tests.core.invariants import tiny_pipeline
from tests.demo.traces import dog_trace, image_source, make_trace, premise_trace, question_trace

TRACES: dict[str, Callable[[], DecodeTrace]] = {
    "text": dog_trace,
    "photo": lambda: make_trace([" a", " dog", "</s>"], image_source(3, 4, (80, 60)), task="captioning", glimpses=(0, 5, 11)),
    "two texts": premise_trace,
    "photo and question": question_trace,
    "no map": lambda: make_trace([" a", "</s>"], Part.of_grid("photo", (2, 2), (8, 8)), heads=0),
    "no source": lambda: make_trace([" a", " b", "</s>"], task="language"),
    **{
        attention: lambda attention=attention: tiny_pipeline(1, eos=1.0, attention=attention).decode(
            "abc d", DecodeSettings(beam_size=3, max_length=6, hypotheses=3), Steering(prefix=(5,), hidden=(1,))
        )
        for attention in ATTENTIONS
    },
}


@pytest.fixture(params=TRACES, ids=list(TRACES))
def trace(request: pytest.FixtureRequest) -> DecodeTrace:
    return TRACES[request.param]()


def test_every_weight_stands_in_the_row_of_its_step_head_and_position(trace: DecodeTrace) -> None:
    frame, maps = trace.to_frame(), trace.maps()
    seen = sum(trace.parts[head.part].positions for head in trace.heads)
    assert len(frame) == len(maps) * max(1, seen)
    if not seen:
        assert frame[["part", "head", "source", "source_token", "weight"]].isna().all(axis=None)
        return
    names = [(trace.parts[head.part].name, head.name) for head in trace.heads]
    rebuilt = np.zeros_like(maps)
    for line in frame.itertuples():
        rebuilt[line.step - 1, names.index((line.part, line.head)), line.source - 1] = line.weight
    np.testing.assert_array_equal(rebuilt, maps)
    labels = [label for part in trace.parts for label in part.labels]
    assert [labels[s - 1] for s in frame["source"]] == frame["source_token"].tolist()


def test_every_step_tells_what_was_said_and_how_it_came_there(trace: DecodeTrace) -> None:
    steps = trace.to_frame().drop_duplicates("step")
    path = trace.path()
    assert steps["step"].tolist() == list(range(1, len(path) + 1))
    assert steps["token"].tolist() == list(trace.tokens())
    assert steps["logprob"].tolist() == [node.logprob for node in path]
    assert steps["total"].tolist() == [node.total for node in path]
    assert [origin == "forced" for origin in steps["origin"]] == [node.forced for node in path]
    for line, node in zip(steps.itertuples(), path, strict=True):
        if not pd.isna(line.candidate):
            assert node.candidates[line.candidate - 1].token_id == line.token_id
        else:
            assert node.token_id not in [one.token_id for one in node.candidates]


def test_all_hypotheses_stand_under_each_other(trace: DecodeTrace) -> None:
    frame = trace.to_frame(None)
    assert frame["hypothesis"].unique().tolist() == list(range(1, len(trace.hypotheses) + 1))
    for place in range(len(trace.hypotheses)):
        own = frame[frame["hypothesis"] == place + 1].reset_index(drop=True)
        pd.testing.assert_frame_equal(own, trace.to_frame(place))
    pd.testing.assert_frame_equal(trace.to_frame(-1), trace.to_frame(len(trace.hypotheses) - 1))
    assert len(trace.candidates_frame(None)) == sum(len(trace.candidates_frame(i)) for i in range(len(trace.hypotheses)))


def test_candidates_are_best_first_and_one_of_them_was_chosen(trace: DecodeTrace) -> None:
    frame = trace.candidates_frame()
    assert frame.groupby("step")["chosen"].sum().tolist() == [1] * len(trace.path())
    assert frame[frame["chosen"]]["token"].tolist() == list(trace.tokens())
    for node, (_, lines) in zip(trace.path(), frame.groupby("step"), strict=True):
        on_record = lines[lines["candidate"].notna()]
        assert on_record["token"].tolist() == [one.token for one in node.candidates]
        assert on_record["candidate"].tolist() == list(range(1, len(node.candidates) + 1))
        np.testing.assert_allclose(on_record["probability"], np.exp([one.logprob for one in node.candidates]))


def test_a_forced_token_that_was_no_candidate_is_listed_without_a_place() -> None:
    settings = DecodeSettings(search="greedy", max_length=3, candidates=2)
    pipeline = tiny_pipeline(1, eos=-20.0)
    known = {one.token_id for one in pipeline.decode("abc", settings).path()[0].candidates}
    forced = next(i for i in range(4, 12) if i not in known)
    trace = pipeline.decode("abc", settings, Steering(prefix=(forced,)))
    first = trace.candidates_frame().query("step == 1")
    assert first["candidate"].isna().tolist() == [False, False, True]
    assert first["chosen"].tolist() == [False, False, True]
    assert trace.to_frame()["candidate"].isna().tolist()[:3] == [True] * 3


def test_marks_have_a_column_each_and_positions_count_from_1() -> None:
    frame = premise_trace().to_frame().drop_duplicates("step")
    assert frame["mark_copied"].tolist() == [4, 5, 8, 9, 10, 10]
    assert frame["mark_gate"].tolist() == [0.91, 0.4, 0.07, 0.55, 0.2, 0.33]
    assert question_trace().to_frame().drop_duplicates("step")["origin"].tolist() == ["given"] * 3 + ["model"] * 4


def test_two_heads_of_one_part_and_positions_through_all_parts() -> None:
    frame = premise_trace().to_frame()
    assert set(zip(frame["part"], frame["head"], strict=True)) == {
        ("premise", "premise"),
        ("hypothesis", "hypothesis"),
        ("premise", "again"),
    }
    assert frame.query("part == 'hypothesis'")["source"].unique().tolist() == [7, 8, 9, 10]
    assert Head("again", 0, 1) in premise_trace().heads


def test_hypotheses_are_a_table_best_first() -> None:
    trace = TRACES["additive"]()
    frame = trace.hypotheses_frame()
    assert frame["hypothesis"].tolist() == list(range(1, len(trace.hypotheses) + 1))
    assert frame["output"].tolist() == [one.text for one in trace.hypotheses]
    assert frame["score"].is_monotonic_decreasing
    assert frame[["logprob", "tokens"]].to_numpy().tolist() == [[one.total, one.length] for one in trace.hypotheses]


def test_a_hypothesis_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="this trace has 1"):
        dog_trace().to_frame(1)
