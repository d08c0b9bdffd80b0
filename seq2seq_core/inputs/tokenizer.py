"""Text to ids and back, losslessly: byte-level subwords and characters, each token with its span in the typed text."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

from tokenizers import Regex
from tokenizers import Tokenizer as Backend
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Split
from tokenizers.pre_tokenizers import Sequence as PreTokenizers
from tokenizers.trainers import BpeTrainer

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.spans import character_spans, cluster_labels, number_groups, readable, units, word_labels

PAD, BOS, EOS, UNK = 0, 1, 2, 3
SPECIALS = ("<pad>", "<s>", "</s>", "<unk>")

Unit = Literal["codepoint", "grapheme", "word"]

# What a subword never crosses: an English contraction, a word with its marks, one digit, one sign, a run of spaces.
# A single space before a word, digit or sign belongs to it.
_PRETOKEN = (
    r"['\u2019](?:s|t|re|ve|m|ll|d)(?![\p{L}\p{M}])"
    r"| ?[\p{L}\p{M}]+(?:[\u200C\u200D][\p{L}\p{M}]+)*"
    r"| ?\p{N}\p{M}*"
    r"| ?[^\s\p{L}\p{M}\p{N}]\p{M}*"
    r"|\s+(?!\S)|\s+"
)
_VARIANTS = 16  # segmentations that BPE-dropout keeps per word


@dataclass(frozen=True, slots=True)
class Encoding:
    """A text as tokens. Spans are in order and cover every character but spaces; groups count words or clusters from 0."""

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    groups: tuple[int, ...]


class Tokenizer(Protocol):
    """What a pipeline needs of a vocabulary; ids 0 to 3 are always the specials."""

    @property
    def kind(self) -> str: ...

    @property
    def size(self) -> int: ...

    def encode(self, text: str) -> Encoding: ...

    def encode_many(self, texts: Sequence[str], dropout: float = 0.0, seed: int = 0) -> list[list[int]]: ...

    def decode(self, ids: Iterable[int]) -> str: ...

    def token(self, token_id: int) -> str: ...

    def groups(self, ids: Sequence[int]) -> tuple[int, ...]: ...

    def to_dict(self) -> dict[str, Any]: ...


class SubwordTokenizer:
    """Byte-level BPE: reversible (but for capitals where it reads them as small letters), and no text is unknown to it."""

    kind = "subword"

    def __init__(self, pieces: Sequence[str], merges: Sequence[tuple[str, str]], lower: bool = False) -> None:
        _check_subwords(pieces, merges)
        self.lower = lower
        self._pieces = tuple(pieces)
        self._merges = tuple(merges)
        self._ids = {piece: index for index, piece in enumerate(pieces)}
        self._bytes = tuple(b"" if index < len(SPECIALS) else _piece_bytes(piece) for index, piece in enumerate(pieces))
        self._display = tuple(SPECIALS) + tuple(readable(data) for data in self._bytes[len(SPECIALS) :])
        self._ranks = {pair: rank for rank, pair in enumerate(merges)}
        # The specials are plain entries here, not "added tokens": a typed "<s>" stays text.
        self._backend = Backend(BPE(vocab=self._ids, merges=list(merges)))
        self._backend.pre_tokenizer = _pre_tokenizer()
        self._variants: dict[tuple[str, float], list[list[int]]] = {}  # a memo of a pure function: threads may share it

    @classmethod
    def train(cls, lines: Iterable[str], size: int, lower: bool = False) -> SubwordTokenizer:
        """Learn a vocabulary of `size` entries, the four specials and the 256 bytes included."""
        smallest = len(SPECIALS) + 256
        if not smallest <= size <= 100_000:
            raise InputError(f"The vocabulary size is {size}; it must be between {smallest} and 100000.")
        backend = Backend(BPE())
        backend.pre_tokenizer = _pre_tokenizer()
        trainer = BpeTrainer(vocab_size=size, special_tokens=list(SPECIALS), initial_alphabet=ByteLevel.alphabet(), show_progress=False)
        backend.train_from_iterator((" " + (_lowered(line) if lower else line) for line in lines), trainer)
        model = json.loads(backend.to_str())["model"]
        pieces = sorted(model["vocab"], key=model["vocab"].__getitem__)
        return cls(pieces, [(left, right) for left, right in model["merges"]], lower)

    def with_wholes(self, texts: Iterable[str]) -> SubwordTokenizer:
        """With a piece more for each of these texts that is not one yet; only `encode_whole` makes use of it."""
        wholes = dict.fromkeys(self._whole(text) for text in texts)
        return SubwordTokenizer([*self._pieces, *(piece for piece in wholes if piece not in self._ids)], self._merges, self.lower)

    @property
    def size(self) -> int:
        return len(self._pieces)

    def encode(self, text: str) -> Encoding:
        ids = self.encode_ids(text)
        # A space was put before the text, so that its first word is like any other: byte 0 and character 0 are not the person's.
        typed = " " + (_lowered(text) if self.lower else text)
        starts, ends = character_spans([self._bytes[index] for index in ids], typed)
        spans, tokens = [], []
        for index, start, end in zip(ids, starts, ends, strict=True):
            if end - start > 1 and typed[start] == " ":
                start += 1
            spans.append((max(start - 1, 0), end - 1))
            tokens.append(self._display[index].removeprefix(" ") or " ")
        return Encoding(ids, tuple(tokens), tuple(spans), self.groups(ids))

    def encode_ids(self, text: str, dropout: float = 0.0, seed: int = 0) -> tuple[int, ...]:
        return tuple(self.encode_many([text], dropout, seed)[0])

    def encode_many(self, texts: Sequence[str], dropout: float = 0.0, seed: int = 0) -> list[list[int]]:
        """Ids of many texts. With dropout, merges are left out at random (BPE-dropout); the same seed gives the same ids."""
        prefixed = [" " + (_lowered(text) if self.lower else text) if text else "" for text in texts]
        if dropout == 0.0:
            return [encoding.ids for encoding in self._backend.encode_batch_fast(prefixed, add_special_tokens=False)]
        draw = random.Random(seed).random
        pre_tokenize = _pre_tokenizer().pre_tokenize_str
        rows: list[list[int]] = []
        for text in prefixed:
            row: list[int] = []
            for word, _ in pre_tokenize(text):
                variants = self._variants.get((word, dropout)) or self._segmentations(word, dropout)
                row += variants[int(draw() * _VARIANTS)]
            rows.append(row)
        return rows

    def encode_whole(self, text: str) -> list[int]:
        """A text as one piece, if there is one of it."""
        piece = self._ids.get(self._whole(text))
        return [*self.encode_ids(text)] if piece is None else [piece]

    def _whole(self, text: str) -> str:
        """What the piece of a whole text is called."""
        return "".join(_SYMBOLS[byte] for byte in (" " + (_lowered(text) if self.lower else text)).encode())

    def _segmentations(self, word: str, dropout: float) -> list[list[int]]:
        """Several random segmentations of a pre-token; they depend on the word and the rate alone."""
        rng = random.Random(f"{dropout}/{word}")
        variants = [self._segment(word, dropout, rng) for _ in range(_VARIANTS)]
        self._variants[(word, dropout)] = variants
        return variants

    def _segment(self, word: str, dropout: float, rng: random.Random) -> list[int]:
        """BPE, but at every step each possible merge is skipped with probability `dropout` (Provilkov et al. 2020)."""
        pieces = list(word)
        while len(pieces) > 1:
            best: tuple[int, int] | None = None
            for place, pair in enumerate(pairwise(pieces)):
                rank = self._ranks.get(pair)
                if rank is not None and rng.random() >= dropout and (best is None or rank < best[0]):
                    best = (rank, place)
            if best is None:
                break
            place = best[1]
            pieces[place : place + 2] = [pieces[place] + pieces[place + 1]]
        return [self._ids[piece] for piece in pieces]

    def decode(self, ids: Iterable[int]) -> str:
        text = b"".join(self._bytes[index] for index in ids).decode("utf-8", "replace")
        return text.removeprefix(" ")

    def token(self, token_id: int) -> str:
        return self._display[token_id]

    def groups(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Pieces of one word share a number, so do the bytes of one character; a sign or a special is alone."""
        return number_groups(ids, len(SPECIALS), lambda run: word_labels([self._bytes[index] for index in run]))

    def to_dict(self) -> dict[str, Any]:
        known = {"kind": self.kind, "pieces": list(self._pieces), "merges": [list(pair) for pair in self._merges]}
        return {**known, "lower": True} if self.lower else known


