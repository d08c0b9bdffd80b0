"""What Compare says beside its table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from demo.blocks.comparison import Entry, data_note, models_frame
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


def test_models_trained_for_different_times_are_not_compared_without_saying_so() -> None:
    entries = [entry("cell", "pairs"), entry("output", "pairs")]
    entries[0].info.card["epochs"] = 6
    assert data_note(entries) == ""  # of one nothing is known
    entries[1].info.card["epochs"] = 10
    said = "Not all that differs here is the model: they were trained for different times, cell for 6 epochs and output for 10 epochs."
    assert data_note(entries) == said
    entries[0].info.card["epochs"] = 10
    assert data_note(entries) == ""


def test_all_models_of_a_task_stand_in_one_table_with_their_numbers() -> None:
    infos = [
        ModelInfo("translation/none", Path("none"), {"config": {"attention": "none", "cell": "gru"}}),
        ModelInfo(
            "translation/big", Path("big"),
            {
                "config": {"attention": "multi-head", "cell": "gru", "body": "transformer"}, "parameters": 7,
                "scores": {"dev": {"bleu": 12.5}}, "data": {"trained_on": "pairs", "licence": "CC0"},
            },
        ),
    ]  # fmt: skip
    table = models_frame(infos)
    assert table["model"].tolist() == ["none", "big"] and table["body"].tolist() == ["gru", "transformer"]
    assert table["dev_score"].tolist()[1] == 12.5 and table["dev_score"].isna().tolist() == [True, False]
    assert table[["learnt_from", "licence"]].to_numpy().tolist() == [["", ""], ["pairs", "CC0"]]
