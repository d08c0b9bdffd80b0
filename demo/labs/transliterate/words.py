"""A text as words that are transliterated one by one: split at spaces, the signs around a word kept, and what is no word left as it is."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from seq2seq_core.errors import InputError

MOST = 20


@dataclass(frozen=True, slots=True)
class Word:
    """`text` is for the model; what stands before and after it is kept: a bracket, a comma."""

    text: str
    before: str = ""
    after: str = ""


def split(text: str) -> list[Word]:
    """Numbers and signs alone have no `text`. InputError when there are more words than a page can show."""
    found = [_trimmed(piece) for piece in text.split()]
    count = sum(bool(word.text) for word in found)
    if count > MOST:
        raise InputError(f"The text has {count} words; at most {MOST} are transliterated at once, so shorten it.")
    return found


def _trimmed(piece: str) -> Word:
    letters = [place for place, sign in enumerate(piece) if unicodedata.category(sign)[0] not in "NPS"]  # numbers, punctuation, symbols
    if not letters:
        return Word("", piece)
    begin, end = letters[0], letters[-1] + 1
    return Word(piece[begin:end], piece[:begin], piece[end:])


def joined(found: Sequence[Word], outputs: Sequence[str]) -> str:
    """The words with their outputs, of which there is one for each that has a `text`."""
    said = iter(outputs)
    between = " | " if any(" " in output for output in outputs) else " "  # phonemes have spaces between them already
    return between.join(f"{word.before}{next(said)}{word.after}" if word.text else word.before for word in found)


def other_script(text: str) -> str:
    """The name of the first script that is not Latin, as its letters are named: Devanagari. Empty when all letters are Latin."""
    for sign in text:
        name = unicodedata.name(sign, "") if sign.isalpha() else ""
        if name and not name.startswith(("LATIN", "FEMININE", "MASCULINE", "MODIFIER")):
            return name.split(" ")[0].capitalize()
    return ""