class CharacterTokenizer:
    """One token per codepoint, per grapheme cluster, or per word, as phonemes are written; groups keep a mark with its letter."""

    kind = "character"

    def __init__(self, symbols: Sequence[str], unit: Unit = "codepoint") -> None:
        if unit not in get_args(Unit):
            raise InputError(f"unit is {unit!r}; it must be one of {', '.join(get_args(Unit))}.")
        if len(set(symbols)) != len(symbols) or not all(isinstance(symbol, str) and symbol for symbol in symbols):
            raise InputError("The symbols of a character vocabulary must be different, non-empty strings.")
        self.unit: Unit = unit
        self._symbols = tuple(symbols)
        self._ids = {symbol: index for index, symbol in enumerate(symbols, len(SPECIALS))}

    @classmethod
    def train(cls, lines: Iterable[str], unit: Unit = "codepoint") -> CharacterTokenizer:
        return cls(sorted({symbol for line in lines for symbol in units(line, unit)}), unit)

    @property
    def size(self) -> int:
        return len(SPECIALS) + len(self._symbols)

    @property
    def between(self) -> str:
        """What stands between two signs in a text."""
        return " " if self.unit == "word" else ""

    def encode(self, text: str) -> Encoding:
        tokens = units(text, self.unit)
        ids = tuple(map(self._id, tokens))
        spans, start = [], 0
        for token in tokens:
            start = text.index(token, start)
            spans.append((start, start + len(token)))
            start += len(token)
        return Encoding(ids, tuple(tokens), tuple(spans), tuple(range(len(tokens)) if self.unit == "word" else cluster_labels(tokens)))

    def encode_many(self, texts: Sequence[str], dropout: float = 0.0, seed: int = 0) -> list[list[int]]:
        """Ids of many texts; dropout and seed are for subwords and change nothing here."""
        return [[self._id(symbol) for symbol in units(text, self.unit)] for text in texts]

    def _id(self, symbol: str) -> int:
        """A capital that was never seen is read as its small letter."""
        return self._ids.get(symbol, self._ids.get(symbol.lower(), UNK))

    def decode(self, ids: Iterable[int]) -> str:
        return self.between.join(self._symbols[index - len(SPECIALS)] for index in ids if index >= len(SPECIALS))

    def token(self, token_id: int) -> str:
        """As it stands in a text: what stands between it and the one before comes first."""
        return SPECIALS[token_id] if token_id < len(SPECIALS) else self.between + self._symbols[token_id - len(SPECIALS)]

    def groups(self, ids: Sequence[int]) -> tuple[int, ...]:
        return number_groups(ids, len(SPECIALS), lambda run: cluster_labels([self.token(index) for index in run]))

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "unit": self.unit, "symbols": list(self._symbols)}


