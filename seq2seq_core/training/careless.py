"""How people type: no full stop, small letters, ss for ß, ae for ä, a slip of the finger. Only sources: what is to be said stays clean."""

from __future__ import annotations

import random
import re

_PLAIN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
_WORD = re.compile(r"[^\W\d_]+")
_LAST = re.compile(r"\s*[.!?]+[\"“”»]?$")
_SPACE_BEFORE_SIGN = re.compile(r"\s+(?=[.,;:!?'])")
SLIPS = ("swap", "miss", "double")


def unfinished(source: str) -> str:
    """Without its last sign."""
    return _LAST.sub("", source) or source


def in_plain_letters(source: str, target: str) -> str:
    """ß as ss, ä as ae, but for a name that the target spells with its own letters."""
    return _WORD.sub(lambda match: match[0] if match[0] in target else match[0].translate(_PLAIN), source)


def with_slip(source: str, target: str, rng: random.Random) -> str:
    """One word of four letters and more with two letters swapped, one missing or one doubled; never a name, which must be copied."""
    words = [match for match in _WORD.finditer(source) if len(match[0]) >= 4 and match[0] not in target]
    if not words:
        return source
    match = rng.choice(words)
    word, place = match[0], rng.randint(1, len(match[0]) - 2)
    kind = rng.choice(SLIPS)
    if kind == "swap":
        word = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    elif kind == "miss":
        word = word[:place] + word[place + 1 :]
    else:
        word = word[:place] + word[place] + word[place:]
    return source[: match.start()] + word + source[match.end() :]


def without_commas(source: str) -> str:
    return re.sub(r",(?=\s)", "", source)


def together(text: str) -> str:
    """Text that was cut into tokens as it is written: no space before a sign or n't, quotation marks as they are, no stop at the end."""
    text = re.sub(r"\s+(?=n't\b)", "", _SPACE_BEFORE_SIGN.sub("", text))
    return re.sub(r"(``|'')\s?", '"', text).strip(" .")


def as_typed(row: tuple[str, str, str], share: float) -> tuple[str, str, str]:
    """Source, output and prompt: for a share of them, which they decide, without the spaces of tokenised text and a last full stop."""
    source, output, prompt = row
    if random.Random("\t".join(row)).random() >= share:
        return row
    source, prompt = (_SPACE_BEFORE_SIGN.sub("", text).rstrip(" .") or text for text in (source, prompt))
    return source, output, prompt
