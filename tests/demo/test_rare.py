"""What the model hardly knows is underlined and named; how sure it was of a word is seen in the headline."""

from __future__ import annotations

from dataclasses import replace

import pytest

from demo.blocks.answer import tinted, word_chances
from demo.components.outputs.mount import Chance
from demo.components.player.data import player_data
from demo.rare import rare_words
from seq2seq_core.inputs.part import Part
from seq2seq_core.inputs.tokenizer import SubwordTokenizer
from tests.demo.traces import dog_trace, make_trace, text_source

NAMES = text_source(["Ich", " heiße", " A", "nn", "a", " aus", " Br", "at", "is", "l", "av", "a", " seit", " 1", "9", "8", "7", "."])


def test_words_put_together_from_small_pieces_are_rare_and_numbers_are_not() -> None:
    trace = make_trace([" I", ".", "</s>"], replace(NAMES, groups=(0, 1, 2, 2, 2, 3, 4, 4, 4, 4, 4, 4, 5, 6, 6, 6, 6, 7)))
    found = rare_words(trace)
    assert [word.text for word in found] == ["Anna", "Bratislava"]
    assert found[0].pieces == ("A", "nn", "a") and found[0].places == (2, 3, 4)
    assert player_data(trace)["rare"] == [2, 3, 4, 6, 7, 8, 9, 10, 11]
    assert rare_words(dog_trace()) == ()  # "entlang" has two pieces


def test_a_word_is_named_by_its_letters_where_the_model_has_only_their_bytes() -> None:
    tokenizer = SubwordTokenizer.train(["Das ist ein Haus."], 300)
    part = Part.of_text("source", "Zoë 😀", tokenizer.encode("Zoë 😀"))
    found = rare_words(make_trace([" Z", "</s>"], part))
    assert [(word.text, word.pieces) for word in found] == [("Zoë", ("Z", "o", "ë"))]


def test_letters_are_never_rare() -> None:
    assert rare_words(make_trace(["a", "</s>"], text_source(list("namaste")), task="transliteration")) == ()


def test_each_word_of_the_headline_has_the_probability_of_its_pieces() -> None:
    trace = dog_trace(probabilities=[0.9, 0.4, 0.5, 0.8, 0.5, 0.9, 0.9, 0.9, 0.9, 0.9])
    text = trace.text()
    assert text == "A dog is running along the beach."
    told = tinted(trace, 0, text)
    assert [text[one.begin : one.end] for one in told] == ["A", "dog", "is", "running", "along", "the", "beach", "."]
    assert told[1] == Chance(2, 5, pytest.approx(0.4)) and told[3].p == pytest.approx(0.4)


def test_what_was_given_or_forced_has_no_tint() -> None:
    trace = dog_trace(probabilities=[0.1] * 10)
    assert len(word_chances(trace)) == 8
    given = replace(trace, prompt=2)
    assert [one.word for one in word_chances(given) if not one.own] == ["A", "dog"]
    assert given.text()[tinted(given, 0, given.text())[0].begin :].startswith("is running")
