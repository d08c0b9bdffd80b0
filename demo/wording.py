"""Text that someone typed, or a model wrote, as Markdown that shows exactly that text; and probabilities as they are told."""

from __future__ import annotations

import re
from collections.abc import Sequence

SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")
MARKS = {"\n": "↵", "\t": "⇥"}


def plain(text: str) -> str:
    """Every sign that Markdown could take for markup is escaped; a line stays one line."""
    shown = "".join(MARKS.get(sign, sign) for sign in text.replace("\r\n", "\n"))
    return SPECIAL.sub(r"\\\1", shown)


def quoted(token: str) -> str:
    """A token in quotation marks."""
    return f"“{plain(token.strip() or token)}”"


def told_apart(values: Sequence[float], texts: Sequence[str]) -> list[str]:
    """Probabilities in a list, best first, as `texts` tells them; near ties with as many digits, up to four, as tell neighbours apart."""
    told = list(texts)
    for digits in (3, 4):
        tied = {
            place
            for i in range(len(told) - 1)
            if told[i] == told[i + 1] and abs(values[i] - values[i + 1]) >= 5e-5
            for place in (i, i + 1)
            if values[place] >= 0.005
        }
        told = [f"{value:.{digits}f}" if i in tied else text for i, (value, text) in enumerate(zip(values, told, strict=True))]
    return told
