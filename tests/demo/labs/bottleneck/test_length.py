"""The chart of quality and length as a table of numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from demo.colours import THEME_INK, VARIANTS
from demo.labs.bottleneck.charts import THEME_VARIANTS, length_chart
from demo.labs.bottleneck.length import claim, findings, frame_of
from demo.labs.bottleneck.results import Result, alike
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


def test_a_transformer_is_drawn_in_the_ink_of_the_page() -> None:
    figure = length_chart([result("additive", WORDS), result("transformer", WORDS)], "words", "BLEU")
    drawn = {one.name: one.marker.color for one in figure.data if one.type == "bar"}
    assert drawn == {"additive": THEME_VARIANTS[VARIANTS.index("additive")], "transformer": THEME_INK}


def test_scores_of_other_sentences_are_not_drawn_together() -> None:
    buckets = ({"from": 1, "to": 2, "n": 3, "bleu": 1.0, "low": 0.0, "high": 2.0},)
    one, other = Result("none", "bleu", 1.0, buckets), Result("dot", "bleu", 1.0, ({**buckets[0], "n": 4},))
    assert alike([one, other]) == ([one], ["dot"])


@pytest.mark.parametrize(
    ("wrong_from", "said"),
    [(150, "The gap grows with length, by +"), (0, "this includes 0, so a change with length is not shown")],
)
def test_where_the_gap_sits_is_said_in_words(wrong_from: int, said: str) -> None:
    lengths = tuple(range(1, 201))
    rng = np.random.default_rng(1)
    right = np.array([[int(place < wrong_from or rng.random() < 0.4), 1] for place in range(200)])
    pair = [SentenceScores("exact", lengths, stats) for stats in (right, np.array([[1, 1]] * 200))]
    base, other = (Result(name, "exact", each.value(), tuple(each.buckets()), each) for name, each in zip("ab", pair, strict=True))
    assert said in findings(base, other, "letters")[1]
    assert "no difference is shown" in findings(base, base, "letters")[0]
    assert claim(base, other, "letters").startswith("From 151 letters on, a costs ") and claim(base, base, "letters") == ""


def test_of_errors_fewer_are_better() -> None:
    lengths = (1, 2, 3, 4) * 10
    many, few = (np.array([[wrong(length), length] for length in lengths]) for wrong in (lambda length: length - 1, lambda _: 0))
    pair = [SentenceScores("error", lengths, stats) for stats in (many, few)]
    base, other = (Result(name, "error", each.value(), tuple(each.buckets()), each) for name, each in zip("ab", pair, strict=True))
    assert claim(base, other, "digits") == "From 4 digits on, a costs 75 percentage points."
    assert "a gap of +60" in findings(base, other, "digits")[0] and "grows with length" in findings(base, other, "digits")[1]
    rough = [replace(one, each=None) for one in (base, other)]
    assert "a gap of +60" in findings(*rough, "digits")[0] and claim(*rough, "digits") == ""
