from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from seq2seq_core.config import ATTENTIONS, WIRINGS, DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import EOS
from seq2seq_core.model.decoder import StepOutput
from seq2seq_core.search import plain
from seq2seq_core.search.job import length_limit
from seq2seq_core.search.paths import beam, greedy, search
from seq2seq_core.search.plain import next_logprobs
from tests.core.invariants import assert_close, check_trace, tiny_pipeline

TEXTS = ["abc d", "h", "gg fed cba", "ab", "hgfedcba abc"]
GREEDY = DecodeSettings(search="greedy")


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("how", ["greedy", "beam", "sample", "exhaustive"])
def test_every_search_gives_a_sound_trace(attention: str, how: str) -> None:
    pipeline = tiny_pipeline(2, attention=attention)
    check_trace(pipeline.decode("abc d", DecodeSettings(search=how, max_length=2 if how == "exhaustive" else 12)))


@given(
    seed=st.integers(0, 30),
    attention=st.sampled_from(ATTENTIONS),
    wiring=st.sampled_from(WIRINGS),
    cell=st.sampled_from(["rnn", "gru", "lstm"]),
    eos=st.sampled_from([-2.0, 0.0, 2.0]),
    text=st.text("abcdefgh ", min_size=1, max_size=9).filter(str.strip),
    chosen=st.builds(
        DecodeSettings,
        search=st.sampled_from(["greedy", "beam", "sample"]),
        beam_size=st.integers(1, 20),
        length_penalty=st.floats(0, 2),
        max_length=st.integers(1, 12) | st.none(),
        hypotheses=st.integers(1, 20) | st.none(),
        temperature=st.floats(0.05, 5),
        top_k=st.integers(0, 20),
        top_p=st.floats(0.01, 1),
        seed=st.integers(0, 2**63 - 1),
        candidates=st.integers(1, 50),
        glimpse=st.sampled_from(["argmax", "sample", "expected"]),
    ),
)
@settings(max_examples=40, deadline=None)
def test_any_settings_give_a_sound_trace_that_survives_json(
    seed: int, attention: str, wiring: str, cell: str, eos: float, text: str, chosen: DecodeSettings
) -> None:
    trace = tiny_pipeline(seed, eos, attention=attention, wiring=wiring, cell=cell).decode(text, chosen)
    check_trace(trace)
    assert type(trace).from_json(trace.to_json()) == trace


@pytest.mark.parametrize("seed", range(4))
def test_greedy_takes_the_most_probable_token_each_time(seed: int) -> None:
    pipeline = tiny_pipeline(seed)
    trace = pipeline.decode("abc d", GREEDY)
    memory = pipeline.encode("abc d").memory
    prefix: list[int] = []
    for node in trace.path():
        logprobs = next_logprobs(pipeline.model, memory, prefix)
        assert node.logprob == pytest.approx(logprobs[node.token_id].item(), abs=1e-5)
        logprobs[[0, 1, 3]] = -math.inf
        assert node.token_id == int(logprobs.argmax())
        prefix.append(node.token_id)


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("seed", range(4))
def test_a_beam_of_one_is_greedy_search(attention: str, seed: int) -> None:
    pipeline = tiny_pipeline(seed, eos=1.0, attention=attention)
    for text in TEXTS:
        narrow, plain = pipeline.decode(text, DecodeSettings(beam_size=1)), pipeline.decode(text, GREEDY)
        assert narrow.token_ids() == plain.token_ids()
        assert [node.total for node in narrow.path()] == [node.total for node in plain.path()]
        np.testing.assert_array_equal(narrow.maps(), plain.maps())


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("wiring", ["input", "output"])
def test_greedy_search_follows_its_description(attention: str, wiring: str) -> None:
    for seed, cell in enumerate(("rnn", "gru", "lstm")):
        pipeline = tiny_pipeline(seed, eos=-0.5, attention=attention, wiring=wiring, cell=cell)
        wanted = plain.greedy(pipeline.model, pipeline.encode("abc d").memory, 9)
        assert pipeline.decode("abc d", DecodeSettings(search="greedy", max_length=9)).token_ids() == wanted
        (score, tokens), *_ = plain.beam(pipeline.model, pipeline.encode("abc d").memory, 1, 9, 0.0)[0]
        assert tokens == wanted and score < 0


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("alpha", [0.0, 0.7, 2.0])
def test_beam_search_follows_its_description(seed: int, size: int, alpha: float) -> None:
    pipeline = tiny_pipeline(seed, eos=0.5)
    memory = pipeline.encode("abc d").memory
    wanted, steps = plain.beam(pipeline.model, memory, size, 8, alpha)
    trace = pipeline.decode("abc d", DecodeSettings(beam_size=size, length_penalty=alpha, max_length=8))
    assert len(trace.beams) == steps
    assert [trace.token_ids(place) for place in range(len(trace.hypotheses))] == [tokens for _, tokens in wanted[:size]]
    assert [one.score for one in trace.hypotheses] == pytest.approx([score for score, _ in wanted[:size]], abs=1e-5)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("wanted", [1, 3])
