"""What is true of every trace, and a slow, plain reading of a model to compare searches with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
import torch

from seq2seq_core.inputs.tokenizer import BOS, EOS, PAD, UNK
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.override import NOTHING, Override
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.trace.nodes import REASONS
from seq2seq_core.trace.trace import DecodeTrace
from tests.core.tiny import LETTERS, tiny_model

NEVER = {PAD, BOS, UNK}


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
        assert not NEVER & set(ids)
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
        assert trace.attention(place).shape == (len(path), trace.positions if path[0].attention is not None else 0)


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


@torch.no_grad()
def next_logprobs(model: Seq2Seq, memory: Memory, prefix: Sequence[int], override: Override = NOTHING) -> torch.Tensor:
    """log p of every token after a prefix, by running the whole prefix again."""
    output = model.step(torch.tensor([[BOS, *prefix]]), model.start(memory), memory, override)
    return output.logits[0, -1].log_softmax(-1).double()


def all_outputs(vocabulary: int, longest: int) -> Iterator[tuple[int, ...]]:
    """Every sequence of real tokens that ends with the end sign within so many tokens."""
    for length in range(longest):
        for tokens in itertools.product(range(UNK + 1, vocabulary), repeat=length):
            yield (*tokens, EOS)


def plain_beam(
    model: Seq2Seq, memory: Memory, size: int, limit: int, alpha: float, stop: bool = True, wanted: int = 1
) -> tuple[list[tuple[float, tuple[int, ...]]], int]:
    """Beam search as in its description, on lists: the finished (score, tokens), best first, and the steps taken."""
    live: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    finished: list[tuple[float, tuple[int, ...]]] = []
    for step in range(limit):
        pool = []
        for total, prefix in live:
            for token, logprob in enumerate(next_logprobs(model, memory, prefix).tolist()):
                if token not in NEVER:
                    pool.append((total + logprob, (*prefix, token)))
        live = []
        for total, tokens in sorted(pool, reverse=True)[: 1 if size == 1 else None]:
            if len(live) == size:
                break
            if tokens[-1] == EOS:
                finished.append((total / (step + 1) ** alpha, tokens))
            else:
                live.append((total, tokens))
        finished.sort(reverse=True)
        if not live or (stop and len(finished) >= wanted and finished[wanted - 1][0] >= live[0][0] / limit**alpha):
            return finished, step + 1
    return finished or [(total / limit**alpha, tokens) for total, tokens in live], limit
