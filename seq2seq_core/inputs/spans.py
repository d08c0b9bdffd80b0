"""Which characters, grapheme clusters and words a token covers, when tokens may be parts of characters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

import regex

# Bytes that are no character are kept as lone surrogates (Python's "surrogateescape"); a run of them is one sign.
_WORD = regex.compile(r"[\w\u200C\u200D]+(?:['\u2019\-\u2010\u2011][\w\u200C\u200D]+)*|[\uDC80-\uDCFF]+|(?!\s)\X")
_CLUSTER = regex.compile(r"\X", regex.DOTALL)


def character_spans(pieces: Sequence[bytes], text: str) -> tuple[list[int], list[int]]:
    """Start and end of each piece in characters; a piece that holds a part of a character covers all of it."""
    owner: list[int] = []  # the character of each byte
    for place, symbol in enumerate(text):
        owner += [place] * len(symbol.encode("utf-8", "surrogateescape"))
    starts, ends, offset = [], [], 0
    for piece in pieces:
        starts.append(owner[offset])
        offset += len(piece)
        ends.append(owner[offset - 1] + 1)
    return starts, ends


def units(text: str, unit: str) -> list[str]:
    """What a character vocabulary takes for one sign: a codepoint, a grapheme cluster, or what stands between spaces."""
    if unit == "word":
        return text.split()
    return list(text) if unit == "codepoint" else [match.group() for match in _CLUSTER.finditer(text)]


def cluster_labels(symbols: Sequence[str]) -> list[int]:
    """The grapheme cluster in which each symbol begins."""
    text = "".join(symbols)
    owner = [number for number, match in enumerate(_CLUSTER.finditer(text)) for _ in range(match.end() - match.start())]
    labels, start = [], 0
    for symbol in symbols:
        labels.append(owner[start])
        start += len(symbol)
    return labels


def number_groups(ids: Sequence[int], specials: int, label: Callable[[list[int]], list[int]]) -> tuple[int, ...]:
    """Number the groups from 0 without gaps; each special is a group of its own and parts the runs around it."""
    keys: list[tuple[int, int]] = []  # (run, label within the run)
    for run, (special, members) in enumerate(groupby(ids, key=lambda index: index < specials)):
        chunk = list(members)
        keys += [(run, place) for place in (range(len(chunk)) if special else label(chunk))]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return tuple(numbers[key] for key in keys)


def word_labels(pieces: Sequence[bytes]) -> list[int]:
    """The word, or single sign, in which each piece of UTF-8 begins; a space belongs to the word after it."""
    text = b"".join(pieces).decode("utf-8", "surrogateescape")
    starts, ends = character_spans(pieces, text)
    owner = [-1] * len(text)  # the word of each character; spaces have none
    for number, match in enumerate(_WORD.finditer(text)):
        owner[match.start() : match.end()] = [number] * (match.end() - match.start())
    following = max(owner, default=0)
    ahead = [0] * len(text)  # a space belongs to the word after it, or at the end to the last word
    for place in range(len(text) - 1, -1, -1):
        following = owner[place] if owner[place] >= 0 else following
        ahead[place] = following
    labels = []
    for start, end in zip(starts, ends, strict=True):
        own = next((owner[place] for place in range(start, end) if owner[place] >= 0), None)
        labels.append(ahead[start] if own is None else own)
    return labels


def split_words(text: str) -> tuple[str, ...]:
    """Words and single signs, as the groups of a subword vocabulary are."""
    return tuple(match.group() for match in _WORD.finditer(text))


def readable(data: bytes) -> str:
    """The text of a piece; bytes that are only a part of a character are shown as <0xE2>."""
    text = data.decode("utf-8", "surrogateescape")
    return "".join(f"<0x{ord(symbol) - 0xDC00:02X}>" if "\udc80" <= symbol <= "\udcff" else symbol for symbol in text)
