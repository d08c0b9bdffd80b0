"""Maps of text that move, as animated GIFs: an output appearing row by row, or a training moment by moment."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PIL import Image

from demo.colours import DARK, LIGHT, Theme
from demo.export.figure import CELL, MARGIN, SIZE, Label, Rectangle, figure, shorten, text_width
from demo.export.files import paint

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

LONGEST = 1200  # pixels of the longer side; a larger map is made smaller
FRAME_MS, LAST_MS, WHOLE_MS = 900, 2500, 20_000  # a frame, the last one, and about how long all of a long output may take
LEGIBLE = 0.6  # a smaller map has no numbers in its cells
MOST_COLOURS = 128


def gif(frames: Sequence[Image.Image], frame_ms: int = FRAME_MS) -> bytes:
    """Plays for ever, and rests on the last picture. Readers forget frames that are equal, so their time is added up."""
    out = io.BytesIO()
    times = [frame_ms] * (len(frames) - 1) + [LAST_MS]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return out.getvalue()


def decoding(trace: DecodeTrace, hypothesis: int = 0, *, words: bool = True, numbers: bool = True, theme: Theme = "light") -> bytes:
    """The rows of the map appear one by one, the newest with a mark; the last picture is the whole map."""
    empty = figure(trace, hypothesis, words=words, numbers=numbers, theme=theme, shown=0)
    scale = min(1.0, LONGEST / max(empty.width, empty.height))
    whole = figure(trace, hypothesis, words=words, numbers=numbers and scale > LEGIBLE, theme=theme)
    always = set(empty.shapes)
    drawn = [shape for shape in whole.shapes if shape not in always]
    top = min(_middle(shape) for shape in drawn) - CELL / 2
    rows: dict[int, list[Rectangle | Label]] = {}
    for shape in drawn:
        rows.setdefault(int((_middle(shape) - top) // CELL), []).append(shape)
    canvas = Image.new("RGB", (round(whole.width * scale), round(whole.height * scale)), whole.background)
    paint(canvas, empty.shapes, scale)
    frames, accent = [canvas.copy()], (LIGHT if theme == "light" else DARK).accent
    for row in sorted(rows):
        paint(canvas, rows[row], scale)
        frames.append(canvas.copy())
        paint(frames[-1], [Rectangle(MARGIN / 3, top + row * CELL + 3, 6, CELL - 6, accent)], scale)
    return _film([*frames, canvas], min(FRAME_MS, max(100, WHOLE_MS // len(frames))))


def moments(shown: Sequence[tuple[str, DecodeTrace]], *, words: bool = True, theme: Theme = "light") -> bytes:
    """A map for each moment, with what it is called and what was said above it; pictures of several sizes stand on one page."""
    pictures = [figure(trace, words=words, numbers=False, theme=theme) for _, trace in shown]
    titles = [shorten(f"{name}: {trace.text() or '(nothing)'}", SIZE, LONGEST - 2 * MARGIN) for name, trace in shown]
    wide = max([*(picture.width for picture in pictures), *(round(text_width(title)) + 2 * MARGIN for title in titles)])
    head, high = SIZE + MARGIN, max(picture.height for picture in pictures)
    ink = (LIGHT if theme == "light" else DARK).text
    frames = []
    for title, picture in zip(titles, pictures, strict=True):
        frame = Image.new("RGB", (wide, head + high), picture.background)
        below = Image.new("RGB", (picture.width, picture.height), picture.background)
        paint(below, picture.shapes)
        frame.paste(below, (0, head))
        paint(frame, [Label(MARGIN, MARGIN, title, ink)])
        frames.append(frame)
    return _film([*frames, frames[-1]], FRAME_MS)


def _middle(shape: Rectangle | Label) -> float:
    return shape.y if isinstance(shape, Label) else shape.y + shape.height / 2


def _film(frames: Sequence[Image.Image], frame_ms: int) -> bytes:
    """In the colours of the picture before the last, which has them all and the mark."""
    known = frames[-2 if len(frames) > 1 else 0].quantize(MOST_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    return gif([frame.quantize(palette=known, dither=Image.Dither.NONE) for frame in frames], frame_ms)
