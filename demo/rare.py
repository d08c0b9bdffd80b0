"""Words of a source that its model hardly knows: it has no piece for them, and puts them together from small ones."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from demo.tasks import TASKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seq2seq_core.inputs.part import Part
    from seq2seq_core.trace.trace import DecodeTrace

FEW, SMALL, MANY = 3, 2.5, 5  # rare is what is cut into FEW pieces of on average fewer than SMALL letters, or into MANY of any size


@dataclass(frozen=True, slots=True)
class RareWord:
    """One of them, its pieces, and their positions as they are numbered through all parts."""

    text: str
    pieces: tuple[str, ...]
    places: tuple[int, ...]


def rare_words(trace: DecodeTrace) -> tuple[RareWord, ...]:
    """In their order. Letter by letter there are no words, and of whole words there are no pieces: then none is rare."""
    if (row := TASKS.get(trace.task)) is not None and row.unit != "words":
        return ()
    found, first = [], 0
    for part in trace.parts:
        if part.kind == "text":
            for _, members in groupby(range(part.positions), key=part.groups.__getitem__):
                places = tuple(members)
                word = part.word(places).strip()
                if _is_rare(word, len(places)):
                    found.append(RareWord(word, _pieces(part, places), tuple(first + place for place in places)))
        first += part.positions
    return tuple(found)


def _pieces(part: Part, places: Sequence[int]) -> tuple[str, ...]:
    """As they stand in the text: the bytes of one letter are that letter."""
    if not part.spans:
        return tuple(part.labels[place].strip() for place in places)
    spans = dict.fromkeys(part.spans[place] for place in places)
    return tuple(filter(None, (part.text[begin:end].strip() for begin, end in spans)))


def _is_rare(word: str, pieces: int) -> bool:
    letters = sum(sign.isalpha() for sign in word)  # numbers are always read by their digits
    return letters > 0 and (pieces >= MANY or (pieces >= FEW and letters / pieces < SMALL))
