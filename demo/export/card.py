"""The picture of a link where it is pasted: what page it leads to, and an attention map."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from demo.colours import LIGHT
from demo.export.figure import font_for, shorten, text_width
from demo.export.files import to_png

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

WIDTH, HEIGHT = 1200, 630  # what readers of og:image ask for
MARGIN, TEXT_WIDTH = 64, 430
TITLE, ABOUT, NAME = 58, 30, 26
MOST_LINES = 7


def card(title: str, about: str, name: str, trace: DecodeTrace | None, photo: Image.Image | None = None) -> bytes:
    """As PNG: the title and what it is about on the left, the map of a trace or a photo on the right, the name of the whole below."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), LIGHT.background)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 16, HEIGHT), LIGHT.accent)
    y = 118
    for text, size, space in ((title, TITLE, 64), (about, ABOUT, 42)):
        for line in lines_of(text, size, TEXT_WIDTH)[:MOST_LINES]:
            draw.text((MARGIN, y), shorten(line, size, TEXT_WIDTH), LIGHT.text, font_for(line, size), "lm")
            y += space
        y += 16
    draw.text((MARGIN, HEIGHT - MARGIN), name, LIGHT.muted, font_for(name, NAME), "lm")
    drawn = photo.convert("RGB") if trace is None and photo else None
    if trace is not None:
        drawn = Image.open(io.BytesIO(to_png(trace, numbers=False)))
    if drawn is not None:
        left, high = 2 * MARGIN + TEXT_WIDTH, HEIGHT - 2 * MARGIN
        drawn.thumbnail((WIDTH - left - MARGIN, high), Image.Resampling.LANCZOS)
        picture.paste(drawn, (left + (WIDTH - left - MARGIN - drawn.width) // 2, (HEIGHT - drawn.height) // 2))
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def lines_of(text: str, size: int, width: float) -> list[str]:
    """Broken between words."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
