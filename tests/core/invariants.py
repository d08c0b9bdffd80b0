"""What is true of every trace, and every output there is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
import torch

from seq2seq_core.inputs.tokenizer import EOS, UNK
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.search.plain import NEVER
from seq2seq_core.trace.nodes import REASONS
from seq2seq_core.trace.trace import DecodeTrace
from tests.core.tiny import LETTERS, tiny_model


def tiny_pipeline(seed: int = 0, eos: float = 0.0, **changes: object) -> Pipeline:
    """`eos` is added to the logit of the end sign, to make outputs longer or shorter."""
    model = tiny_model(seed, **changes)
    with torch.no_grad():
        model.decoder.output.bias[EOS] += eos
    return Pipeline("test/tiny", model, LETTERS if model.config.source == "text" else None, LETTERS)


def check_trace(trace: DecodeTrace) -> None:
    nodes = list(trace.nodes)
    children = {node.parent for node in nodes}
    steps = nodes[-1].step + 1
    for node in nodes:
        parent = None if node.parent is None else nodes[node.parent]
        assert parent is None or parent.id < node.id
        assert node.step == (0 if parent is None else parent.step + 1) < trace.max_length
        assert node.total == (0.0 if parent is None else parent.total) + node.logprob
        assert node.score == pytest.approx(node.total / (node.step + 1) ** trace.settings.length_penalty, abs=1e-12)
        ids = [candidate.token_id for candidate in node.candidates]
        logprobs = [candidate.logprob for candidate in node.candidates]
        assert logprobs == sorted(logprobs, reverse=True)
        assert len(set(ids)) == len(ids)
        assert not set(NEVER) & set(ids)
        assert node.forced or (node.token_id in ids and node.token_id not in NEVER)
        assert node.token_id not in ids or node.logprob == logprobs[ids.index(node.token_id)]
        assert node.token == LETTERS.token(node.token_id)
        assert node.why in REASONS
        assert (node.state == "alive") == (node.id in children)
        assert node.state != "alive" or not node.why
        assert node.state != "pruned" or node.why
        assert node.state != "finished" or node.token_id == EOS or node.why in ("length limit", "search stopped")
    check_attention(trace)
    check_lists(trace, steps)


def check_attention(trace: DecodeTrace) -> None:
    visible = np.ones(trace.positions, dtype=bool)
    visible[list(trace.steering.hidden)] = False
    for node in trace.nodes:
        if node.attention is None:
            continue
        rows = np.atleast_2d(node.attention)
        assert rows.dtype == np.float32
        assert rows.shape[1] == trace.positions
        assert (rows >= 0).all()
        assert (rows[:, ~visible] == 0).all()
        np.testing.assert_allclose(rows.sum(1), 1, atol=1e-5)


def check_lists(trace: DecodeTrace, steps: int) -> None:
    assert len(trace.beams) == len(trace.survivors) == steps
    for step, ids in enumerate(trace.beams):
        assert all(trace.nodes[i].step == step for i in ids)
        if step < steps - 1:
            assert all(trace.nodes[i].state == "alive" for i in ids)
    scores = [one.score for one in trace.hypotheses]
    assert scores == sorted(scores, reverse=True)
    finished = {node.id for node in trace.nodes if node.state == "finished"}
    assert finished == {one.node for one in trace.hypotheses}
    for place, one in enumerate(trace.hypotheses):
        path = trace.path(place)
        assert path[-1].id == one.node
        assert (one.total, one.score, one.length) == (path[-1].total, path[-1].score, len(path))
        assert one.text == LETTERS.decode(node.token_id for node in path)
        assert len(one.words) == len(set(one.groups))
        assert trace.maps(place).shape == (len(path), len(trace.heads), trace.positions)


def assert_close(one: DecodeTrace, other: DecodeTrace, tolerance: float = 1e-5, ranks: bool = True) -> None:
    """The same tree, with numbers that differ by rounding at most."""
    a, b = one.nodes, other.nodes
    for name in ("parent", "step", "token_id", "state", "why", "forced", *(["rank"] if ranks else [])):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    for name in ("logprob", "total", "score"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=tolerance, err_msg=name)
    np.testing.assert_allclose(a.attention[a.row], b.attention[b.row], atol=tolerance)
    np.testing.assert_array_equal(a.candidate_ids[a.row], b.candidate_ids[b.row])
    np.testing.assert_allclose(a.candidate_logprobs[a.row], b.candidate_logprobs[b.row], atol=tolerance)
    assert a.marks.keys() == b.marks.keys()
    for name, column in a.marks.items():
        np.testing.assert_array_equal(column[a.row], b.marks[name][b.row], err_msg=name)
    assert one.beams == other.beams
    assert [h.text for h in one.hypotheses] == [h.text for h in other.hypotheses]


def all_outputs(vocabulary: int, longest: int) -> Iterator[tuple[int, ...]]:
    """Every sequence of real tokens that ends with the end sign within so many tokens."""
    for length in range(longest):
        for tokens in itertools.product(range(UNK + 1, vocabulary), repeat=length):
            yield (*tokens, EOS)
