"""Text to whole words and back, for a task that has but a few: a story in a small world, and what is asked about it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import SPECIALS, UNK, Encoding

STOP = len(SPECIALS)  # the full stop, where a sentence ends: it is the first word of every such vocabulary
_WORD = re.compile(r",?\w+(?:['\u2019-]\w+)*|[^\w\s]")  # a comma without a space begins the next word of a list: n,w
_CLOSE = ".,?!"  # no space stands before these


class WordTokenizer:
    """One token per word or sign. Capitals make no other word, nor does the s of a plural, unless the plural is a word of its own."""

    kind = "word"

    def __init__(self, words: Sequence[str]) -> None:
        keys = [word.lower() for word in words if isinstance(word, str)]
        if not keys or keys[0] != "." or len(set(keys)) != len(words):
            raise InputError("The words of a vocabulary must be different, whatever their capitals, and the first must be the full stop.")
        self.words = tuple(words)
        self._ids = {key: index for index, key in enumerate(keys, STOP)}

    @classmethod
    def train(cls, lines: Iterable[str]) -> WordTokenizer:
        """Every word of the lines, written as it most often is."""
        written: dict[str, Counter[str]] = {}
        for line in lines:
            for word in _WORD.findall(line):
                written.setdefault(word.lower(), Counter())[word] += 1
        return cls([".", *(written[key].most_common(1)[0][0] for key in sorted(written) if key != ".")])

    @property
    def size(self) -> int:
        return len(SPECIALS) + len(self.words)

    def encode(self, text: str) -> Encoding:
        found = list(_WORD.finditer(text))
        tokens = tuple(match.group() for match in found)
        return Encoding(tuple(map(self._id, tokens)), tokens, tuple(match.span() for match in found), tuple(range(len(found))))

    def encode_many(self, texts: Sequence[str], dropout: float = 0.0, seed: int = 0) -> list[list[int]]:
        """Ids of many texts; dropout and seed are for subwords and change nothing here."""
        return [[self._id(word) for word in _WORD.findall(text)] for text in texts]

    def unknown(self, text: str) -> tuple[str, ...]:
        """The words of a text that are not in the vocabulary, each once, as typed."""
        return tuple(dict.fromkeys(word for word in _WORD.findall(text) if self._id(word) == UNK))

    def _id(self, word: str) -> int:
        key = word.lower()
        return self._ids.get(key) or (self._ids.get(key[:-1], UNK) if key.endswith("s") else UNK)

    def decode(self, ids: Iterable[int]) -> str:
        return "".join(self.token(index) for index in ids if index >= STOP).removeprefix(" ")

    def token(self, token_id: int) -> str:
        """As it stands in a text: a word after its space."""
        if token_id < STOP:
            return SPECIALS[token_id]
        word = self.words[token_id - STOP]
        return word if word[0] in _CLOSE else " " + word

    def groups(self, ids: Sequence[int]) -> tuple[int, ...]:
        return tuple(range(len(ids)))

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "words": list(self.words)}
