"""Pairs that stand ready on the Train page: a secret language, and the plurals of English words."""

from __future__ import annotations

import random
from collections.abc import Callable

VOWELS = "aeiou"
WORDS = """
apple baby bag ball bird boat book box boy bridge brush bus cake car card cat chair cherry church city class clock cloud coin cow cup
day dish dog door dress duck ear egg eye family fish flag flower fly fox friend frog garden girl glass goat guitar hand hat horse house
island key kite lady lake lamp leaf letter lorry match monkey mouse nail nest orange party path peach pen picture pig plate pony potato
queen ring river road rose sandwich shelf ship shoe shop song spoon star stone story street table tooth toy train tree truck wall watch
window wish wolf woman word
"""
NOUNS = tuple(WORDS.split())
IRREGULAR = {"mouse": "mice", "tooth": "teeth", "woman": "women", "fish": "fish", "leaf": "leaves", "shelf": "shelves", "wolf": "wolves"}
COLOURS = ("red", "blue", "green", "yellow", "old", "new", "big", "small")


def hidden(word: str) -> str:
    """As children speak it: each vowel once more behind a b."""
    return "".join(f"{sign}b{sign}" if sign in VOWELS else sign for sign in word)


def plural(noun: str) -> str:
    if noun in IRREGULAR:
        return IRREGULAR[noun]
    if noun.endswith("y") and noun[-2] not in VOWELS:
        return f"{noun[:-1]}ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh", "potato")) else "s")


def secret_language() -> str:
    """Words that exist, and as many syllables that do not, so that the rule is learnt and not the words."""
    rng = random.Random(1)
    made = {"".join(rng.choice("bdfgklmnprst") + rng.choice(VOWELS) for _ in range(rng.randint(2, 3))) for _ in range(500)}
    return _lines([(word, hidden(word)) for word in (*NOUNS, *sorted(made))])


def plurals() -> str:
    """The same nouns among several words, so that each ending is met often."""
    return _lines([(f"a {colour} {noun}", f"two {colour} {plural(noun)}") for noun in NOUNS for colour in COLOURS])


def _lines(pairs: list[tuple[str, str]]) -> str:
    random.Random(1).shuffle(pairs)  # every tenth is kept for testing
    return "\n".join(f"{source} -> {target}" for source, target in pairs)


SETS: dict[str, Callable[[], str]] = {"A secret language": secret_language, "Plurals": plurals}
