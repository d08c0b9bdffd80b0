"""Conversations: turns as data and keyboards have them, and what a model reads of them."""

from __future__ import annotations

import pytest

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import SubwordTokenizer
from seq2seq_core.inputs.turns import joined, tidied, turns_of
from seq2seq_core.pipeline import Pipeline
from tests.core.tiny import tiny_model


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("I ’ m fine , thanks . And you ?", "I'm fine, thanks. And you?"),
        ("I ’ Ve been there", "I'Ve been there"),
        ("it’s the dogs' house", "it's the dogs' house"),
        ("Excuse me.Can you help?", "Excuse me. Can you help?"),
        ("At 10.30, e.g. by bus", "At 10.30, e.g. by bus"),
        ("  two   blanks ", "two blanks"),
    ],
)
def test_a_turn_is_spelt_as_a_keyboard_does(typed: str, read: str) -> None:
    assert tidied(typed) == read


def test_turns_stand_between_signs_of_data_or_of_a_person_and_empty_ones_are_none() -> None:
    assert turns_of("Hi . <turn> Hello ! | | Bye") == ["Hi.", "Hello!", "Bye"]
    assert turns_of(" | <turn>") == []


def test_a_model_reads_the_last_three() -> None:
    words = SubwordTokenizer.train(["Hi. | Hello! How are you? | Fine."], 300)
    pipeline = Pipeline("reply/additive", tiny_model(task="reply", source_vocab=words.size, target_vocab=words.size), words, words)
    (part,) = pipeline.read("One . <turn> Two | Three <turn> Four")
    assert part.text == joined(["One.", "Two", "Three", "Four"], 3) == "Two | Three | Four"
    with pytest.raises(InputError, match="empty"):
        pipeline.read(" <turn> | ")
