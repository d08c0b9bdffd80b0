"""Dropout: how much is dropped, that the mean stays, and that the generator's state decides it."""

from __future__ import annotations

import pytest
import torch

from seq2seq_core.model.fast import drop


@pytest.mark.parametrize("share", [0.1, 0.25, 0.4, 0.9])
def test_a_share_is_dropped_and_the_mean_stays(share: float) -> None:
    torch.manual_seed(1)
    kept = drop(torch.ones(200, 1003), share, training=True)
    assert float((kept == 0).float().mean()) == pytest.approx(share, abs=0.005)
    assert float(kept.mean()) == pytest.approx(1.0, abs=0.02)
    assert len(kept.unique()) == 2
    assert float((kept == 0).float().mean(0).std()) < 2 * (share * (1 - share) / 200) ** 0.5  # no place is dropped more often than others


def test_a_dropped_value_has_no_gradient_and_a_kept_one_is_scaled() -> None:
    torch.manual_seed(1)
    values = torch.randn(7, 5, requires_grad=True)
    dropped = drop(values, 0.5, training=True)
    dropped.sum().backward()
    assert values.grad is not None
    assert torch.equal(values.grad, torch.where(dropped == 0, 0.0, 2.0))
    assert torch.equal(dropped, values * values.grad)


def test_the_generator_decides_and_nothing_is_drawn_without_need() -> None:
    values = torch.randn(9, 3)
    torch.manual_seed(5)
    first = drop(values, 0.4, training=True)
    torch.manual_seed(5)
    assert torch.equal(first, drop(values, 0.4, training=True))
    state = torch.get_rng_state()
    assert drop(values, 0.4, training=False) is values
    assert drop(values, 0.0, training=True) is values
    assert torch.equal(state, torch.get_rng_state())


def test_half_precision_stays() -> None:
    assert drop(torch.ones(8, dtype=torch.bfloat16), 0.4, training=True).dtype == torch.bfloat16
