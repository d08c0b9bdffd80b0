"""How numbers, vectors and sums are written in the equations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from demo.wording import quoted

ENTRIES = 3  # of a vector that are printed
SHARES = 3  # of a sum that are printed


@dataclass(frozen=True, slots=True)
class Section:
    """One thing the step computes: what it is called, one sentence on it (Markdown), its equations (LaTeX)."""

    name: str
    says: str
    latex: tuple[str, ...]


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


def vector(values: np.ndarray, entries: int = ENTRIES) -> str:
    """The first entries and the length: [0.123, 0.456, 0.789, ...] in R^320."""
    first = r",\ ".join(number(value) for value in values[:entries])
    more = r",\ \dots" if len(values) > entries else ""
    return rf"[{first}{more}] \in \mathbb{{R}}^{{{len(values)}}}"


def weight(name: str, rows: int, columns: int) -> str:
    """A matrix with its shape under it."""
    return rf"\underset{{{rows} \times {columns}}}{{{name}}}"


def total(terms: Sequence[str], shares: int = SHARES) -> str:
    """The first terms, with their signs as they are."""
    text = " + ".join(terms[:shares]).replace("+ -", "- ")
    return text + (r" + \cdots" if len(terms) > shares else "")


LONGEST = 44  # signs, about what a row of equations has room for
UNSEEN = re.compile(r"\\underset\{[^}]*\}|\\[,;! ]|[{}^_]|\\mathrm")


def seen_length(latex: str) -> int:
    """About how many signs wide an equation is."""
    parts = re.sub(r"\\frac\{(.*)\}\{(.*)\}", lambda found: max(found[1], found[2], key=len), latex)
    return len(re.sub(r"\\[A-Za-z]+", "x", UNSEEN.sub("", parts)))


def aligned(lines: Sequence[str]) -> str:
    """Equations under each other, their equals signs too; a long one goes on in the next row."""
    rows = []
    for line in lines:
        left, *rest = line.split(" = ")
        row = f"{left} & = {rest[0]}" if rest else f"& {left}"
        for more in rest[1:]:
            if seen_length(f"{row} = {more}") > LONGEST:
                rows.append(row)
                row = f"& = {more}"
            else:
                row += f" = {more}"
        rows.append(row)
    rows[0] += r" \vphantom{\Big|}"  # room above the first row, where a superscript would be cut off
    joined = r" \\[4pt] ".join(rows)
    return rf"\begin{{aligned}} {joined} \end{{aligned}}"
