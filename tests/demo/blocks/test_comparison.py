"""What Compare says beside its table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from demo.blocks.comparison import Entry, data_note
from seq2seq_core.store.zoo import ModelInfo
from tests.demo.traces import make_trace, text_source


def entry(name: str, learnt: str) -> Entry:
    card: dict[str, Any] = {"data": {"trained_on": learnt}} if learnt else {}
    info = ModelInfo(f"captioning/{name}", Path(name), card)
    return Entry(name, info, make_trace(["a"], text_source("b"), model_id=info.id))


@pytest.mark.parametrize(
    ("learnt", "said"),
    [
        (("photos", "photos", "photos"), ""),
        (("photos", "", "letters"), ""),
        (
            ("photos", "letters", "photos"),
            "Not all that differs here is the model: they learnt from different data, soft and none from photos; hard from letters.",
        ),
    ],
)
def test_models_of_different_data_are_not_compared_without_saying_so(learnt: tuple[str, ...], said: str) -> None:
    assert data_note([entry(name, one) for name, one in zip(("soft", "hard", "none"), learnt, strict=True)]) == said
