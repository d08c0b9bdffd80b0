"""The way back through time: the unrolled model is the model, and its gradients are those that small changes of a state show."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from seq2seq_core.config import Cell
from seq2seq_core.errors import InputError
from seq2seq_core.study.gradients import backward_pass, fresh_model, with_cell
from seq2seq_core.training.objective import Objective
from seq2seq_core.training.readers import Example, collate
from tests.core.tiny import tiny_config, tiny_model

SOURCE, TARGET = (5, 6, 7, 8, 9), (9, 8, 7)


@pytest.mark.parametrize("attention", ["none", "every-step", "additive", "multi-head"])
@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@pytest.mark.parametrize("wiring", ["output", "input"])
def test_the_losses_are_those_of_training(cell: Cell, attention: str, wiring: str) -> None:
    model = tiny_model(cell=cell, attention=attention, wiring=wiring, encoder_layers=2)
    found = backward_pass(model, SOURCE, TARGET)
    with torch.no_grad():
        expected = Objective(model).eval()(collate([Example(SOURCE, TARGET)]))
    assert sum(found.losses) == pytest.approx(float(expected.summed), rel=1e-5)
    assert len(found.losses) == len(found.decoder) == len(TARGET) + 1 and len(found.encoder) == len(SOURCE)
    assert len(found.encoder_cells) == (len(SOURCE) if cell == "lstm" else 0)
    for row in found.attention:
        assert len(row) == (0 if attention in ("none", "every-step") else len(SOURCE))
        assert not row or sum(row) == pytest.approx(1, abs=1e-5)


def test_a_gradient_is_what_a_small_change_does() -> None:
    """The last encoder state of a one-way RNN without attention is all the decoder gets: dL/dh_S is checked against differences."""
    config = with_cell(tiny_config(), "rnn", attention=False)
    model = fresh_model(config, 3)
    found = backward_pass(model, SOURCE, TARGET)
    batch = collate([Example(SOURCE, TARGET)])
    memory = model.encode(batch.source, batch.lengths)

    def loss(summary: torch.Tensor) -> float:
        changed = replace(memory, parts=(memory.parts[0]._replace(summary=summary),))
        logits = model.step(batch.target_in, model.start(changed), changed).logits
        return float(torch.nn.functional.cross_entropy(logits[0].double(), batch.target_out[0], reduction="sum"))

    with torch.no_grad():
        units = 1e-2 * torch.eye(config.hidden)
        slopes = [(loss(memory.summary + unit) - loss(memory.summary - unit)) / 2e-2 for unit in units]
    assert found.encoder[-1] == pytest.approx(float(torch.tensor(slopes).norm()), rel=2e-2)


def test_one_step_reaches_no_later_state() -> None:
    found = backward_pass(tiny_model(attention="none"), SOURCE, TARGET, step=1)
    assert found.decoder[0] > 0 and found.decoder[1] > 0 and found.decoder[2:] == (0.0, 0.0)


def test_the_rnn_forgets_the_gates_keep_and_attention_is_a_short_cut() -> None:
    source, target = (5, 6, 7, 8, 9, 10, 11, 12) * 2, (12, 11, 10, 9, 8, 7, 6, 5) * 2

    def left(cell: Cell, attention: bool) -> float:
        """How much of the last loss's gradient arrives at the first source token."""
        model = fresh_model(with_cell(tiny_config(hidden=32, embedding=16), cell, attention), 1, recurrent=0.8, bias=2.0)
        found = backward_pass(model, source, target, len(target) - 1)
        return found.encoder[0] / found.decoder[len(target) - 1]

    assert left("rnn", False) < 0.005 < 0.01 < left("gru", False)
    assert left("rnn", True) > 20 * left("rnn", False)
    assert left("lstm", False) > 5 * left("rnn", False)


def test_random_numbers_elsewhere_are_left_alone() -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    one, two = fresh_model(tiny_config(), 1), fresh_model(tiny_config(), 1)
    assert torch.equal(torch.get_rng_state(), before)
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), two.parameters(), strict=True))


def test_what_cannot_be_shown_is_said() -> None:
    with pytest.raises(InputError, match="The step is 9; this output has the steps 0 to 3"):
        backward_pass(tiny_model(), SOURCE, TARGET, step=9)
    with pytest.raises(InputError, match="reads no text"):
        backward_pass(tiny_model(source="image", attention="additive"), SOURCE, TARGET)