def test_stopping_early_loses_nothing(alpha: float, wanted: int) -> None:
    early = 0
    for seed in (0, 1, 2, 3, 10):  # 10: the third best comes after the best is safe
        pipeline = tiny_pipeline(seed, eos=1.0)
        memory = pipeline.encode("ab").memory
        patient, _ = plain.beam(pipeline.model, memory, 4, 10, alpha, wanted=None)
        trace = pipeline.decode("ab", DecodeSettings(beam_size=4, length_penalty=alpha, max_length=10, hypotheses=wanted))
        scores = [one.score for one in trace.hypotheses]
        assert scores == pytest.approx([score for score, _ in patient[:wanted]], abs=1e-5)
        early += len(trace.beams) < 10
    assert early > 0 or alpha == 2.0  # so strong a bonus for length leaves hope to the end


def test_beam_search_keeps_its_width_while_hypotheses_finish() -> None:
    trace = tiny_pipeline(1, eos=1.5).decode("abc d", DecodeSettings(beam_size=4, max_length=9, hypotheses=4))
    finished = [node for node in trace.nodes if node.state == "finished"]
    assert finished[0].step < len(trace.beams) - 1
    assert [len(ids) for ids in trace.beams] == [4] * len(trace.beams)


def test_pruned_candidates_say_why_and_by_how_much() -> None:
    trace = tiny_pipeline(1, eos=1.5).decode("abc d", DecodeSettings(beam_size=3, max_length=5, hypotheses=2))
    reasons = {node.why for node in trace.nodes if node.state == "pruned"}
    assert reasons <= {"outside the beam", "finished worse", "length limit", "search stopped"}
    assert {"outside the beam", "finished worse"} <= reasons
    for node in trace.nodes:
        if node.why == "outside the beam":
            assert trace.gap(node.id) <= 0
            assert trace.gap(node.id) == node.score - trace.survivors[node.step]
        if node.why == "finished worse":
            assert node.token_id == EOS
            assert node.score <= trace.hypotheses[-1].score
    for ids in trace.beams:
        assert min(trace.gap(i) for i in ids) >= 0


def test_each_expanded_beam_keeps_its_best_continuations() -> None:
    trace = tiny_pipeline(3).decode("abc d", DecodeSettings(beam_size=3, max_length=6))
    for parent in trace.beams[1]:
        nodes = [trace.nodes[i] for i in trace.nodes.children(parent)]
        best = [candidate.token_id for candidate in nodes[0].candidates[:4]]
        assert sorted(node.token_id for node in nodes) == sorted(best)


def test_what_the_limit_cuts_is_said() -> None:
    never_ends = tiny_pipeline(0, eos=-50.0)
    trace = never_ends.decode("abc", DecodeSettings(beam_size=3, max_length=4, hypotheses=2))
    assert [one.length for one in trace.hypotheses] == [4, 4]
    assert [trace.nodes[i].why for i in trace.beams[-1]] == ["length limit"] * 3
    assert [trace.nodes[i].state for i in trace.beams[-1]] == ["finished", "finished", "pruned"]
    cut = never_ends.decode("abc", DecodeSettings(search="greedy", max_length=4)).path()[-1]
    assert (cut.state, cut.why) == ("finished", "length limit")


