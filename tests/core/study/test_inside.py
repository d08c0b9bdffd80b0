"""The numbers inside a decode are the model's own: every variant, wiring and cell is held to the fast way, and to its equations by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from seq2seq_core.config import ATTENTIONS, WIRINGS, DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS
from seq2seq_core.model.decoder import StepOutput
from seq2seq_core.pipeline import Encoded, Grid, Pipeline
from seq2seq_core.search.job import steered
from seq2seq_core.study.inside import Inside
from seq2seq_core.trace.steering import RowEdit, Steering
from seq2seq_core.trace.trace import DecodeTrace
from tests.core.invariants import tiny_pipeline
from tests.core.tiny import LETTERS

PATH = (5, 9, 4, 2)
TEXT = "adchb"
GREEDY = DecodeSettings(search="greedy")


def encoded_by(pipeline: Pipeline) -> Encoded:
    config = pipeline.model.config
    if config.source == "image":
        return pipeline.encode(Grid(torch.randn(6, config.source_vocab, generator=torch.Generator().manual_seed(3)), (2, 3)))
    return pipeline.encode(TEXT if config.source == "text" else None)


def oracle(pipeline: Pipeline, encoded: Encoded, trace: DecodeTrace) -> StepOutput:
    """The fast way, without a record: teacher forcing over the whole path."""
    model = pipeline.model
    memory, override = steered(model.config, encoded.memory, trace.steering, len(PATH), trace.settings)
    return model.step(torch.tensor([[BOS, *PATH[:-1]]]), model.start(memory), memory, override)


def close(found: np.ndarray, wanted: torch.Tensor) -> None:
    np.testing.assert_allclose(found, wanted.numpy(), atol=2e-6, rtol=1e-5)


@torch.inference_mode()
def check(pipeline: Pipeline, settings: DecodeSettings = GREEDY, steering: Steering | None = None) -> Inside:
    encoded, model = encoded_by(pipeline), pipeline.model
    trace = pipeline.score(encoded, PATH, settings, steering or Steering())
    found, wanted = pipeline.inside(trace, encoded=encoded), oracle(pipeline, encoded, trace)
    close(found.memory, encoded.memory.states[0])
    close(found.summary, encoded.memory.summary[0])
    for t in range(len(PATH)):
        numbers = found.at(t)
        close(numbers.hidden, wanted.hidden[0, t])
        close(numbers.logits, wanted.logits[0, t])
        close(numbers.logprobs, torch.log_softmax(wanted.logits[0, t], -1))
        assert numbers.token_in == (BOS, *PATH)[t]
        assert (numbers.attention is not None) == model.config.has_map
        if numbers.attention is not None:
            close(numbers.attention.weights, wanted.weights[0, t])
            close(found.looks["attention"][:, t], wanted.weights[0, t])
            np.testing.assert_allclose(numbers.attention.terms.sum(-1), numbers.attention.scores, atol=1e-5)
    last = found.cell(model.config.decoder_layers, len(PATH) - 1).after
    if model.config.carries_context:  # the context has taken the place of the hidden vector
        attention = found.at(len(PATH) - 1).attention
        assert attention is not None
        last = np.concatenate([attention.context, last[model.config.hidden :]])
    close(last, wanted.state[0, -1])
    close(found.at(0).cells[0].before, model.start(encoded.memory)[0, 0])
    return found


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@pytest.mark.parametrize("wiring", WIRINGS)
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_every_variant_wiring_and_cell_equals_the_model(attention: str, wiring: str, cell: str) -> None:
    check(tiny_pipeline(attention=attention, wiring=wiring, cell=cell))


@pytest.mark.parametrize(
    "changes",
    [
        {"decoder_layers": 2, "cell": "lstm", "encoder_layers": 3},
        {"decoder_layers": 3, "wiring": "input", "bidirectional": False},
        {"gate": True},
        {"gate": True, "wiring": "input"},
        {"tie_output": False},
        {"share_embeddings": True},
        {"source": "none", "attention": "none"},
        {"source": "image", "source_vocab": 7},
        {"source": "image", "source_vocab": 7, "attention": "hard", "wiring": "input", "gate": True},
    ],
    ids=str,
)
def test_other_models_too(changes: dict[str, Any]) -> None:
    check(tiny_pipeline(**changes))


@pytest.mark.parametrize("glimpse", ["argmax", "sample", "expected"])
def test_hard_attention_mixes_what_it_chose(glimpse: Any) -> None:
    found = check(tiny_pipeline(attention="hard"), DecodeSettings(search="greedy", glimpse=glimpse, seed=3))
    for t in range(len(PATH)):
        attention = found.at(t).attention
        assert attention is not None
        assert attention.used.max() == 1.0 or glimpse == "expected"
        np.testing.assert_allclose(attention.context, attention.used[0] @ found.memory, atol=1e-5)


@pytest.mark.parametrize("wiring", WIRINGS)
def test_steering_is_part_of_the_step(wiring: str) -> None:
    steering = Steering(rows=(RowEdit(1, (0.0, 0.5, 0.5, 0.0, 0.0)), RowEdit(2, (1.0, 0.0, 0.0, 0.0, 0.0), onward=True)), hidden=(3,))
    found = check(tiny_pipeline(attention="multi-head", wiring=wiring), steering=steering)
    assert found.replaced == (False, True, True, True)
    assert found.mask.tolist() == [1, 1, 1, 0, 1]


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@pytest.mark.parametrize("changes", [{"encoder_layers": 2}, {"encoder_layers": 2, "bidirectional": False}], ids=str)
def test_every_step_of_the_encoder_is_there_and_its_top_is_the_memory(cell: str, changes: dict[str, Any]) -> None:
    pipeline = tiny_pipeline(cell=cell, **changes)
    found = check(pipeline)
    ways = (False, True) if pipeline.model.config.bidirectional else (False,)
    width = pipeline.model.config.hidden // len(ways)
    for j in range(len(TEXT)):
        tops = [found.encoder_cell(2, j, backwards).after[:width] for backwards in ways]
        np.testing.assert_allclose(np.concatenate(tops), found.memory[j], atol=1e-6)
        below = [found.encoder_cell(1, j, backwards).after[:width] for backwards in ways]
        for backwards in ways:
            np.testing.assert_allclose(found.encoder_cell(2, j, backwards).inputs, np.concatenate(below), atol=1e-6)
            came = found.encoder_cell(1, j, backwards)
            earlier = j + 1 if backwards else j - 1
            before = found.encoder_cell(1, earlier, backwards).after if 0 <= earlier < len(TEXT) else np.zeros_like(came.before)
            np.testing.assert_allclose(came.before, before, atol=1e-6)
            np.testing.assert_allclose(came.inputs, found.encoder["embedded"][j], atol=1e-6)
    last = [found.encoder_cell(2, 0 if backwards else len(TEXT) - 1, backwards).after[:width] for backwards in ways]
    np.testing.assert_allclose(np.concatenate(last), found.summary, atol=1e-6)


def test_gates_and_new_state_belong_together() -> None:
    for cell in (check(tiny_pipeline(cell="gru")).cell(1, 2), check(tiny_pipeline(cell="gru")).encoder_cell(1, 3, backwards=True)):
        r, z, n = (cell.gates[name] for name in "rzn")
        np.testing.assert_allclose((1 - z) * n + z * cell.before, cell.after, atol=1e-6)
        assert ((r > 0) & (r < 1)).all()


def test_any_hypothesis_of_a_search_can_be_looked_into() -> None:
    pipeline = tiny_pipeline(2)
    trace = pipeline.decode(TEXT, DecodeSettings(beam_size=3, hypotheses=3, max_length=8))
    for place in range(len(trace.hypotheses)):
        found = pipeline.inside(trace, place)
        total = sum(float(found.at(t).logprobs[token]) for t, token in enumerate(trace.token_ids(place)))
        assert total == pytest.approx(trace.hypotheses[place].total, abs=1e-4)
        np.testing.assert_allclose(found.looks["attention"][0], trace.attention(place), atol=1e-5)


def test_a_picture_has_to_be_given_again() -> None:
    pipeline = tiny_pipeline(source="image", source_vocab=7)
    encoded = encoded_by(pipeline)
    trace = pipeline.decode(encoded, GREEDY)
    with pytest.raises(InputError, match="A picture is not in its trace; give it again, encoded"):
        pipeline.inside(trace)
    assert pipeline.inside(trace, encoded=encoded).encoder["features"].shape == (6, 7)


def test_the_likeliest_tokens_are_those_a_search_may_produce() -> None:
    inside = check(tiny_pipeline())
    logprobs, top = inside.logprobs(0), inside.top(0, 4)
    assert len(top) == 4
    assert not {0, 1, 3} & set(top)
    assert logprobs[list(top)].tolist() == sorted(logprobs[list(top)], reverse=True)
    assert len(inside.top(0, 10_000)) == LETTERS.size - 3


def test_what_has_too_many_numbers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = tiny_pipeline()
    trace = pipeline.decode("abcde", DecodeSettings(search="greedy", max_length=6))
    count = len(trace.token_ids()) * 5 * pipeline.model.config.hidden
    monkeypatch.setattr("seq2seq_core.study.inside.MOST_NUMBERS", count)
    assert len(pipeline.inside(trace).tokens) == len(trace.token_ids())
    monkeypatch.setattr("seq2seq_core.study.inside.MOST_NUMBERS", count - 1)
    with pytest.raises(InputError, match="over 5 positions has too many numbers to look at; take a shorter"):
        pipeline.inside(trace)
