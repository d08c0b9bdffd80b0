"""The packed projection is the plain one, to the order of summation, and training never meets it."""

from __future__ import annotations

import pytest
import torch

from seq2seq_core.model.fast import PackedLinear
from tests.core.tiny import tiny_model

pytestmark = pytest.mark.skipif("fbgemm" not in torch.backends.quantized.supported_engines, reason="this processor has no packed product")


@pytest.mark.parametrize("rows", [1, 5, 37])
def test_the_packed_product_equals_the_plain_one(rows: int) -> None:
    torch.manual_seed(0)
    linear = torch.nn.Linear(192, 501)
    packed = PackedLinear.make(linear)
    assert packed is not None
    inputs = torch.randn(rows, 2, 192)
    with torch.inference_mode():
        torch.testing.assert_close(packed(inputs), linear(inputs), atol=2e-6, rtol=1e-5)


def test_rounding_changes_a_weight_by_a_two_thousandth_at_most() -> None:
    linear = torch.nn.Linear(64, 50)
    before = linear.weight.detach().clone()
    PackedLinear.make(linear)
    assert ((linear.weight - before).abs() <= before.abs() / 2048 + 1e-7).all()


def test_a_packed_model_steps_as_the_plain_one_and_can_still_be_differentiated() -> None:
    model = tiny_model().pack()
    source, target = torch.tensor([[4, 5, 6]]), torch.tensor([[1, 7, 8]])
    with torch.inference_mode():
        memory = model.encode(source, torch.tensor([3]))
        fast = model.step(target, model.start(memory), memory).logits
    memory = model.encode(source, torch.tensor([3]))
    plain = model.step(target, model.start(memory), memory).logits
    torch.testing.assert_close(fast, plain.detach(), atol=1e-5, rtol=1e-5)
    plain.sum().backward()
    assert model.decoder.output.weight.grad is not None