def test_live_beams_that_cannot_win_are_marked() -> None:
    trace = tiny_pipeline(0, eos=3.0).decode("abc", DecodeSettings(beam_size=3, max_length=50, length_penalty=0.0))
    assert len(trace.beams) < 50
    assert {trace.nodes[i].why for i in trace.beams[-1]} == {"search stopped"}


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("how", ["greedy", "beam", "sample", "exhaustive"])
def test_a_batch_gives_the_traces_of_single_decodes(attention: str, how: str) -> None:
    pipeline = tiny_pipeline(5, eos=0.5, attention=attention)
    few = how == "exhaustive"
    chosen = DecodeSettings(search=how, max_length=2 if few else None, glimpse="sample", beam_size=4)
    for trace, text in zip(pipeline.decode_batch(TEXTS, chosen), TEXTS, strict=True):
        single = pipeline.decode(text, chosen)
        assert trace.parts == single.parts
        assert_close(trace, single, ranks=not few)  # where every token is a node, some are as good as tied
        check_trace(trace)


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@pytest.mark.parametrize("wiring", ["input", "output"])
def test_a_batch_of_any_cell_and_wiring(cell: str, wiring: str) -> None:
    pipeline = tiny_pipeline(6, cell=cell, wiring=wiring, decoder_layers=2)
    for trace, text in zip(pipeline.decode_batch(TEXTS), TEXTS, strict=True):
        assert_close(trace, pipeline.decode(text))


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("wiring", ["input", "state"])
@pytest.mark.parametrize("how", ["greedy", "beam", "sample"])
def test_teacher_forcing_reproduces_every_hypothesis(attention: str, wiring: str, how: str) -> None:
    pipeline = tiny_pipeline(4, attention=attention, wiring=wiring)
    trace = pipeline.decode("abc d", DecodeSettings(search=how, beam_size=4, hypotheses=4, max_length=10))
    for place, one in enumerate(trace.hypotheses):
        if trace.token_ids(place)[-1] != EOS:
            continue
        again = pipeline.score("abc d", trace.token_ids(place))
        assert again.hypotheses[0].total == pytest.approx(one.total, abs=1e-5)
        np.testing.assert_allclose(again.maps(), trace.maps(place), atol=1e-5)
        assert all(node.forced for node in again.nodes)


def test_teacher_forcing_of_a_pruned_path_gives_its_total_too() -> None:
    pipeline = tiny_pipeline(4)
    trace = pipeline.decode("abc d", DecodeSettings(beam_size=4, max_length=10))
    node = next(node for node in trace.nodes if node.why == "outside the beam" and node.step == 3)
    again = pipeline.score("abc d", trace.token_ids(node=node.id))
    assert again.nodes[3].total == pytest.approx(node.total, abs=1e-5)
    np.testing.assert_allclose(again.maps()[:4], trace.maps(node=node.id), atol=1e-5)


def test_a_language_model_is_searched_like_any_other() -> None:
    pipeline = tiny_pipeline(2, source="none", attention="none", task="language")
    for how in ("greedy", "beam", "sample"):
        trace = pipeline.decode(None, DecodeSettings(search=how))
        check_trace(trace)
        assert trace.parts == ()
        assert trace.attention().shape == (len(trace.path()), 0)
        assert trace.path()[0].attention is None


def test_hard_attention_looks_as_it_is_told() -> None:
    pipeline = tiny_pipeline(2, attention="hard", eos=-3.0)
    looks = {}
    for glimpse in ("argmax", "sample", "expected"):
        chosen = DecodeSettings(search="greedy", glimpse=glimpse, max_length=12, seed=5)
        trace = pipeline.decode("abc defg", chosen)
        assert trace.token_ids() == pipeline.decode("abc defg", chosen).token_ids()
        looks[glimpse] = [(node.marks["glimpse"], int(node.attention.argmax())) for node in trace.path()]
    assert all(glimpse == best for glimpse, best in looks["argmax"])
    assert any(glimpse != best for glimpse, best in looks["sample"])
    other = pipeline.decode("abc defg", DecodeSettings(search="greedy", glimpse="sample", max_length=12, seed=6))
    assert [node.marks["glimpse"] for node in other.path()] != [glimpse for glimpse, _ in looks["sample"]]


