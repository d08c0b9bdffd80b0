"""How common the words of a language are: what a model of letters, which spells what it has never seen, can be held against."""

from __future__ import annotations

import gzip
import math
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

FOLDER = Path(__file__).parent / "known_words"
UNLISTED = 1.0  # Zipf's scale, the logarithm to base 10 of the times in a billion words, of a word that no list has


@cache
def known_words(language: str) -> Mapping[str, float]:
    """Of each word the logarithm of how much more common it is than one that is not listed. Empty for a language without a list."""
    file = FOLDER / f"{language.lower()}.txt.gz"
    if not language.isalpha() or not file.exists():
        return {}
    found: dict[str, float] = {}
    for line in gzip.decompress(file.read_bytes()).decode("utf8").splitlines():
        level, *words = line.split()
        found |= dict.fromkeys(words, math.log(10) * (float(level) - UNLISTED))
    return MappingProxyType(found)


def as_listed(word: str) -> str:
    return unicodedata.normalize("NFC", word)
