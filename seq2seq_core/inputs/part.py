"""What a model reads, part by part, and where its heads look. Positions are numbered through all parts, heads through all layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from typing import Literal

from seq2seq_core.inputs.tokenizer import Encoding

POSITION_SECONDS = 0.04  # of a recording: how long a position lasts


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that was read: a text with a position for each token, or a picture with one for each cell of a grid, row by row.

    A recording is its spectrogram and a clip its frames, both under a grid of one row.
    """

    name: str  # of the task's slot that it fills
    labels: tuple[str, ...]  # one per position: a token, or where a cell lies
    groups: tuple[int, ...]  # the word or region of each position
    text: str = ""
    spans: tuple[tuple[int, int], ...] = ()  # start and end of each token in `text`
    ids: tuple[int, ...] = ()  # the tokens
    grid: tuple[int, int] | None = None  # rows, columns
    size: tuple[int, int] | None = None  # of the picture: width, height
    asset: str = ""  # which picture, where it has a name

    @classmethod
    def of_text(cls, name: str, text: str, encoding: Encoding) -> Part:
        return cls(name, encoding.tokens, encoding.groups, text, encoding.spans, encoding.ids)

    @classmethod
    def of_grid(cls, name: str, grid: tuple[int, int], size: tuple[int, int], labels: tuple[str, ...] = (), asset: str = "") -> Part:
        labels = labels or cells(*grid)
        return cls(name, labels, tuple(range(len(labels))), grid=grid, size=size, asset=asset)

    def by_sentence(self, stop: int) -> Part:
        """The same text, of which each sentence, up to this token, is a group."""
        ends = accumulate((token == stop for token in self.ids[:-1]), initial=0)
        return replace(self, groups=tuple(ends) if self.ids else ())

    @property
    def kind(self) -> Literal["text", "grid"]:
        return "text" if self.grid is None else "grid"

    @property
    def named_by_place(self) -> bool:
        """Whether its cells are called by row and column, as those of a photo; frames and moments have names of their own."""
        return self.grid is not None and self.labels == cells(*self.grid)

    @property
    def positions(self) -> int:
        return len(self.labels)

    @property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The positions of each word or region, counted within the part."""
        return members(self.groups)

    def word(self, positions: Sequence[int]) -> str:
        """The text of a word's positions, as typed; of a cell, where it lies."""
        if not self.spans:
            return "".join(self.labels[i] for i in positions)
        word = self.text[self.spans[positions[0]][0] : self.spans[positions[-1]][1]]
        return word.strip() or word


@dataclass(frozen=True, slots=True)
class Head:
    """One attention map of the decoder. It looks at one part, and is exactly 0 at the positions of the others."""

    name: str
    part: int = 0
    layer: int = 0


@cache
def cells(rows: int, columns: int) -> tuple[str, ...]:
    """What the cells of a grid are called."""
    return tuple(f"row {row + 1}, column {column + 1}" for row in range(rows) for column in range(columns))


def members(groups: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The places of each group, in order."""
    found: dict[int, list[int]] = {}
    for place, group in enumerate(groups):
        found.setdefault(group, []).append(place)
    return tuple(map(tuple, found.values()))
