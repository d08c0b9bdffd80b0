"""What a strip of words shows, read from a `Reading`: numbers in full, and as they are written."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from demo.scale import hex_color, ink_on, surprise_color

if TYPE_CHECKING:
    from seq2seq_core.study.likelihood import Piece, Reading

SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
END = "</s>"
CONTEXT = 40  # characters of what stands before a place


def chance(p: float) -> str:
    """A probability in at most two figures that count: 0.23, 0.0045, 3·10⁻⁷."""
    if p >= 0.0995:
        return f"{p:.2f}"
    if p >= 0.000095:
        return f"{p:.{1 - math.floor(math.log10(p * 1.0501))}f}"
    if p <= 0:
        return "0"
    power = math.floor(math.log10(p * 1.0501))
    return f"{p / 10**power:.0f}·10⁻{str(-power).translate(SUPERSCRIPT)}"


def signed(number: float) -> str:
    """Two decimals, with a true minus sign; nothing below 0 rounds to a bare 0 with a sign."""
    return f"{number:.2f}".replace("-0.00", "0.00").replace("-", "−")


def label(token: str) -> str:
    """A piece as it is read; one that goes on inside a word shows that it does."""
    if token == END:
        return "end"
    name = token.strip() or "␣"
    return f"·{name}" if token[:1].isalpha() else name


def track(name: str, reading: Reading, *, by_word: bool, vocabulary: int, shown: int = 10, note: str = "") -> dict[str, Any]:
    """One model's strip: a unit is a word, or a piece."""
    units = []
    for word in reading.words:
        if by_word:
            text = "end" if word.text == END else word.text
            units.append(_unit(reading, text, (word.begin, word.end), word.pieces, shown))
            continue
        for step, piece in enumerate(word.pieces, word.first):
            units.append(_unit(reading, label(piece.token), reading.spans[step], (piece,), shown))
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
        "pieces": [[label(piece.token), chance(math.exp(piece.logprob))] for piece in pieces],
        "rank": first.rank,
        "top": [[label(c.token), round(math.exp(c.logprob), 6), chance(math.exp(c.logprob))] for c in first.candidates[:shown]],
    }
