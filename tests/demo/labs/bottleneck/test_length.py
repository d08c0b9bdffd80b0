"""The chart of quality and length as a table of numbers."""

from __future__ import annotations

from demo.labs.bottleneck.length import frame_of
from demo.labs.bottleneck.results import Result
from seq2seq_core.training import metrics
from seq2seq_core.training.sentence_scores import SentenceScores

WORDS = ["a", "a dog", "a dog runs", "a dog runs on grass", "the cat is here", "two cats sleep", "it rains", "a big red house stands here"]


def result(variant: str, outputs: list[str]) -> Result:
    each = SentenceScores("bleu", tuple(len(text.split()) for text in WORDS), metrics.bleu_stats(outputs, WORDS))
    return Result(variant, "bleu", each.value(), tuple(each.buckets()), each, tuple(outputs))


def test_each_variant_has_a_row_for_all_and_one_for_each_length() -> None:
    found = [result("additive", WORDS), result("none", [f"{text} x" for text in WORDS])]
    table = frame_of(found)
    assert table.columns.tolist() == ["variant", "length", "n", "bleu", "low", "high"]
    assert len(table) == sum(1 + len(one.buckets) for one in found)
    for one in found:
        own = table[table["variant"] == one.variant]
        assert own["length"].tolist() == ["all", *one.names]
        assert own["n"].iloc[1:].sum() == own["n"].iloc[0] == one.n == len(WORDS)
        assert own["bleu"].iloc[0] == one.value
        assert own[["bleu", "low", "high"]].iloc[1].tolist() == list(one.score(0))
