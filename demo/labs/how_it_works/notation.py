"""How numbers, vectors and sums are written in the equations, and how equations are fitted into the page."""

from __future__ import annotations

import re
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
    """The first entries and the length: [0.123, 0.456, 0.789, ...] in R^320."""
    first = r",\ ".join(number(value) for value in values[:entries])
    more = r",\ \dots" if len(values) > entries else ""
    written = rf"[{first}{more}] \in \mathbb{{R}}^{{{len(values)}}}"
    if (kept := _kept.get()) is not None:
        kept[written] = values
    return written


def weight(name: str, rows: int, columns: int) -> str:
    """A matrix with its shape under it."""
    return rf"\underset{{{rows} \times {columns}}}{{{name}}}"


def total(terms: Sequence[str], shares: int = SHARES) -> str:
    """The first terms, with their signs as they are."""
    text = " + ".join(terms[:shares]).replace("+ -", "- ")
    return text + (r" + \cdots" if len(terms) > shares else "")


# -- equations on the page ------------------------------------------------------------------------------------------------

GOES_ON = r"\quad\quad"  # before a summand in a row of its own
ROOM = 18.3  # em, what a row of equations has in a window 1280 pixels wide
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z0-9]|\S")
WIDE = {  # em, of TeX's own letters; relations and sums have their spaces with them
    **dict.fromkeys("=<", 1.33), r"\in": 1.22, r"\mid": 0.83, "+": 1.22, "-": 1.0, r"\odot": 1.22, r"\times": 1.0,
    **dict.fromkeys(".[]", 0.28), ",": 0.44, ";": 0.44, "(": 0.39, ")": 0.39, r"\ ": 0.33, r"\,": 0.17, r"\;": 0.28,
    r"\dots": 1.34, r"\cdots": 1.34, r"\sum": 1.6, r"\exp": 1.6, r"\log": 1.45, r"\tanh": 2.1, r"\top": 0.78, r"\sqrt": 0.83,
    r"\quad": 1.0, r"\mathrm": 0.0, r"\mathbb": 0.0, r"\bar": 0.0, r"\hat": 0.0, r"\tilde": 0.0, "{": 0.0, "}": 0.0,
}  # fmt: skip


def width(latex: str) -> float:
    """About how wide a piece of an equation is, in em."""
    tokens = TOKEN.findall(latex)
    place = 0

    def one() -> float:
        """What stands at `place`: a sign, a group, or a command with its groups."""
        nonlocal place
        token = tokens[place]
        place += 1
        if token == "{":
            inside = row("}")
            place += 1
            return inside
        if token in (r"\frac", r"\tfrac"):
            return max(one(), one()) * (0.7 if token == r"\tfrac" else 1.0) + 0.24
        if token == r"\underset":
            return max(0.7 * one(), one())
        return WIDE.get(token, 0.8 if token.isupper() else 0.5 if token.isdigit() else 0.55)

    def row(end: str = "") -> float:
        nonlocal place
        found, scripts = 0.0, {"_": 0.0, "^": 0.0}
        while place < len(tokens) and tokens[place] != end:
            if tokens[place] in scripts:
                place += 1
                scripts[tokens[place - 1]] = 0.7 * one()
                continue
            found += max(scripts.values()) + one()
            scripts = {"_": 0.0, "^": 0.0}
        return found + max(scripts.values())

    return row()


def aligned(lines: Sequence[str], room: float = ROOM) -> str:
    """Equations under each other. Their equals signs too, where there is room; else all begin at the left, and go on further in."""
    split = [line.split(" = ") for line in lines]
    left = max(width(first) for first, *rest in split)
    beside = [_rows(rest, room - left, "= ") for _, *rest in split]
    if all(left + width(row) <= room for rows in beside for row in rows):
        rows = [f"{first} & {rest[0]}" if rest else f"& {first}" for (first, *_), rest in zip(split, beside, strict=True)]
        rows = [row for first, rest in zip(rows, beside, strict=True) for row in (first, *(f"& {more}" for more in rest[1:]))]
    else:
        rows = [f"& {row}" for parts in split for row in _rows(parts, room, "", r"\quad = ")]
    rows[0] += r" \vphantom{\Big|}"  # room above the first row, where a superscript would be cut off
    joined = r" \\[4pt] ".join(rows)
    return rf"\begin{{aligned}} {joined} \end{{aligned}}"


def _rows(parts: Sequence[str], room: float, first: str, later: str = "= ") -> list[str]:
    """What is equal to each other, in as few rows as fit: each begins with its sign. A fraction that is too wide is printed smaller."""
    rows: list[str] = []
    for part in parts:
        if rows and width(f"{rows[-1]} = {part}") <= room:
            rows[-1] += f" = {part}"
        else:
            row = (later if rows else first) + part
            rows += _broken(row if width(row) <= room else row.replace(r"\frac", r"\tfrac"), room)
    return rows


def _broken(row: str, room: float) -> list[str]:
    """A row that is too wide goes on after a summand, outside of all braces."""
    terms = row.split(" + ")
    first = 1 if row.startswith(GOES_ON) else 0  # what goes on has a summand at least, or it would go on for ever
    for kept in range(len(terms) - 1, first, -1):
        begins = " + ".join(terms[:kept])
        if width(row) > room >= width(begins) and begins.count("{") == begins.count("}"):
            return [begins, *_broken(f"{GOES_ON} + {' + '.join(terms[kept:])}", room)]
    return [row]
