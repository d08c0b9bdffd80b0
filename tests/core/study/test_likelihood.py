"""Perplexity from word probabilities, entropies along a text, and what sampling makes of a distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from seq2seq_core.config import DecodeSettings, to_dict
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, PAD, UNK, CharacterTokenizer, SubwordTokenizer
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.store.ship import card_text
from seq2seq_core.study.likelihood import Reading, next_chances, output_perplexity, read
from seq2seq_core.training.evaluation import evaluate_lines
from tests.core.tiny import tiny_model

SENTENCES = ("A dog runs across the meadow.", "Two children play.", "unbelievable 😀")


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    words = SubwordTokenizer.train(["A dog runs across the meadow.", "Two children play on the beach."] * 4, 300)
    sizes: dict[str, Any] = {"task": "language", "source": "none", "attention": "none", "target_vocab": words.size}
    return Pipeline("language/gru", tiny_model(**sizes), None, words)


def test_a_model_of_characters_is_told_in_bits() -> None:
    letters = CharacterTokenizer(list("abc"))
    model = Pipeline(
        "language/characters", tiny_model(task="language", source="none", attention="none", target_vocab=letters.size), None, letters
    )
    lines = ["ab", "cabba"]
    scores = evaluate_lines(model, lines)
    total = sum(read(model, None, line).total for line in lines)
    assert scores["bits_per_character"] == pytest.approx(-total / math.log(2) / (2 + 1 + 5 + 1), abs=1e-4)
    told = card_text({"config": to_dict(model.model.config), "scores": {"Lines": scores}})
    assert f"bits per character {scores['bits_per_character']:.2f} |" in told and "perplexity" not in told  # a character is no word


def readings(pipeline: Pipeline) -> list[Reading]:
    return [read(pipeline, None, text) for text in SENTENCES]


def test_perplexity_is_the_one_that_evaluate_gives(pipeline: Pipeline) -> None:
    for one in readings(pipeline):
        scores = evaluate_lines(pipeline, [one.text])
        assert (len(one.words), len(one.pieces)) == (scores["words"], scores["pieces"])
        assert one.perplexity == pytest.approx(scores["perplexity"], rel=1e-5)
        assert one.piece_perplexity == pytest.approx(scores["piece_perplexity"], rel=1e-5)
        product = math.prod(math.exp(word.logprob) for word in one.words)
        assert product ** (-1 / len(one.words)) == pytest.approx(one.perplexity, rel=1e-6)
        assert one.total == pytest.approx(one.trace.hypotheses[0].total, rel=1e-6)
        assert output_perplexity(one.trace) == pytest.approx(one.perplexity, rel=1e-6)


def test_words_are_those_of_the_text_and_the_end_stands_behind_it(pipeline: Pipeline) -> None:
    first, _, last = readings(pipeline)
    assert [word.text for word in first.words] == ["A", "dog", "runs", "across", "the", "meadow", ".", "</s>"]
    assert [first.text[word.begin : word.end].strip() for word in first.words[:-1]] == [word.text for word in first.words[:-1]]
    assert (first.words[-1].begin, first.words[-1].end) == (len(first.text), len(first.text))
    assert [word.text for word in last.words] == ["unbelievable", "😀", "</s>"]
    assert len(last.words[0].pieces) > 1
    assert [word.first for word in last.words] == [0, len(last.words[0].pieces), len(last.pieces) - 1]


def test_entropy_and_rank_are_those_of_the_distribution_at_each_place(pipeline: Pipeline) -> None:
    one, model = read(pipeline, None, SENTENCES[0]), pipeline.model
    memory = model.encode_nothing(1)
    before = torch.tensor([[BOS, *one.trace.token_ids()[:-1]]])
    with torch.inference_mode():
        chance = model.step(before, model.start(memory), memory).logits[0].softmax(-1).double().numpy()
    for piece, row, token in zip(one.pieces, chance, one.trace.token_ids(), strict=True):
        assert piece.entropy == pytest.approx(float(-(row * np.log2(row)).sum()), rel=1e-4)
        assert piece.rank == 1 + int((row > row[token]).sum())
        assert math.exp(piece.logprob) == pytest.approx(row[token], rel=1e-4)
        assert all(a.logprob >= b.logprob for a, b in zip(piece.candidates, piece.candidates[1:], strict=False))
    assert one.words[0].entropy == one.pieces[0].entropy


def test_ways_of_sampling_reshape_one_distribution(pipeline: Pipeline) -> None:
    prefix = pipeline.prefix("A dog").prefix
    ways = [DecodeSettings(search="sample", **changes) for changes in ({}, {"temperature": 0.2}, {"top_k": 3}, {"top_p": 0.4})]
    plain, cold, best, share = next_chances(pipeline, None, prefix, ways)
    for row in (plain, cold, best, share):
        assert row.sum() == pytest.approx(1, abs=1e-5)
        assert row[[PAD, BOS, UNK]].tolist() == [0, 0, 0]
    assert cold.max() > plain.max()
    assert (best > 0).sum() == 3
    kept = share > 0
    assert plain[kept].sum() >= 0.4 > plain[kept].sum() - plain[kept].min()
    assert share[kept] == pytest.approx(plain[kept] / plain[kept].sum(), rel=1e-4)


@pytest.mark.parametrize(("text", "said"), [("", "The text is empty"), ("  ", "only spaces"), ("x" * 2001, "2,001 characters")])
def test_what_cannot_be_read_is_said(pipeline: Pipeline, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(pipeline, None, text)


def test_a_long_text_is_read_whole(pipeline: Pipeline) -> None:
    one = read(pipeline, None, "zq " * 500)
    assert len(one.pieces) > 1000
    assert one.perplexity == pytest.approx(evaluate_lines(pipeline, [one.text])["perplexity"], rel=1e-4)
