"""The numbers of a step are the model's own: every variant, wiring and cell is held to `Seq2Seq.step`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from seq2seq_core.config import ATTENTIONS, DecodeSettings
from seq2seq_core.inputs.tokenizer import BOS
from seq2seq_core.model.attention import Memory
from seq2seq_core.model.decoder import StepOutput
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.search.plan import Plan
from seq2seq_core.study.analysis import StepNumbers, coverage, entropy_bits, parameter_counts, step_numbers
from seq2seq_core.trace.steering import RowEdit, Steering
from tests.core.tiny import LETTERS, tiny_model

PATH = (5, 9, 4, 2)
SOURCE = torch.tensor([[4, 7, 6, 11, 5]])


def memory_of(model: Seq2Seq) -> Memory:
    if model.config.source == "image":
        grid = torch.randn(1, 6, model.config.source_vocab, generator=torch.Generator().manual_seed(3))
        return model.encode(grid, torch.tensor([6]))
    return model.encode(SOURCE, torch.tensor([SOURCE.shape[1]]))


def oracle(model: Seq2Seq, memory: Memory, settings: DecodeSettings, steering: Steering) -> StepOutput:
    """Teacher forcing over the whole path, in one call of the model."""
    plan = Plan(model.config, settings, [steering], memory.mask.shape[1])
    hidden = plan.hidden()
    memory = memory if hidden is None else memory.hide(hidden)
    look = plan.look_at_all(len(PATH), np.zeros(1, dtype=np.int64))
    return model.step(torch.tensor([[BOS, *PATH[:-1]]]), model.start(memory), memory, look)


def close(found: np.ndarray, wanted: torch.Tensor) -> None:
    np.testing.assert_allclose(found, wanted.numpy(), atol=2e-6, rtol=1e-5)


def check(model: Seq2Seq, settings: DecodeSettings | None = None, steering: Steering | None = None) -> list[StepNumbers]:
    settings, steering = settings or DecodeSettings(search="greedy"), steering or Steering()
    with torch.inference_mode():
        memory = memory_of(model)
        wanted = oracle(model, memory, settings, steering)
        found = [step_numbers(model, memory, PATH, t, settings, steering) for t in range(len(PATH))]
        for t, numbers in enumerate(found):
            close(numbers.hidden, wanted.hidden[0, t])
            close(numbers.logits, wanted.logits[0, t])
            close(numbers.logprobs, torch.log_softmax(wanted.logits[0, t], -1))
            assert numbers.token_in == (BOS, *PATH)[t]
            if numbers.attention is None:
                assert not model.config.has_map
                continue
            close(numbers.attention.scores, wanted.scores[0, t])
            close(numbers.attention.weights, wanted.weights[0, t])
            close(numbers.attention.context, wanted.context[0, t])
            close(numbers.attention.terms.sum(-1), wanted.scores[0, t])
        close(found[-1].cells[-1].after, wanted.state[0, -1])
        close(found[0].cells[0].before, model.start(memory)[0, 0])
    return found


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@pytest.mark.parametrize("wiring", ["output", "input"])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_every_variant_wiring_and_cell_equals_the_model(attention: str, wiring: str, cell: str) -> None:
    check(tiny_model(attention=attention, wiring=wiring, cell=cell))


@pytest.mark.parametrize(
    "changes",
    [
        {"decoder_layers": 2, "cell": "lstm"},
        {"decoder_layers": 3, "wiring": "input"},
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
    check(tiny_model(**changes))


@pytest.mark.parametrize("glimpse", ["argmax", "sample", "expected"])
def test_hard_attention_mixes_what_it_chose(glimpse: Any) -> None:
    settings = DecodeSettings(search="greedy", glimpse=glimpse, seed=3)
    for numbers in check(tiny_model(attention="hard"), settings):
        assert numbers.attention is not None
        assert numbers.attention.used.max() == 1.0 or glimpse == "expected"


@pytest.mark.parametrize("wiring", ["output", "input"])
def test_steering_is_part_of_the_step(wiring: str) -> None:
    steering = Steering(rows=(RowEdit(1, (0.0, 0.5, 0.5, 0.0, 0.0)), RowEdit(2, (1.0, 0.0, 0.0, 0.0, 0.0), onward=True)), hidden=(3,))
    found = check(tiny_model(attention="multi-head", wiring=wiring), steering=steering)
    assert [numbers.attention.replaced for numbers in found if numbers.attention] == [False, True, True, True]
    assert found[0].mask.tolist() == [1, 1, 1, 0, 1]


def test_gates_and_new_state_belong_together() -> None:
    cell = check(tiny_model(cell="gru"))[2].cells[0]
    r, z, n = cell.gates.values()
    np.testing.assert_allclose((1 - z) * n + z * cell.before, cell.after, atol=1e-6)
    assert ((r > 0) & (r < 1)).all()


def test_the_likeliest_tokens_are_those_a_search_may_produce() -> None:
    numbers = check(tiny_model())[0]
    top = numbers.top(4)
    assert len(top) == 4
    assert not {0, 1, 3} & set(top)
    assert numbers.logprobs[list(top)].tolist() == sorted(numbers.logprobs[list(top)], reverse=True)
    assert len(numbers.top(10_000)) == LETTERS.size - 3


def test_entropy_and_coverage() -> None:
    rows = np.array([[1, 0, 0, 0], [0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0, 0]], dtype=np.float32)
    assert entropy_bits(rows).tolist() == [0, 2, 1]
    assert coverage(rows) == pytest.approx((1 + 0.75 + 0.25 + 0.25) / 4)
    assert coverage(np.eye(3, dtype=np.float32)) == 1.0
    assert coverage(np.zeros((4, 0), dtype=np.float32)) is None


@pytest.mark.parametrize("changes", [{}, {"share_embeddings": True}, {"tie_output": False}, {"source": "image"}, {"gate": True}], ids=str)
def test_parameters_by_part_add_up(changes: dict[str, Any]) -> None:
    model = tiny_model(**changes)
    assert sum(parameter_counts(model).values()) == model.parameter_count
    assert ("embedding of source and target" in parameter_counts(model)) == ("share_embeddings" in changes)
