"""Exhaustive search finds what brute force finds, and refuses what is too much."""

from __future__ import annotations

import pytest

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.search import job
from seq2seq_core.search.exhaustive import visits
from seq2seq_core.search.plain import next_logprobs
from seq2seq_core.trace.steering import Steering
from tests.core.invariants import all_outputs, assert_close, tiny_pipeline
from tests.core.tiny import LETTERS

TEXTS = ["abc d", "h", "gg fed cba", "ab", "hgfedcba abc"]
GREEDY = DecodeSettings(search="greedy")


@pytest.mark.parametrize("alpha", [0.0, 0.7, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_exhaustive_search_equals_brute_force(alpha: float, seed: int) -> None:
    pipeline = tiny_pipeline(seed, target_vocab=LETTERS.size)
    memory = pipeline.encode("abc").memory
    scored = []
    for tokens in all_outputs(LETTERS.size, 3):
        total = sum(next_logprobs(pipeline.model, memory, tokens[:place])[token].item() for place, token in enumerate(tokens))
        scored.append((total / len(tokens) ** alpha, tokens))
    scored.sort(reverse=True)
    trace = pipeline.decode("abc", DecodeSettings(search="exhaustive", max_length=3, length_penalty=alpha, hypotheses=10))
    assert [trace.token_ids(place) for place in range(10)] == [tokens for _, tokens in scored[:10]]
    assert [one.score for one in trace.hypotheses] == pytest.approx([score for score, _ in scored[:10]], abs=1e-5)
    leaves = [node for node in trace.nodes if node.state != "alive"]
    assert len(leaves) == visits(LETTERS.size - 3, 3) == 1 + 9 + 81 + 729


def test_no_beam_beats_exhaustive_search_and_a_wide_one_equals_it() -> None:
    for seed in range(5):
        pipeline = tiny_pipeline(seed, eos=1.0)
        best = pipeline.decode("ab", DecodeSettings(search="exhaustive", max_length=3)).hypotheses[0]
        scores = [pipeline.decode("ab", DecodeSettings(beam_size=size, max_length=3)).hypotheses[0].score for size in (1, 5, 20)]
        assert max(scores) <= best.score + 1e-5
        assert scores[-1] == pytest.approx(best.score, abs=1e-5)


@pytest.mark.parametrize("how", ["greedy", "beam", "exhaustive"])
def test_rows_taken_a_part_at_a_time_give_the_same(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = tiny_pipeline(4)
    chosen = DecodeSettings(search=how, beam_size=6, max_length=3)
    steering = [Steering(), Steering(prefix=(5,))]
    whole = pipeline.decode_batch(["abc", "hg fe"], chosen, steering)
    monkeypatch.setattr(job, "ROW_POSITIONS", 20)  # 4 rows over 5 positions
    for part, one in zip(pipeline.decode_batch(["abc", "hg fe"], chosen, steering), whole, strict=True):
        assert_close(part, one, ranks=how != "exhaustive")


def test_exhaustive_search_refuses_what_is_too_much() -> None:
    pipeline = tiny_pipeline()
    with pytest.raises(InputError, match=r"^Exhaustive search up to 6 tokens would visit 597,871 sequences; the limit is 100,000\."):
        pipeline.decode("abc", DecodeSettings(search="exhaustive", max_length=6))
    with pytest.raises(InputError, match=r"about 10\^"):
        pipeline.decode("abc", DecodeSettings(search="exhaustive", max_length=60))
    assert visits(3, 4) == len(list(all_outputs(6, 4))) + 2**4
