"""Entropy, coverage, divergences and rank correlation by hand; the parameters by part add up."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from seq2seq_core.study.measures import (
    coverage,
    entropy_bits,
    jensen_shannon,
    kendall_tau,
    kl_divergence,
    parameter_counts,
    total_variation,
)
from tests.core.tiny import tiny_model


def test_divergences_by_hand() -> None:
    p, q = np.log([0.5, 0.25, 0.25]), np.log([0.25, 0.5, 0.25])
    assert kl_divergence(p, q) == pytest.approx(0.25 * math.log(2))
    assert kl_divergence(p, p) == 0
    assert total_variation(p, q) == pytest.approx(0.25)
    assert jensen_shannon([1, 0], [0, 1]) == pytest.approx(math.log(2))
    assert jensen_shannon([0.3, 0.7], [0.3, 0.7]) == 0
    assert jensen_shannon([1, 0], [0.5, 0.5]) == pytest.approx(0.5 * (math.log(4 / 3) + 0.5 * math.log(2 / 3) + 0.5 * math.log(2)))


def test_kendall_tau_by_hand() -> None:
    assert kendall_tau([1, 2, 3], [10, 20, 30]) == 1
    assert kendall_tau([1, 2, 3], [3, 2, 1]) == -1
    assert kendall_tau([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(4 / 6)
    assert kendall_tau([1, 1, 2], [1, 2, 3]) == pytest.approx(2 / math.sqrt(2 * 3))
    assert kendall_tau([1, 1], [1, 2]) is None
    assert kendall_tau([1], [1]) is None


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
