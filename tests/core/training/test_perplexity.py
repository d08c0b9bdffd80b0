"""Perplexity of replies: all that are right count, after their context or after nothing, and its interval is over contexts."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.tokenizer import SubwordTokenizer
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.study.likelihood import read
from seq2seq_core.tasks import TASKS
from seq2seq_core.training.evaluation import evaluate_rows
from seq2seq_core.training.readers import read_rows
from tests.core.tiny import tiny_model

LINES = ("Hi . <turn> How are you ?\tI’m fine.", "Hi . <turn> How are you ?\tNot so well, and you?", "Is it late?\tYes, it is.")
WORDS = SubwordTokenizer.train(["Hi. | How are you? I'm fine. Not so well. Yes, it is late."], 300)


def model(source: str) -> Pipeline:
    sizes = {"source_vocab": WORDS.size, "target_vocab": WORDS.size}
    attention = "additive" if source == "text" else "none"
    tokenizer = WORDS if source == "text" else None
    return Pipeline(f"reply/{attention}", tiny_model(task="reply", source=source, attention=attention, **sizes), tokenizer, WORDS)


@pytest.mark.parametrize("source", ["text", "none"])
def test_all_replies_count_in_the_spelling_of_a_keyboard(tmp_path: Path, source: str) -> None:
    (tmp_path / "daily.tsv").write_text("\n".join(LINES), encoding="utf8")
    pipeline = model(source)
    rows = read_rows(tmp_path / "daily.tsv", TASKS["reply"])
    assert [len(row.right) for row in rows] == [2, 1]
    scores = evaluate_rows(pipeline, rows, DecodeSettings(), against=model("none"))
    replies = [line.replace("’", "'").split("\t") for line in LINES]
    readings = [read(pipeline, context if source == "text" else None, reply) for context, reply in replies]
    words = sum(len(one.words) for one in readings)
    assert (scores["n"], scores["words"]) == (2, words)
    assert scores["perplexity"] == pytest.approx(math.exp(-sum(one.total for one in readings) / words), rel=1e-4)
    low, high = scores["intervals"]["perplexity"]
    assert low <= scores["perplexity"] <= high
    assert (scores["less"]["perplexity"]["value"] == 0) == (source == "none")
