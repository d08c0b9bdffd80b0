"""Captions beside themselves, changed by a word or two, as tools/changed_captions.py makes pairs of them."""

from __future__ import annotations

import random

from tools import changed_captions as tool


def test_what_is_denied_or_exchanged_cannot_be_so() -> None:
    drawn = [tool.changed("A dog is running on the grass", random.Random(seed)) for seed in range(3000)]
    pairs = [pair for pair in drawn if pair]
    assert {label for *_, label in pairs} == {"entailment", "neutral", "contradiction"}
    against = {claim for premise, claim, label in pairs if label == "contradiction" and premise == "A dog is running on the grass"}
    assert {"A cat is running on the grass", "A dog is not running on the grass", "There is no dog running on the grass"} <= against
    assert "An elephant is running on the grass" in against, "with the article before it"
    follows = {claim for premise, claim, label in pairs if label == "entailment" and premise == "A dog is running on the grass"}
    assert {"An animal is running on the grass", "A dog is moving on the grass", "A dog is running"} <= follows
    assert not follows & against
    assert ("A hungry dog is running on the grass", "A dog is running on the grass", "entailment") in pairs
    assert ("An animal is running on the grass", "A dog is running on the grass", "neutral") in pairs


def test_words_for_the_same_say_no_less() -> None:
    assert not tool.says_less("A bike", "A bicycle") and not tool.says_less("A dog", "A dog")
    assert tool.says_less("A vehicle", "A bus") and tool.says_less("A dog", "A dog in the snow")
