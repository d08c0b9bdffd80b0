"""Hindi in Latin letters, as people type it: a known word by the spelling that most people gave it, any other by rule; and the way back."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import Path

from seq2seq_core.errors import InputError

WORDS = "words.json"  # in the folder of a model that reads or says Hindi
LARGEST = 2_000_000  # bytes of that file

_LETTERS = r"\u0900-\u0963\u0970-\u097F"
_WORD = re.compile(rf"[{_LETTERS}](?:[\u200C\u200D]?[{_LETTERS}])*")
_SIGNS = str.maketrans({"।": ".", "॥": ".", "“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "…": "..."}) | {
    0x0966 + digit: str(digit) for digit in range(10)
}
_VIRAMA, _NUKTA, _NASAL = "\u094d", "\u093c", "ंँ"


def _sounds(pairs: str) -> dict[str, str]:
    return {pair[0]: pair[1:] for pair in pairs.split()}


_CONSONANTS = _sounds("कk खkh गg घgh ङn चch छchh जj झjh ञn टt ठth डd ढdh णn तt थth दd धdh नn पp फf बb भbh मm यy रr लl वv शsh षsh सs हh ळl")
_DOTTED = _sounds("कq खkh गgh जz झzh डd ढdh फf नn रr ळl")
_VOWELS = _sounds("अa आaa इi ईi उu ऊu ऋri एe ऐai ओo औau ऑo ऍe ऎe ऒo")
_MARKS = _sounds("ाa िi ीi ुu ूu ृri ेe ैai ोo ौau ॉo ॅe ॆe ॊo")
_TOGETHER = (("jn", "gy"), ("chchh", "cch"))


def has_devanagari(text: str) -> bool:
    return bool(_WORD.search(text))


@dataclass(slots=True)
class _Syllable:
    """Consonants and the vowel after them; `bare` where no vowel is written, so that it is an a or nothing."""

    onset: list[str]
    vowel: str
    nasal: str = ""
    bare: bool = False


def by_rule(word: str) -> str:
    """A word that no list has, letter by letter, without the vowels that are not said: लड़की is ladki, not ladaki."""
    syllables = list(_syllables(unicodedata.normalize("NFD", word)))
    last = len(syllables) - 1
    if last > 0 and syllables[-1].bare and not syllables[-1].nasal and not _kept(syllables[-1].onset):
        syllables[-1].vowel = ""
    # From the right: an unwritten vowel between VC and CV is not said (Ohala 1983).
    for place in range(last - 1, 0, -1):
        before, here, after = syllables[place - 1 : place + 2]
        if here.bare and not here.nasal and before.vowel and after.vowel and len(here.onset) == len(after.onset) == 1:
            here.vowel = ""
    text = ""
    for one, following in zip_longest(syllables, syllables[1:]):
        before_lips = following is not None and following.onset[:1] in (["p"], ["b"], ["bh"], ["m"])
        text += "".join(one.onset) + one.vowel + ("m" if one.nasal == "n" and before_lips else one.nasal)
    for written, said in _TOGETHER:
        text = text.replace(written, said)
    return text


def _kept(onset: list[str]) -> bool:
    """Whether the last a of a word is said after these consonants: mitra, punya."""
    return len(onset) > 1 and onset[-1] in ("y", "r", "v")


def _syllables(letters: str) -> Iterator[_Syllable]:
    onset: list[str] = []
    found: _Syllable | None = None
    for place, letter in enumerate(letters):
        following = letters[place + 1 : place + 2]
        if letter in _CONSONANTS:
            if found:
                yield found
                found = None
            dotted = following == _NUKTA
            onset.append(_DOTTED.get(letter, _CONSONANTS[letter]) if dotted else _CONSONANTS[letter])
            after = letters[place + 1 + dotted : place + 2 + dotted]
            if after != _VIRAMA:
                found = _Syllable(onset, "a", bare=after not in _MARKS)
                onset = []
        elif letter in _MARKS and found:
            found.vowel = _MARKS[letter]
        elif letter in _VOWELS:
            if found:
                yield found
            found = _Syllable(onset, "a" if letter == "आ" and found else _VOWELS[letter])
            onset = []
        elif letter in _NASAL and found:
            found.nasal = "n"
        elif letter == "ः" and found:
            found.nasal = "h"
    if found:
        yield found
    if onset:
        yield _Syllable(onset, "")


def key(word: str) -> str:
    """One key for the ways a word is written in Devanagari: हूँ and हूं are the same word."""
    return unicodedata.normalize("NFC", word).replace("ँ", "ं").replace("\u200d", "").replace("\u200c", "")


def _nearby(known: str) -> Iterator[str]:
    """The same word as others write it: without the dot below, or with a y before the ending."""
    yield known
    undotted = unicodedata.normalize("NFC", unicodedata.normalize("NFD", known).replace(_NUKTA, ""))
    for one in (known, undotted):
        yield one
        yield re.sub("ये(ं?)$", r"ए\1", re.sub("यी(ं?)$", r"ई\1", one))


@dataclass(frozen=True)
class Romaniser:
    """Known words: their key and how most people spell it, the most frequent word first."""

    spellings: Mapping[str, str]

    def word(self, word: str) -> str:
        known = key(word)
        return next((self.spellings[one] for one in _nearby(known) if one in self.spellings), None) or by_rule(known)

    def text(self, text: str) -> str:
        """A sentence in Latin letters; what is not Devanagari stays as it is."""
        return _WORD.sub(lambda found: self.word(found[0]), unicodedata.normalize("NFC", text)).translate(_SIGNS)

    def devanagari(self, spelling: str) -> str:
        """The most frequent word that is spelt so; empty where none is known."""
        return self._back.get(spelling.lower(), "")

    @cached_property
    def _back(self) -> dict[str, str]:
        return {spelling: word for word, spelling in reversed(list(self.spellings.items()))}

    def save(self, folder: Path) -> None:
        (folder / WORDS).write_text(json.dumps(dict(self.spellings), ensure_ascii=False, indent=0) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Romaniser | None:
        """That of a model; None where its folder has no list of words."""
        path = folder / WORDS
        try:
            if not path.is_file():
                return None
            content = json.loads(path.read_bytes()[:LARGEST])
            if not all(isinstance(spelling, str) for spelling in content.values()):
                raise ValueError
        except (OSError, ValueError, AttributeError, RecursionError):
            raise InputError(f"{WORDS} in {folder.parent.name}/{folder.name} is not a list of words; get the file again.") from None
        return cls(content)


def words_in(text: str) -> list[str]:
    """The keys of the Devanagari words of a text."""
    return [key(found) for found in _WORD.findall(unicodedata.normalize("NFC", text))]


def attested(lexicon: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
    """By the key of a word: how many people gave each spelling, the most frequent first, from rows (spelling, word, people)."""
    found: dict[str, dict[str, int]] = {}
    for spelling, word, people in lexicon:
        counts = found.setdefault(key(word), {})
        counts[spelling] = counts.get(spelling, 0) + people
    return {word: dict(sorted(counts.items(), key=lambda one: -one[1])) for word, counts in found.items()}
