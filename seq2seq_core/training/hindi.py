"""Pairs of English and Hindi: the Hindi side in Latin letters, and in training spelt in the many ways that people type it."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.devanagari import Romaniser, attested, has_devanagari, words_in
from seq2seq_core.tasks import TASKS
from seq2seq_core.training.readers import Pair, Row, read_lexicon

if TYPE_CHECKING:
    from seq2seq_core.pipeline import Pipeline

_LATIN = re.compile(r"[a-z]+", re.IGNORECASE)
# Other ways to type a sound; each is taken for a share of the words that it could change: main, mai, mein; hoon, hun, hu.
_HABITS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), other)
    for pattern, other in (
        (r"(?<=[aeiou])n$", ""), ("oo", "u"), ("u(?=[^u]*$)", "oo"), ("ee", "i"), ("i$", "ee"), ("aa", "a"), ("a(?=[^aeiou])", "aa"),
        ("v", "w"), ("w", "v"), ("ai", "ei"), ("ai", "e"), ("ei", "ai"), ("ph", "f"), ("f", "ph"), ("z", "j"), ("chh", "ch"), ("q", "k"),
        ("^ya", "ye"), ("^va", "wo"), ("sh", "s"), ("kh$", "k"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HindiSettings:
    """[hindi] of a recipe whose pairs are English TAB Hindi."""

    side: str = ""  # source or target: which side of the model is Hindi; empty: neither
    lexicons: tuple[str, ...] = ()  # files of native TAB romanisation TAB annotators
    respelt: float = 0.0  # of a Hindi source: the share of the words that are spelt as others spell them, drawn anew in every epoch

    def __post_init__(self) -> None:
        if self.side not in ("", "source", "target"):
            raise InputError(f"side is {self.side!r}; it must be source or target.")
        object.__setattr__(self, "lexicons", tuple(self.lexicons))

    def __bool__(self) -> bool:
        return bool(self.side)


@dataclass(frozen=True)
class HindiPairs:
    """Training pairs (English, Hindi) of which every epoch sees another spelling."""

    settings: HindiSettings
    pairs: tuple[tuple[str, str], ...]
    romaniser: Romaniser
    others: Mapping[str, Mapping[str, int]]  # by a word's usual spelling: how many people gave which
    memo: dict[tuple[str, int], list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: HindiSettings, pairs: Sequence[Pair], folder: Path) -> HindiPairs:
        found = attested([row for name in settings.lexicons for row in read_lexicon(folder / name)])
        known = Romaniser({word: next(iter(spellings)) for word, spellings in found.items()})
        counts = Counter(word for pair in pairs for word in words_in(pair[1]))
        romaniser = Romaniser({word: known.word(word) for word, _ in counts.most_common()})
        others: dict[str, dict[str, int]] = {}
        for word in counts:
            into = others.setdefault(romaniser.word(word), {})
            for spelling, people in found.get(word, {}).items():
                into[spelling] = into.get(spelling, 0) + people
        return cls(settings, tuple((pair[0], romaniser.text(pair[1])) for pair in pairs), romaniser, others)

    def plain(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Pairs as they are, in the order that the model has them."""
        turned = self.settings.side == "source"
        return [
            (hindi, english) if turned else (english, hindi)
            for english, hindi in ((pair[0], self.romaniser.text(pair[1])) for pair in pairs)
        ]

    def epoch(self, seed: int) -> list[Pair]:
        if self.settings.side == "target":
            return list(self.pairs)
        rng = random.Random(seed)
        return [(self.respelt(hindi, rng), english) for english, hindi in self.pairs]

    def respelt(self, text: str, rng: random.Random) -> str:
        """A share of the words spelt otherwise; now and then a sentence begins with a capital letter or has no sign at its end."""
        text = _LATIN.sub(lambda found: self._typed(found[0], rng) if rng.random() < self.settings.respelt else found[0], text)
        if rng.random() < 0.3:
            text = text[:1].upper() + text[1:]
        return text[:-1] if rng.random() < 0.3 and text[-1:] in (".", "?", "!") and len(text) > 1 else text

    def _typed(self, word: str, rng: random.Random) -> str:
        """As somebody spelt it who was asked, or as the habits of typing have it."""
        spellings = self.others.get(word)
        if spellings and rng.random() < 0.5:
            return rng.choices(list(spellings), list(spellings.values()))[0]
        able = [(pattern, other) for pattern, other in _HABITS if pattern.search(word)]
        if not able:
            return word
        pattern, other = rng.choice(able)
        return pattern.sub(other, word)


def as_read(pipeline: Pipeline, rows: Sequence[Row]) -> list[Row]:
    """Lines of English and Hindi, whichever comes first, as a model that reads or says Hindi in Latin letters has them."""
    if pipeline.romaniser is None:
        return list(rows)
    found = []
    for row in rows:
        english, hindi = row.given[0], row.right[0]
        if has_devanagari(english):
            english, hindi = hindi, english
        hindi = pipeline.romaniser.text(hindi)
        given, right = (hindi, english) if TASKS[pipeline.task].reads[0].language.startswith("hi") else (english, hindi)
        found.append(replace(row, given=(given,), right=(right,)))
    return found
