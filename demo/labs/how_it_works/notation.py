"""How numbers, vectors and sums are written in the equations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

import numpy as np

from demo.letters import About, reletter, reletter_text
from demo.wording import quoted

ENTRIES = 3  # of a vector that are printed
SHARES = 3  # of a sum that are printed
_kept: ContextVar[dict[str, np.ndarray] | None] = ContextVar("kept", default=None)


@dataclass(frozen=True, slots=True)
class Section:
    """One thing the step computes: what it is called, one sentence on it (Markdown), its equations (LaTeX)."""

    name: str
    says: str
    latex: tuple[str, ...]
    about: About = ""

    def written(self, lettering: str, cell: str) -> Section:
        """In a lecture's letters."""
        latex = tuple(reletter(line, lettering, self.about, cell) for line in self.latex)
        return replace(self, says=reletter_text(self.says, lettering, self.about, cell), latex=latex)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a person is looking at: the chosen source position and head, and the tokens by name."""

    position: int
    head: int
    source: tuple[str, ...]  # one name per position
    words: Mapping[int, str] | Sequence[str]  # of the target vocabulary; y_{t-1} and y_t at least
    token_out: int  # y_t
    averaged: bool = True  # the map shows the average of the heads, not the chosen one
    ids: tuple[int, ...] = ()  # one token per position, for what copies

    @property
    def name(self) -> str:
        """The chosen source token, in quotation marks."""
        return quoted(self.source[self.position])


def number(value: float) -> str:
    """Three decimals, and no minus before a zero."""
    text = f"{float(value):.3f}"
    return text.replace("-", "") if float(text) == 0 else text


@contextmanager
def keeping_vectors() -> Iterator[dict[str, np.ndarray]]:
    """All that `vector` writes meanwhile, whole, by what it writes: for whoever wants to see more than is printed."""
    kept: dict[str, np.ndarray] = {}
    before = _kept.set(kept)
    try:
        yield kept
    finally:
        _kept.reset(before)


def vector(values: np.ndarray, entries: int = ENTRIES) -> str:
    """The first entries and the length: [0.123, 0.456, 0.789, ...] in R^320; one more where another vector is written so."""
    first = r",\ ".join(number(value) for value in values[:entries])
    more = r",\ \dots" if len(values) > entries else ""
    written = rf"[{first}{more}] \in \mathbb{{R}}^{{{len(values)}}}"
    if (kept := _kept.get()) is None:
        return written
    other = kept.setdefault(written, values)
    if entries < len(values) and not np.array_equal(np.rint(1000 * other), np.rint(1000 * values)):
        return vector(values, entries + 1)
    return written


def weight(name: str, rows: int, columns: int) -> str:
    """A matrix with its shape under it."""
    return rf"\underset{{{rows} \times {columns}}}{{{name}}}"


def total(terms: Sequence[str], shares: int = SHARES) -> str:
    """The first terms, with their signs as they are."""
    text = " + ".join(terms[:shares]).replace("+ -", "- ")
    return text + (r" + \cdots" if len(terms) > shares else "")
