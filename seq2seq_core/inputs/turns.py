"""Conversations as models read them: the last turns with a sign between them, in the spelling of a keyboard."""

from __future__ import annotations

import re
from collections.abc import Sequence

BETWEEN = "|"  # stands between two turns
_TURN = "<turn>"  # as data has it
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_APART = re.compile(r"\s+'\s*(?=(?:s|t|re|ve|m|ll|d|clock)\b)|(?<=[a-z])'\s+(?=(?:s|t|re|ve|m|ll|d)\b)", re.IGNORECASE)  # I ' m
_BEFORE_SIGN = re.compile(r"\s+(?=[.,;:!?])")
_TOGETHER = re.compile(r"(?<=[a-z][.!?,])(?=[A-Z][a-z ])")  # an excuse.You can


def tidied(text: str) -> str:
    """Without what keyboards and tokenisers did to a text: curly quotes, spaces before signs and none after a sentence."""
    text = _APART.sub("'", text.translate(_QUOTES))
    return " ".join(_TOGETHER.sub(" ", _BEFORE_SIGN.sub("", text)).split())


def turns_of(text: str) -> list[str]:
    """The turns of a conversation as data or a person writes it."""
    return [turn for turn in map(tidied, text.replace(_TURN, BETWEEN).split(BETWEEN)) if turn]


def joined(turns: Sequence[str], most: int) -> str:
    """The last turns of a conversation as one text."""
    return f" {BETWEEN} ".join(turns[-most:])
