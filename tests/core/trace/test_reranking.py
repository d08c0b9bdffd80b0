from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.trace.nodes import ALIVE
from seq2seq_core.trace.reranking import ABSENT, ending_at, greedy_path, judge, less_expected, outputs_of, rerank
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.trace import DecodeTrace
from tests.core.invariants import tiny_pipeline
from tests.core.tiny import LETTERS

TEXT = "abc d"


def beam(size: int, penalty: float = 0.7, **changes: object) -> DecodeSettings:
    return DecodeSettings(beam_size=size, length_penalty=penalty, max_length=8, **changes)


def outputs(trace: DecodeTrace) -> list[tuple[tuple[int, ...], float]]:
    return [(trace.token_ids(place), found.score) for place, found in enumerate(trace.hypotheses)]


@given(
    seed=st.integers(0, 60),
    eos=st.sampled_from([-2.0, 0.0, 1.5]),
    stored=st.integers(1, 6),
    kept=st.integers(1, 6),
    penalty=st.sampled_from([0.0, 0.3, 0.7, 1.0, 2.0]),
    forced=st.sampled_from([(), (5,), (4, 6)]),
)
@settings(max_examples=40, deadline=None)
def test_reranking_is_what_a_real_search_returns(
    seed: int, eos: float, stored: int, kept: int, penalty: float, forced: tuple[int, ...]
) -> None:
    pipeline = tiny_pipeline(seed, eos=eos)
    trace = pipeline.decode(TEXT, beam(stored), Steering(forced))
    found = rerank(trace, penalty, kept)
    assert found.kept == min(kept, stored)
    if found.leaves_tree is not None:
        return
    real = pipeline.decode(TEXT, beam(found.kept, penalty), Steering(forced))
    expected = outputs(real)
    assert found.stops_after is not None
    mine = [(trace.token_ids(node=one.node), one.score) for one in found.ranked if one.length <= found.stops_after + 1][: found.kept]
    assert found.ranked[0].score == mine[0][1], "what ends later never wins"
    assert [ids for ids, _ in mine] == [ids for ids, _ in expected]
    np.testing.assert_allclose([score for _, score in mine], [score for _, score in expected], atol=1e-5)
    for step in range(found.stops_after):
        assert ((found.states == ALIVE) & (trace.nodes.step == step)).sum() == len(real.beams[step])


def test_some_rerankings_are_exact_and_some_leave_the_tree() -> None:
    known = [rerank(tiny_pipeline(seed, eos=-1.0).decode(TEXT, beam(5)), 0.7, 2).leaves_tree for seed in range(30)]
    assert None in known
    assert any(step is not None for step in known)


@pytest.mark.parametrize("seed", range(8))
def test_the_stored_rule_changes_nothing(seed: int) -> None:
    trace = tiny_pipeline(seed).decode(TEXT, beam(5))
    found = rerank(trace)
    assert [(one.node, one.score) for one in found.ranked[:5]] == [(one.node, one.score) for one in trace.hypotheses]
    assert [one.node for one in found.ranked] == outputs_of(trace)
    assert [one.before for one in found.ranked] == list(range(len(found.ranked)))
    np.testing.assert_array_equal(found.states, trace.nodes.state)
    assert found.flips == 0
    assert found.leaves_tree is None
    for node in trace.nodes:
        gap = found.gaps[node.id] / (node.step + 1) ** trace.settings.length_penalty
        assert trace.gap(node.id) == pytest.approx(gap, abs=1e-9)
        if node.why == "outside the beam" and node.token_id != 2:
            assert gap <= 0


def test_no_model_call(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = tiny_pipeline(3)
    trace = pipeline.decode(TEXT, beam(5))
    calls = []
    for name in ("step", "encode", "start"):
        monkeypatch.setattr(type(pipeline.model), name, lambda *_, **__: calls.append(1))
    for kept in range(1, 6):
        for penalty in (0.0, 0.5, 2.0):
            greedy_path(trace, states=rerank(trace, penalty, kept).states)
    assert calls == []


def test_a_longer_output_wins_with_more_normalisation() -> None:
    flipped = 0
    for seed in range(40):
        trace = tiny_pipeline(seed, eos=0.5).decode(TEXT, beam(6, 0.0, hypotheses=6))
        short, long = rerank(trace, 0.0), rerank(trace, 2.0)
        assert {one.node for one in short.ranked} == {one.node for one in long.ranked}
        assert short.ranked[0].length <= long.ranked[0].length
        assert short.flips == 0
        order = [one.before for one in long.ranked]
        assert long.flips == sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])
        flipped += short.ranked[0].node != long.ranked[0].node
    assert flipped > 0


