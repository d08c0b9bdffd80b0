"""Text that someone typed, or a model wrote, as Markdown that shows exactly that text."""

from __future__ import annotations

import re

SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")
MARKS = {"\n": "↵", "\t": "⇥"}


def plain(text: str) -> str:
    """Every sign that Markdown could take for markup is escaped; a line stays one line."""
    shown = "".join(MARKS.get(sign, sign) for sign in text.replace("\r\n", "\n"))
    return SPECIAL.sub(r"\\\1", shown)


def quoted(token: str) -> str:
    """A token in quotation marks."""
    return f"“{plain(token.strip() or token)}”"
