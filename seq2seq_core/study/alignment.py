"""Word alignments: links read off an attention map, the alignment error rate against gold links, and maps of differences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import EOS
from seq2seq_core.trace.nodes import Doubles
from seq2seq_core.trace.trace import DecodeTrace
from seq2seq_core.training.metrics import Counts

Link = tuple[int, int]  # a source word and a target word, counted from 0
Links = frozenset[Link]


@dataclass(frozen=True, slots=True)
class Gold:
    """What a person linked: sure links, and those that may be there or not. `possible` holds the sure ones too."""

    sure: Links
    possible: Links

    @classmethod
    def of(cls, sure: Iterable[Link], possible: Iterable[Link] = ()) -> Gold:
        certain = frozenset(sure)
        return cls(certain, certain | frozenset(possible))

    @classmethod
    def read(cls, sure: str, possible: str = "") -> Gold:
        """Links as text: "0-0 1-2", the source word first."""
        return cls.of(_links(sure), _links(possible))

    def check(self, source: int, target: int) -> None:
        """InputError when a link names a word that is not there."""
        for i, j in self.possible:
            if not (0 <= i < source and 0 <= j < target):
                raise InputError(f"The link {i}-{j} names a word that is not there; there are {source} source and {target} target words.")


def _links(text: str) -> list[Link]:
    found = []
    for written in text.split():
        left, _, right = written.partition("-")
        if not (left.isdecimal() and right.isdecimal()):
            raise InputError(f"The link {written[:20]!r} is not written as two numbers with a hyphen between them, such as 0-1.")
        found.append((int(left), int(right)))
    return found


def error_stats(found: Links, gold: Gold) -> npt.NDArray[np.int64]:
    """[4] what one sentence adds: |A and S|, |A and P|, |A|, |S|."""
    return np.array([len(found & gold.sure), len(found & gold.possible), len(found), len(gold.sure)], dtype=np.int64)


def error_rate(sums: npt.NDArray[np.int64] | Doubles | Counts) -> Doubles:
    """AER = 1 - (|A and S| + |A and P|) / (|A| + |S|) in per cent, from summed statistics [..., 4] (Och and Ney 2003, eq. 18)."""
    sums = np.asarray(sums, dtype=np.float64)
    return np.asarray(100.0 * (1.0 - (sums[..., 0] + sums[..., 1]) / np.maximum(sums[..., 2] + sums[..., 3], 1.0)), dtype=np.float64)


def word_attention(trace: DecodeTrace) -> Doubles:
    """[target words, source words] of the best output, without the end sign; rows sum to 1. [T, 0] without a map."""
    words = trace.grouped()
    ids = trace.token_ids()
    kept = [place for place, members in enumerate(words.target_members) if ids[members[0]] != EOS]
    return np.asarray(words.attention[kept], dtype=np.float64)


def strongest_links(attention: Doubles) -> Links:
    """One link a target word: to the source word that it looks at most; the first of equals."""
    if attention.shape[1] == 0:
        raise InputError("There is no attention map to read links from.")
    return frozenset((int(i), j) for j, i in enumerate(attention.argmax(1)))


def diagonal_links(source: int, target: int) -> Links:
    """What knowing nothing but the two lengths gives."""
    return frozenset((min(source - 1, int((j + 0.5) * source / target)), j) for j in range(target))


def gold_map(gold: Gold, source: int, target: int) -> Doubles:
    """[target words, source words] where an attention that agrees would look: evenly at the sure links of the word, without any
    at the possible ones. A word that nothing is linked to has a row of nan: nothing can be said of it."""
    gold.check(source, target)
    rows = np.full((target, source), np.nan)
    for j in range(target):
        linked = [i for i, other in gold.sure if other == j] or [i for i, other in gold.possible if other == j]
        if linked:
            rows[j] = 0.0
            rows[j, linked] = 1.0 / len(linked)
    return rows


def difference_map(one: Doubles, other: Doubles) -> Doubles:
    """How much more weight `one` gives than `other`, cell by cell, from -1 to 1; nan where either says nothing."""
    if one.shape != other.shape:
        raise InputError(f"The maps are {one.shape} and {other.shape}; only maps of the same words can be compared.")
    return np.asarray(one - other, dtype=np.float64)