def test_default_length_limits() -> None:
    plain = DecodeSettings()
    assert [length_limit(plain, "translation", count) for count in (1, 10, 95, 500)] == [12, 30, 200, 200]
    assert length_limit(plain, "captioning", 64) == 40
    assert length_limit(plain, "language", 0) == 60
    assert length_limit(DecodeSettings(max_length=7), "translation", 500) == 7
    assert tiny_pipeline(0, eos=-50.0).decode("abc", GREEDY).hypotheses[0].length == 16


def test_a_search_can_be_stopped_and_asked_for_what_it_has() -> None:
    pipeline = tiny_pipeline(0, eos=-50.0)
    stream = pipeline.stream("abc d", DecodeSettings(beam_size=3))
    with pytest.raises(InputError, match="Nothing has been decoded yet; take at least one step"):
        stream.trace()
    for step in stream:
        if step.step == 3:
            break
    trace = stream.trace()
    assert len(trace.beams) == 4
    assert {trace.nodes[one.node].why for one in trace.hypotheses} == {"search stopped"}
    check_trace(trace)
    rest = [step.step for step in stream]
    assert rest[0] == 4
    assert stream.trace().nodes[: len(trace.nodes) - 3] != ()


def test_searches_leave_the_callers_gradient_mode_alone() -> None:
    pipeline = tiny_pipeline()
    memory = pipeline.encode("abc").memory
    for _ in zip(greedy(pipeline.model, memory, GREEDY), beam(pipeline.model, memory, DecodeSettings()), range(3), strict=False):
        assert not torch.is_inference_mode_enabled()
        assert torch.ones(1, requires_grad=True).mul(2).requires_grad


def test_limits_and_steering_must_fit_the_batch() -> None:
    pipeline = tiny_pipeline()
    memory = pipeline.encode("abc").memory
    with pytest.raises(InputError, match="There are 1 sentences, 1 steerings and 2 limits; give one of each a sentence"):
        next(search(pipeline.model, memory, GREEDY, limits=[3, 4]))


def test_no_search_produces_a_sign_that_is_not_text() -> None:
    pipeline = tiny_pipeline()
    with torch.no_grad():
        pipeline.model.decoder.output.bias[[0, 1, 3]] += 20
    for how in ("greedy", "beam", "sample", "exhaustive"):
        trace = pipeline.decode("abc", DecodeSettings(search=how, max_length=3))
        assert not {0, 1, 3} & set(trace.nodes.token_id.tolist())
        assert trace.path()[0].logprob < -15  # of the model's whole softmax


@pytest.mark.parametrize("how", ["greedy", "beam", "sample", "exhaustive"])
def test_a_mark_of_any_name_reaches_its_node(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The searches carry what they have never heard of: here the first number of the state."""
    pipeline = tiny_pipeline(3, attention="hard", eos=1.0)
    step = pipeline.model.step

    def marked(*given: object) -> StepOutput:
        output = step(*given)  # type: ignore[arg-type]
        return output._replace(marks=output.marks | {"first": output.hidden[:, :, 0]})

    monkeypatch.setattr(pipeline.model, "step", marked)
    chosen = DecodeSettings(search=how, max_length=2 if how == "exhaustive" else 6)
    for trace in pipeline.decode_batch(TEXTS, chosen):
        ids = trace.token_ids()
        scored = pipeline.score(trace.given_text, ids)  # adds the end sign where the length limit cut
        assert set(trace.nodes.marks) == {"glimpse", "first"}
        for node, again in zip(trace.path(), scored.path(), strict=False):
            assert node.marks["glimpse"] == again.marks["glimpse"]
            assert node.marks["first"] == pytest.approx(again.marks["first"], abs=1e-5)
