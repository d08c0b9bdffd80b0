"""What a strip of words shows, read from a `Reading`: numbers in full, and as they are written."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from demo import wording
from demo.colours import hex_color, ink_on, surprise_color
from demo.wording import END, chance, signed

if TYPE_CHECKING:
    from seq2seq_core.study.likelihood import Piece, Reading

CONTEXT = 40  # characters of what stands before a place


def track(name: str, reading: Reading, *, by_word: bool, vocabulary: int, shown: int = 10, note: str = "") -> dict[str, Any]:
    """One model's strip: a unit is a word, or a piece."""
    units = []
    for word in reading.words:
        if by_word:
            text = wording.token(word.text)
            units.append(_unit(reading, text, (word.begin, word.end), word.pieces, shown))
            continue
        for step, piece in enumerate(word.pieces, word.first):
            units.append(_unit(reading, wording.piece(piece.token), reading.spans[step], (piece,), shown))
    return {"name": name, "note": note, "units": units, "most": math.log2(vocabulary), "size": vocabulary}


def _unit(reading: Reading, text: str, span: tuple[int, int], pieces: tuple[Piece, ...], shown: int) -> dict[str, Any]:
    logprob, first = math.fsum(piece.logprob for piece in pieces), pieces[0]
    colors = [surprise_color(logprob, theme) for theme in ("light", "dark")]
    before = reading.text[: span[0]].strip()
    return {
        "text": text,
        "begin": span[0],
        "end": span[1],
        "special": first.token == END,
        "logprob": round(logprob, 6),
        "p": chance(math.exp(logprob)),
        "log": signed(logprob),
        "colors": [hex_color(color) for color in colors],
        "inks": [ink_on(color) for color in colors],
        "entropy": round(first.entropy, 4),
        "before": before if len(before) <= CONTEXT else "… " + before[-CONTEXT:].partition(" ")[2],
        "pieces": [[wording.piece(piece.token), chance(math.exp(piece.logprob))] for piece in pieces],
        "rank": first.rank,
        "top": [[wording.piece(c.token), round(math.exp(c.logprob), 6), chance(math.exp(c.logprob))] for c in first.candidates[:shown]],
    }
