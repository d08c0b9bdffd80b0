"""A task with only so many answers: no search says anything else."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.tokenizer import EOS
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.search import plain
from seq2seq_core.search.answers import following
from seq2seq_core.tasks import TASKS
from seq2seq_core.trace.steering import Steering
from seq2seq_core.training.evaluation import evaluate_rows
from seq2seq_core.training.readers import Row
from tests.core.invariants import assert_close, check_trace, tiny_pipeline
from tests.core.tiny import LETTERS

ANSWERS = ("ab", "ad", "cab")
PREMISE, HYPOTHESIS = "abc d", "hag"


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> Pipeline:
    monkeypatch.setitem(TASKS, "entailment", replace(TASKS["entailment"], answers=ANSWERS))
    return tiny_pipeline(4, task="entailment")


def ids_of(text: str) -> tuple[int, ...]:
    return LETTERS.encode(text).ids if text else ()


def by_hand(pipeline: Pipeline, answer: str) -> float:
    """log p of an answer after premise and hypothesis, of the whole softmax, token by token."""
    memory, total = pipeline.encode(PREMISE).memory, 0.0
    said = ids_of(HYPOTHESIS)
    for token in (*ids_of(answer), EOS):
        total += float(plain.next_logprobs(pipeline.model, memory, said)[token])
        said = (*said, token)
    return total


def test_what_may_follow_is_read_off_the_answers() -> None:
    a, b, c, d = (LETTERS.encode(letter).ids[0] for letter in "abcd")
    bos = 1
    assert following(("ab", "ad", "c", "cz"), LETTERS) == {(0, bos): (a, c), (1, a): (b, d), (2, b): (EOS,), (2, d): (EOS,), (1, c): (EOS,)}
    assert following((), LETTERS) == {}


def test_after_an_answer_a_reason_may_be_anything_once_its_sign_is_said() -> None:
    a, b, d, sign = (LETTERS.encode(letter).ids[0] for letter in "abdc")
    assert following(("ab", "ad"), LETTERS, "c") == {(0, 1): (a,), (1, a): (b, d), (2, b): (sign,), (2, d): (sign,)}


@pytest.mark.parametrize("how", ["greedy", "beam", "sample"])
def test_a_model_with_reasons_begins_with_an_answer_and_goes_on(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setitem(TASKS, "entailment", replace(TASKS["entailment"], answers=("a", "b", "d"), why="c"))
    pipeline = tiny_pipeline(4, eos=-3.0, task="entailment", reasons=True)
    said = [
        pipeline.decode(PREMISE, DecodeSettings(search=how, seed=seed, temperature=5), prompt=HYPOTHESIS).hypotheses[0].answer
        for seed in range(6)
    ]
    assert all(one[:2] in ("ac", "bc", "dc") for one in said)
    assert any(len(one) > 3 for one in said), "and then anything, at length"
    assert not any(set(one[2:]) & set("abd") for one in said), "but no answer again"
    greedy = pipeline.decode(PREMISE, DecodeSettings(search="greedy"), prompt=HYPOTHESIS)
    assert {one.token for one in greedy.path()[len(HYPOTHESIS)].candidates} == {"a", "b", "d"}


def test_of_a_model_with_reasons_the_answer_alone_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TASKS, "entailment", replace(TASKS["entailment"], answers=("a", "b", "d"), why="c"))
    pipeline = tiny_pipeline(4, task="entailment", reasons=True)
    likeliest = pipeline.decode(PREMISE, DecodeSettings(search="greedy"), prompt=HYPOTHESIS).hypotheses[0].answer[0]
    rows = [Row((PREMISE,), HYPOTHESIS, (answer,)) for answer in "abd"]
    for search in ("greedy", "beam"):
        assert evaluate_rows(pipeline, [rows["abd".index(likeliest)]], DecodeSettings(search=search))["accuracy"] == 100
        assert evaluate_rows(pipeline, rows, DecodeSettings(search=search))["accuracy"] == pytest.approx(100 / 3, abs=0.01)


@pytest.mark.parametrize("how", ["greedy", "beam", "sample", "exhaustive"])
def test_every_search_says_one_of_them(pipeline: Pipeline, how: str) -> None:
    for seed in range(6):
        trace = pipeline.decode(PREMISE, DecodeSettings(search=how, seed=seed, temperature=5, hypotheses=5), prompt=HYPOTHESIS)
        check_trace(trace)
        assert {one.answer for one in trace.hypotheses} <= set(ANSWERS)
        assert all(one.text == HYPOTHESIS + one.answer for one in trace.hypotheses)
        offered = [{candidate.token for candidate in node.candidates} for node in trace.path()]
        assert offered[3] == {"a", "c"} and len(offered[0]) > 3
        assert offered[-1] == {LETTERS.token(EOS)}


@pytest.mark.parametrize("how", ["beam", "exhaustive"])
def test_all_are_found_with_the_probabilities_of_the_whole_softmax(pipeline: Pipeline, how: str) -> None:
    alone = pipeline.encode(PREMISE).memory
    given = sum(float(plain.next_logprobs(pipeline.model, alone, ids_of(HYPOTHESIS)[:t])[i]) for t, i in enumerate(ids_of(HYPOTHESIS)))
    trace = pipeline.decode(PREMISE, DecodeSettings(search=how, length_penalty=0, hypotheses=3), prompt=HYPOTHESIS)
    wanted = sorted(((by_hand(pipeline, answer), answer) for answer in ANSWERS), reverse=True)
    assert [one.answer for one in trace.hypotheses] == [answer for _, answer in wanted]
    assert [one.total - given for one in trace.hypotheses] == pytest.approx([total for total, _ in wanted], abs=1e-5)
    scored = pipeline.score(PREMISE, trace.hypotheses[1].answer, prompt=HYPOTHESIS)
    assert scored.hypotheses[0].total == pytest.approx(trace.hypotheses[1].total, abs=1e-5)
    assert [{one.token for one in node.candidates} for node in scored.path()][3] == {"a", "c"}


def test_each_of_a_batch_begins_its_answer_at_its_own_step(pipeline: Pipeline) -> None:
    prompts = ["h", "gag", "", "dab"]
    settings = DecodeSettings(hypotheses=3)
    for trace, prompt in zip(pipeline.decode_batch([PREMISE] * 4, settings, prompts=prompts), prompts, strict=True):
        assert trace.hypotheses[0].answer in ANSWERS
        assert_close(trace, pipeline.decode(PREMISE, settings, prompt=prompt))


@pytest.mark.parametrize("how", ["greedy", "beam", "sample"])
def test_whoever_forces_another_word_goes_on_from_it(pipeline: Pipeline, how: str) -> None:
    h = LETTERS.encode("h").ids[0]
    trace = pipeline.decode(PREMISE, DecodeSettings(search=how, max_length=6), Steering(tokens=((3, h),)), HYPOTHESIS)
    assert trace.hypotheses[0].answer.startswith("h") and trace.path()[3].forced
    assert math.isfinite(trace.hypotheses[0].total)
    assert len(trace.path()[4].candidates) > 2
    kept = pipeline.decode(PREMISE, DecodeSettings(search=how), Steering(tokens=((3, LETTERS.encode("c").ids[0]),)), HYPOTHESIS)
    assert kept.hypotheses[0].answer == "cab"
