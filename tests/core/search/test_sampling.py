"""Sampling follows the distribution, repeats with its seed, and leaves the global generator alone."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from seq2seq_core.config import DecodeSettings
from seq2seq_core.search.paths import draw
from seq2seq_core.search.plain import next_logprobs
from tests.core.invariants import tiny_pipeline

TEXTS = ["abc d", "h", "gg fed cba", "ab", "hgfedcba abc"]
GREEDY = DecodeSettings(search="greedy")


def test_the_same_seed_samples_the_same_output_and_leaves_the_global_generator_alone() -> None:
    pipeline = tiny_pipeline(3)
    torch.manual_seed(7)
    before = torch.get_rng_state()
    texts = set()
    for seed in range(12):
        chosen = DecodeSettings(search="sample", seed=seed, max_length=12)
        trace = pipeline.decode("abc d", chosen)
        again = pipeline.decode("abc d", chosen)
        assert dataclasses.replace(again, encode_ms=0, decode_ms=0) == dataclasses.replace(trace, encode_ms=0, decode_ms=0)
        texts.add(trace.text())
    assert len(texts) > 6
    assert torch.equal(before, torch.get_rng_state())


def test_a_sampled_token_keeps_the_probability_of_the_model_itself() -> None:
    pipeline = tiny_pipeline(3)
    trace = pipeline.decode("abc d", DecodeSettings(search="sample", temperature=3.0, candidates=1, max_length=8))
    memory = pipeline.encode("abc d").memory
    ranks = set()
    for node in trace.path():
        logprobs = next_logprobs(pipeline.model, memory, [before.token_id for before in trace.path(node=node.id)[:-1]])
        assert node.logprob == pytest.approx(logprobs[node.token_id].item(), abs=1e-5)
        assert len(node.candidates) == node.rank + 1
        ranks.add(node.rank)
    assert ranks == {0, 1}


@pytest.mark.parametrize("changes", [{"top_k": 1}, {"top_p": 0.01}, {"temperature": 0.05}])
def test_sampling_from_almost_nothing_is_greedy(changes: dict[str, float]) -> None:
    pipeline = tiny_pipeline(3)
    chosen = DecodeSettings(search="sample", max_length=12, **changes)
    assert (
        pipeline.decode("abc d", chosen).token_ids() == pipeline.decode("abc d", dataclasses.replace(chosen, search="greedy")).token_ids()
    )


def test_drawn_tokens_follow_the_distribution() -> None:
    chances = torch.tensor([[0.5, 0.0, 0.2, 0.3]])
    numbers = (torch.arange(1000) + 0.5) / 1000

    def shares(**changes: float) -> list[float]:
        tokens = torch.cat([draw(chances.log(), number, DecodeSettings(**changes)) for number in numbers])
        return (torch.bincount(tokens, minlength=4) / 1000).tolist()

    assert shares() == pytest.approx([0.5, 0, 0.2, 0.3], abs=0.002)
    assert shares(top_k=2) == pytest.approx([0.625, 0, 0, 0.375], abs=0.002)
    assert shares(top_p=0.6) == pytest.approx([0.625, 0, 0, 0.375], abs=0.002)
    assert shares(top_p=0.5) == [1, 0, 0, 0]
    assert shares(temperature=0.5) == pytest.approx([25 / 38, 0, 4 / 38, 9 / 38], abs=0.002)