def test_a_smaller_beam_does_not_look_at_what_a_larger_one_kept() -> None:
    trace = tiny_pipeline(3, eos=-2.0).decode(TEXT, beam(5))
    found = rerank(trace, None, 2)
    assert (found.states == ABSENT).any()
    assert np.isnan(found.gaps[found.states == ABSENT]).all()
    for step in range(3):
        assert ((found.states == ALIVE) & (trace.nodes.step == step)).sum() <= 2


@pytest.mark.parametrize("seed", range(20))
def test_greedys_path_in_the_tree(seed: int) -> None:
    pipeline = tiny_pipeline(seed, eos=-0.5)
    trace = pipeline.decode(TEXT, beam(3))
    greedy = pipeline.decode(TEXT, DecodeSettings(search="greedy", max_length=8)).token_ids()
    found = greedy_path(trace)
    ids = tuple(trace.nodes[node].token_id for node in found.nodes)
    assert ids == greedy[: len(ids)]
    best = trace.token_ids()
    parted = next((step for step, (a, b) in enumerate(zip(greedy, best, strict=False)) if a != b), None)
    if parted is None or parted < len(ids):
        assert found.parts_at == parted
    if found.pruned_at is None:
        assert len(ids) == len(greedy) or trace.nodes[found.nodes[-1]].state == "pruned"
    else:
        assert trace.nodes[found.nodes[found.pruned_at]].state == "pruned"
        assert found.pruned_at == len(ids) - 1


def test_one_output_for_any_node() -> None:
    trace = tiny_pipeline(3).decode(TEXT, beam(4))
    for node in trace.nodes:
        one = ending_at(trace, node.id, LETTERS)
        assert len(one.path()) == node.step + 1
        assert one.path()[-1] == node
        assert one.attention().shape == (node.step + 1, 5)
        assert "".join(one.hypotheses[0].words) == one.grouped().target[0] + "".join(one.grouped().target[1:])
    same = ending_at(trace, trace.hypotheses[0].node, LETTERS)
    assert same.hypotheses[0] == trace.hypotheses[0]


def test_search_error_or_model_error() -> None:
    pipeline = tiny_pipeline(7, eos=1.0)
    best = pipeline.decode(TEXT, beam(6))
    assert judge(best, pipeline.score(TEXT, best.token_ids()), 0.7).verdict == "same"
    worse = best.token_ids(len(best.hypotheses) - 1)
    assert judge(best, pipeline.score(TEXT, worse), 0.7).verdict == "model error"
    turned = judge(pipeline.score(TEXT, worse), pipeline.score(TEXT, best.token_ids()), 0.7)
    assert turned.verdict == "search error"
    assert turned.reference_score > turned.output_score
    with pytest.raises(InputError, match="different sources"):
        judge(best, pipeline.score("abc", "a"), 0.7)


def test_other_searches_have_only_an_order() -> None:
    pipeline = tiny_pipeline(3)
    greedy = pipeline.decode(TEXT, DecodeSettings(search="greedy", max_length=8))
    assert [one.node for one in rerank(greedy, 2.0, 1).ranked] == [greedy.hypotheses[0].node]
    small = pipeline.decode("a", DecodeSettings(search="exhaustive", max_length=2))
    assert rerank(small, 0.0).ranked[0].total == max(one.total for one in rerank(small, 0.0).ranked)
    assert len(outputs_of(small)) >= len(small.hypotheses)


def test_what_is_likely_anyway_counts_less() -> None:
    trace = tiny_pipeline(3, eos=0.0).decode(TEXT, beam(4))
    assert len(trace.hypotheses) > 2
    priors = [-1.0, *(-9.0 - place for place in range(len(trace.hypotheses) - 1))]  # the first is what everybody says
    assert less_expected(trace, priors, 0.0) == tuple((place, found.score) for place, found in enumerate(trace.hypotheses))
    order = less_expected(trace, priors, 1.0)
    assert order[0][0] != 0
    for place, score in order:
        found = trace.hypotheses[place]
        assert score == pytest.approx((found.total - priors[place]) / found.length**0.7)
    assert [score for _, score in order] == sorted((score for _, score in order), reverse=True)
