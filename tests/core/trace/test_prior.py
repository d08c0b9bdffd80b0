"""Outputs that a list of words knows stand before those that it does not, and the trace says what that was worth."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.known_words import as_listed, known_words
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.trace.reranking import rerank
from tests.core.invariants import tiny_pipeline

SETTINGS = DecodeSettings(beam_size=4, max_length=8, hypotheses=4)
WORTH = 20.0


def holding(word: str) -> Pipeline:
    """The tiny model beside a list that has this word alone."""
    plain = tiny_pipeline(3, eos=1.5)
    return Pipeline(plain.model_id, plain.model, plain.source_tokenizer, plain.target_tokenizer, known={as_listed(word): WORTH})


def test_the_word_on_the_list_comes_first_and_keeps_its_probability() -> None:
    alone = tiny_pipeline(3, eos=1.5).decode("abc d", SETTINGS)
    third = alone.hypotheses[2]
    held = holding(third.text).decode("abc d", SETTINGS)
    first = held.hypotheses[0]
    assert [one.text for one in held.hypotheses] == [third.text, *(one.text for one in alone.hypotheses if one.text != third.text)]
    assert first.total == third.total
    assert first.score == pytest.approx(third.score + SETTINGS.prior * WORTH / third.length**SETTINGS.length_penalty)
    assert held.prior(first.node) == pytest.approx(SETTINGS.prior * WORTH)
    assert held.prior(held.hypotheses[1].node) == 0
    assert held.is_listed and not alone.is_listed


def test_without_a_weight_the_list_has_no_say() -> None:
    free = replace(SETTINGS, prior=0.0)
    alone = tiny_pipeline(3, eos=1.5).decode("abc d", free)
    held = holding(alone.hypotheses[2].text).decode("abc d", free)
    assert [(one.text, one.score) for one in held.hypotheses] == [(one.text, one.score) for one in alone.hypotheses]


@pytest.mark.parametrize("penalty", [0.0, 1.0, 2.0])
def test_another_length_normalisation_ranks_with_the_list_too(penalty: float) -> None:
    pipeline = holding(tiny_pipeline(3, eos=1.5).decode("abc d", SETTINGS).hypotheses[3].text)
    real = pipeline.decode("abc d", replace(SETTINGS, length_penalty=penalty))
    ranked = rerank(pipeline.decode("abc d", SETTINGS), penalty).ranked[0]
    assert ranked.score == pytest.approx(real.hypotheses[0].score)


def test_a_list_says_how_common_a_word_is() -> None:
    hindi = known_words("Hindi")
    assert hindi[as_listed("है")] > hindi[as_listed("दिल्ली")] > hindi[as_listed("हाजिरी")] > 0
    assert hindi[as_listed("है")] == pytest.approx(math.log(10) * 6.5, abs=0.3), "less the 1.0 of what no list has"
    assert not known_words("English sounds") and not known_words("../hindi") and not known_words("Klingon")


@pytest.mark.parametrize(
    ("typed", "name"),
    [("rahul", "राहुल"), ("sunita", "सुनीता"), ("arjun", "अर्जुन"), ("manish", "मनीष"), ("kiran", "किरण"), ("mumbai", "मुंबई"), ("hai", "है")],
)
def test_a_name_is_spelt_as_people_spell_it(typed: str, name: str) -> None:
    assert Pipeline.load("transliteration/additive").decode(typed, DecodeSettings(length_penalty=0)).text() == name