def from_dict(values: Mapping[str, Any]) -> Tokenizer:
    """Build a tokenizer from what `to_dict` gave; a broken file is refused in one sentence."""
    kind = values.get("kind") if isinstance(values, Mapping) else None
    try:
        if kind == SubwordTokenizer.kind:
            return SubwordTokenizer(list(values["pieces"]), [(a, b) for a, b in values["merges"]], values.get("lower") is True)
        if kind == CharacterTokenizer.kind:
            return CharacterTokenizer(list(values["symbols"]), values["unit"])
        if kind == "word":
            from seq2seq_core.inputs.words import WordTokenizer  # which is made of what stands here

            return WordTokenizer(list(values["words"]))
    except InputError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"A {kind} tokenizer cannot be read ({type(error).__name__}); get the file again.") from error
    raise InputError(f"The tokenizer kind is {kind!r}; it must be one of subword, character, word.")


def save_pair(path: str | Path, source: Tokenizer | None, target: Tokenizer) -> None:
    """Write tokenizer.json; a vocabulary that both sides share is written once."""
    first, second = (source.to_dict() if source is not None else None), target.to_dict()
    document = {"source": first, "target": "same" if first == second else second}
    Path(path).write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")


def load_pair(path: str | Path) -> tuple[Tokenizer | None, Tokenizer]:
    """Read tokenizer.json: (source or None, target); a shared vocabulary is one object."""
    name = "/".join(Path(path).absolute().parts[-3:])  # the folders above are nobody's business
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        first, second = document["source"], document["target"]
    except OSError as error:
        raise InputError(f"{name} cannot be read ({error.strerror}); check that the file is there.") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{name} is not a tokenizer file ({type(error).__name__}); get the file again.") from error
    source = from_dict(first) if first is not None else None
    if second != "same":
        return source, from_dict(second)
    if source is None:
        raise InputError(f"{name} says that the target is the same as the source, but has no source; get the file again.")
    return source, source


def _lowered(text: str) -> str:
    """In small letters, sign for sign, so that places in a text stay what they are."""
    return "".join(small if len(small := sign.lower()) == 1 else sign for sign in text)


def _pre_tokenizer() -> PreTokenizers:
    return PreTokenizers([Split(Regex(_PRETOKEN), "isolated"), ByteLevel(add_prefix_space=False, use_regex=False)])


def _byte_alphabet() -> dict[str, int]:
    """The printable stand-in of every byte in byte-level BPE: itself where printable, else the next codepoint from 256."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + place): byte for place, byte in enumerate(others)}


_BYTES = _byte_alphabet()
_SYMBOLS = {byte: symbol for symbol, byte in _BYTES.items()}


def _piece_bytes(piece: str) -> bytes:
    return bytes(_BYTES[symbol] for symbol in piece)


def _check_subwords(pieces: Sequence[str], merges: Sequence[tuple[str, str]]) -> None:
    known = set(pieces)
    if tuple(pieces[: len(SPECIALS)]) != SPECIALS or len(known) != len(pieces) or not known.issuperset(_BYTES):
        raise InputError(
            "A subword vocabulary must begin with the four specials and hold all 256 bytes, nothing twice; get the file again."
        )
    if any(not piece or not set(piece) <= _BYTES.keys() for piece in pieces[len(SPECIALS) :]):
        raise InputError("A subword vocabulary holds a piece that is not made of bytes; get the file again.")
    for left, right in merges:
        if left not in known or right not in known or left + right not in known:
            raise InputError(f"The merge {left!r} + {right!r} is not in the subword vocabulary; get the file again.")
