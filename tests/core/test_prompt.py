"""What is given to the decoder to go on from: neither generated nor forced by a person."""

from __future__ import annotations

import pytest

from seq2seq_core.config import MAX_STEPS, DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import SubwordTokenizer
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.trace.reranking import ending_at, greedy_path, rerank
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.trace import DecodeTrace
from tests.core.invariants import assert_close, tiny_pipeline
from tests.core.tiny import LETTERS, tiny_model

SEARCHES = ["greedy", "beam", "sample", "exhaustive"]


def language(seed: int = 2, eos: float = 0.0) -> Pipeline:
    return tiny_pipeline(seed, eos, source="none", attention="none", task="language")


def chosen(how: str, **changes: int) -> DecodeSettings:
    return DecodeSettings(search=how, seed=3, **({"max_length": 2} if how == "exhaustive" else {}) | changes)


@pytest.mark.parametrize("how", SEARCHES)
@pytest.mark.parametrize("pipeline", [language(), tiny_pipeline(2)], ids=["language", "text"])
def test_it_is_decoded_like_a_forced_beginning_and_told_apart(pipeline: Pipeline, how: str) -> None:
    given = None if pipeline.task == "language" else "abc d"
    trace = pipeline.decode(given, chosen(how), prompt="bad")
    begun = pipeline.decode(given, chosen(how, max_length=trace.max_length), pipeline.prefix("bad"))
    assert trace.token_ids() == begun.token_ids()
    assert [one.total for one in trace.hypotheses] == [one.total for one in begun.hypotheses]
    assert trace.prompt == 3 and trace.steering == Steering() and begun.prompt == 0
    assert not trace.nodes.forced.any() and begun.nodes.forced.any()
    said = [node.why for node in trace.nodes if node.step < 3 and node.state == "pruned"]
    assert set(said) <= {"another token was given"}
    assert bool(said) == (how == "beam")
    assert DecodeTrace.from_json(trace.to_json()) == trace


def test_the_answer_is_what_was_said_after_it() -> None:
    trace = language(eos=-3.0).decode(None, DecodeSettings(hypotheses=3), prompt="bad")
    for place, one in enumerate(trace.hypotheses):
        assert one.text == trace.text(place) == "bad" + one.answer
        assert one.answer == LETTERS.decode(trace.token_ids(place)[3:])
    assert all(one.answer == one.text for one in language().decode(None).hypotheses)


def test_its_length_is_not_counted() -> None:
    never = language(eos=-50.0)
    for settings, length in ((DecodeSettings(search="greedy", max_length=5), 3 + 5), (DecodeSettings(search="greedy"), MAX_STEPS)):
        trace = never.decode(None, settings, prompt="bad")
        assert len(trace.tokens()) == trace.max_length == length
    longest = never.decode(None, DecodeSettings(search="sample", max_length=MAX_STEPS), prompt="bad" * 100)
    assert len(longest.tokens()) == MAX_STEPS
    with pytest.raises(InputError, match=r"^The beginning has 303 pieces; at most 300 can be gone on from, so shorten it\.$"):
        never.decode(None, prompt="bad" * 101)


def test_a_model_of_pieces_says_fewer_of_them() -> None:
    pieces = SubwordTokenizer.train(["a bad cab, a bad bed"], 270)
    model = tiny_model(source="none", attention="none", task="language", target_vocab=pieces.size)
    trace = Pipeline("test/pieces", model, None, pieces).decode(None, DecodeSettings(search="greedy"), prompt="bad")
    assert trace.max_length == trace.prompt + 60


def test_steps_of_the_steering_count_it() -> None:
    pipeline = language(eos=-3.0)
    ids = pipeline.prompt_ids("bad")
    trace = pipeline.decode(None, DecodeSettings(search="greedy"), Steering(tokens=((4, 7),)), prompt="bad")
    assert trace.token_ids()[4] == 7
    assert [node.forced for node in trace.path()][:6] == [False, False, False, False, True, False]
    again = pipeline.decode(None, DecodeSettings(search="greedy"), Steering(prefix=(*ids, 7)), prompt=ids)
    assert again.token_ids()[:4] == (*ids, 7)
    assert [node.forced for node in again.path()][:5] == [False, False, False, True, False]
    with pytest.raises(
        InputError, match=r"^A token is forced at step 1, which is part of what was given to go on from; force a later one\.$"
    ):
        pipeline.decode(None, steering=Steering(tokens=((1, 7),)), prompt="bad")


def test_each_row_of_a_batch_has_its_own() -> None:
    pipeline = tiny_pipeline(2)
    texts, prompts = ["abc d", "h", "gg fed cba"], ["", "bad", "ab"]
    for trace, text, prompt in zip(pipeline.decode_batch(texts, prompts=prompts), texts, prompts, strict=True):
        assert trace.prompt == len(prompt)
        assert_close(trace, pipeline.decode(text, prompt=prompt))
    scored = pipeline.score_batch(texts, ["cab", "", "a"], prompts=prompts)
    for trace, text, target, prompt in zip(scored, texts, ["cab", "", "a"], prompts, strict=True):
        assert (trace.text(), trace.hypotheses[0].answer, trace.prompt) == (prompt + target, target, len(prompt))
        assert_close(trace, pipeline.score(text, target, prompt=prompt))
        assert [node.forced for node in trace.path()] == [step >= len(prompt) for step in range(len(trace.path()))]


def test_a_stored_search_is_ranked_again_within_it() -> None:
    trace = tiny_pipeline(2).decode("abc d", DecodeSettings(beam_size=4, hypotheses=3), prompt="bad")
    again = rerank(trace)
    assert again.ranked[0].node == trace.hypotheses[0].node
    assert again.leaves_tree is None
    assert greedy_path(trace).nodes[:3] == tuple(trace.nodes.path(trace.hypotheses[0].node)[:3])
    one = ending_at(trace, trace.hypotheses[-1].node, LETTERS)
    assert one.hypotheses[0] == trace.hypotheses[-1]


def test_what_the_vocabulary_does_not_know_is_refused() -> None:
    with pytest.raises(InputError, match=r"^'z' is not in this model's output vocabulary; leave it out\.$"):
        language().decode(None, prompt="baz")
