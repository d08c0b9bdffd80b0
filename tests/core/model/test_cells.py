"""The training path of the GRU equals PyTorch's, gradients included; padding never enters a state."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from seq2seq_core.config import Cell
from seq2seq_core.model import fast
from seq2seq_core.model.cells import Recurrence
from seq2seq_core.model.record import Record

CELLS: tuple[Cell, ...] = ("rnn", "gru", "lstm")


def make(cell: Cell, **changes: bool | int) -> Recurrence:
    torch.manual_seed(0)
    recurrence = Recurrence(cell, 5, 4, **{"layers": 2, "bidirectional": True, **changes})
    for parameter in recurrence.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return recurrence


def run(recurrence: Recurrence, inputs: Tensor, lengths: Tensor, training: bool) -> list[Tensor]:
    outputs, last = (fast.sequence_for_training if training else fast.packed_sequence)(recurrence, inputs, None, lengths)
    recurrence.zero_grad()
    ((outputs**2).sum() + (last**3).sum()).backward()
    return [
        outputs.detach(),
        last.detach(),
        *(parameter.grad.clone() for parameter in recurrence.parameters() if parameter.grad is not None),
    ]


def test_the_training_path_of_the_gru_equals_pytorch_with_gradients() -> None:
    recurrence = make("gru")
    inputs, lengths = torch.randn(3, 6, 5), torch.tensor([6, 1, 4])
    ours, theirs = run(recurrence, inputs, lengths, True), run(recurrence, inputs, lengths, False)
    assert len(ours) == len(theirs) == 2 + 16
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("changes", [{}, {"bidirectional": False}], ids=str)
@pytest.mark.parametrize("training", [True, False])
def test_the_equations_and_the_fast_ways_agree(cell: Cell, changes: dict[str, bool], training: bool) -> None:
    recurrence = make(cell, **changes)
    inputs, lengths = torch.randn(3, 6, 5), torch.tensor([6, 1, 4])
    with torch.set_grad_enabled(training):
        plain = recurrence.sequence(inputs, lengths=lengths, record=Record())
        for one, other in zip(plain, recurrence.sequence(inputs, lengths=lengths), strict=True):
            torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)
    if not recurrence.bidirectional:
        state = torch.randn(3, 2, recurrence.state_size)
        for one, other in zip(recurrence.step(inputs[:, 0], state, Record()), recurrence.step(inputs[:, 0], state), strict=True):
            torch.testing.assert_close(one, other, atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("cell", CELLS)
def test_a_record_holds_what_later_steps_hang_on(cell: Cell) -> None:
    """A gradient can be asked for at every state that was written down."""
    recurrence, record = make(cell, bidirectional=False), Record()
    outputs, _ = recurrence.sequence(torch.randn(1, 4, 5), record=record)
    states = record.parts("layer 1/after")
    gradients = torch.autograd.grad(outputs[0, 3].sum(), states)
    assert len(states) == 4 and all(gradient.abs().sum() > 0 for gradient in gradients)
    gates = {"rnn": set(), "gru": {"r", "z", "n"}, "lstm": {"i", "f", "g", "o"}}[cell]
    assert {name.removeprefix("layer 2/") for name in record.names() if name.startswith("layer 2/")} == {
        "inputs",
        "before",
        "after",
        *gates,
    }


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("training", [True, False])
def test_what_stands_on_padding_changes_nothing(cell: Cell, training: bool) -> None:
    recurrence = make(cell)
    inputs, lengths = torch.randn(2, 6, 5), torch.tensor([3, 6])
    changed = inputs.clone()
    changed[0, 3:] = 100.0
    with torch.set_grad_enabled(training):
        before, after = recurrence.sequence(inputs, lengths=lengths), recurrence.sequence(changed, lengths=lengths)
    for one, other in zip(before, after, strict=True):
        assert torch.equal(one, other)
    assert (before[0][0, 3:] == 0).all()


@pytest.mark.parametrize("cell", CELLS)
def test_steps_one_by_one_equal_the_whole_sequence(cell: Cell) -> None:
    recurrence = make(cell, bidirectional=False)
    inputs, state = torch.randn(3, 5, 5), torch.randn(3, 2, recurrence.state_size)
    with torch.inference_mode():
        outputs, last = recurrence.sequence(inputs, state)
        stepped = []
        for t in range(5):
            output, state = recurrence.step(inputs[:, t], state)
            stepped.append(output)
    torch.testing.assert_close(torch.stack(stepped, 1), outputs, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(state, last, atol=1e-6, rtol=1e-5)


def test_bfloat16_products_stay_close() -> None:
    recurrence = make("gru", bidirectional=False)
    inputs = torch.randn(3, 6, 5)
    exact, _ = recurrence.sequence(inputs)
    with torch.autocast("cpu", torch.bfloat16):
        rounded, _ = recurrence.sequence(inputs)
    assert rounded.dtype == torch.float32
    torch.testing.assert_close(rounded, exact, atol=0.05, rtol=0.05)
    assert not torch.equal(rounded, exact)
