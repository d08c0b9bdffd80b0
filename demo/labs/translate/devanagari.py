"""Hindi in its own script, above the Latin letters that a model reads or says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from demo import resources
from demo.components.script_row.mount import script_row
from demo.query import Query
from seq2seq_core.config import DecodeSettings

if TYPE_CHECKING:
    from seq2seq_core.inputs.devanagari import Romaniser
    from seq2seq_core.trace.trace import DecodeTrace

SPELLER = "transliteration/additive"  # for a word that is in no list; where it is not installed nothing stands above
MOST = 12  # words that it is asked for: each takes some milliseconds
WORD = re.compile(r"^(\W*)([^\W\d_]+)(\W*)$")
LISTED = "Above: the most frequent word that is spelt so. Latin letters do not say all, so another may be meant."
SPELT = "Not listed, so spelt by the transliteration model: "


def row(query: Query, trace: DecodeTrace, hypothesis: int) -> None:
    """The Hindi side of a translation; nothing where neither side is Hindi."""
    romaniser = resources.romaniser(query.model_id)
    if romaniser is None:
        return
    reads = trace.task == "hindi-english"
    words, spelt = above(trace.parts[0].text if reads else trace.hypotheses[hypothesis].text, romaniser)
    note = LISTED + (f" {SPELT}{', '.join(spelt)}." if spelt else "")
    script_row(
        words, key="devanagari", language="hi", name="What was read, in Devanagari" if reads else "The output in Devanagari", note=note
    )


def above(text: str, romaniser: Romaniser) -> tuple[list[tuple[str, str]], list[str]]:
    """Each word with its Devanagari, and which of them no list has."""
    found: list[tuple[str, str]] = []
    spelt: list[str] = []
    for piece in text.split():
        match = WORD.match(piece)
        word = match[2] if match else ""
        known = romaniser.devanagari(word)
        if word and not known and len(spelt) < MOST and (known := guessed(word.lower())):
            spelt.append(word)
        found.append((piece, f"{known}{match[3].replace('.', '।')}" if match and known else ""))
    return found, spelt


def guessed(word: str) -> str:
    """What the transliteration model makes of it, if there is one."""
    if not any(info.id == SPELLER for info in resources.installed("transliteration")):
        return ""
    trace = resources.answer(Query(SPELLER, (word,), settings=DecodeSettings(length_penalty=0)))
    return str(trace.hypotheses[0].text)
