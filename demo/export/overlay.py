"""Attention over a photo as Pillow pictures: one overlay, the contact sheet, and the animation."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw

from demo.components.player.data import Paint
from demo.export.figure import font_for, shorten
from demo.export.film import gif
from demo.wording import visible
from seq2seq_core.inputs.grid import GridGeometry

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

VEIL, HEAT = (8, 8, 12), (24, 104, 240)  # the colours of the player
DARK = 0.69  # of the veil, as in the player
GREY = 0.85  # how far the photo turns grey under heat
MARGIN, GAP, LABEL = 24, 16, 30
PAGE, INK = "#ffffff", "#1b2430"
TILE, FRAME = 250, 560  # longer side, in pixels, of a picture on the sheet and in the animation
COLUMNS = 5


def overlay(
    photo: Image.Image,
    weights: Sequence[float],
    rows: int,
    columns: int,
    *,
    paint: Paint = "spotlight",
    strength: float = 0.8,
    smooth: bool = True,
) -> Image.Image:
    """The photo with one attention row over it, relative to the row's largest weight."""
    geometry = GridGeometry(photo.width, photo.height, rows, columns)
    row = np.asarray(weights, dtype=np.float64)
    share = np.asarray(geometry.stretched((row / (row.max() or 1.0)).tolist(), smooth)).clip(0, 1)[..., None]
    base = np.asarray(photo.convert("RGB"), dtype=np.float64)
    if paint == "heat":
        grey = np.asarray(photo.convert("L"), dtype=np.float64)[..., None]
        base, over, color = base + GREY * (grey - base), strength * share**0.8, HEAT
    else:
        over, color = DARK * strength * (1 - share), VEIL
    return Image.fromarray((base + over * (np.array(color) - base)).round().astype(np.uint8))


def reduced(photo: Image.Image, side: int) -> Image.Image:
    small = photo.convert("RGB")
    small.thumbnail((side, side))
    return small


def words_of(trace: DecodeTrace, hypothesis: int) -> tuple[list[str], list[list[float]]]:
    """The caption's words, the end sign left out, with one attention row each (empty rows: no map)."""
    grouped = trace.grouped(hypothesis)
    path = trace.path(hypothesis)
    kept = [i for i, members in enumerate(grouped.target_members) if path[members[0]].token_id > 3]
    rows = grouped.attention
    return [visible(grouped.target[i]) for i in kept], [rows[i].tolist() if rows.shape[1] else [] for i in kept]


def contact_sheet(
    photo: Image.Image, trace: DecodeTrace, hypothesis: int = 0, *, paint: Paint = "spotlight", strength: float = 0.8
) -> bytes:
    """One small overlay per word, after the photo itself, as in figure 3 of Xu et al. 2015; as PNG."""
    words, rows = words_of(trace, hypothesis)
    small = reduced(photo, TILE)
    shape = trace.parts[0].grid or (1, 1)
    pictures = [small, *(overlay(small, row, *shape, paint=paint, strength=strength) if row else small for row in rows)]
    columns = min(COLUMNS, len(pictures))
    lines = math.ceil(len(pictures) / columns)
    high = small.height + LABEL + GAP
    sheet = Image.new("RGB", (2 * MARGIN + columns * (small.width + GAP) - GAP, 2 * MARGIN + lines * high - GAP), PAGE)
    draw = ImageDraw.Draw(sheet)
    for place, (picture, word) in enumerate(zip(pictures, ["", *words], strict=True)):
        x, y = MARGIN + place % columns * (small.width + GAP), MARGIN + place // columns * high
        sheet.paste(picture, (x, y))
        label = shorten(word, 22, small.width)
        draw.text((x + small.width / 2, y + small.height + LABEL / 2 + 2), label, INK, font_for(label, 22), "mm")
    return _png(sheet)


def animation(photo: Image.Image, trace: DecodeTrace, hypothesis: int = 0, *, paint: Paint = "spotlight", strength: float = 0.8) -> bytes:
    """The caption appearing word by word over the photo, as an animated GIF."""
    words, rows = words_of(trace, hypothesis)
    small = reduced(photo, FRAME)
    shape = trace.parts[0].grid or (1, 1)
    frames = [_frame(small, words, 0)]
    for place, row in enumerate(rows, 1):
        frames.append(_frame(overlay(small, row, *shape, paint=paint, strength=strength) if row else small, words, place))
    frames.append(_frame(small, words, len(words)))
    return gif(frames)


def _frame(picture: Image.Image, words: Sequence[str], said: int) -> Image.Image:
    """The picture above the words said so far, of which the last is underlined; broken into lines."""
    font = font_for("a", 26)
    lines: list[list[int]] = [[]]
    for place, word in enumerate(words):
        width = font.getlength(" ".join([*(words[i] for i in lines[-1]), word]))
        if lines[-1] and width > picture.width - 2 * GAP:
            lines.append([])
        lines[-1].append(place)
    frame = Image.new("RGB", (picture.width, picture.height + GAP + 38 * len(lines)), PAGE)
    frame.paste(picture, (0, 0))
    draw = ImageDraw.Draw(frame)
    for number, line in enumerate(lines):
        x, y = float(GAP), picture.height + GAP / 2 + 38 * number
        for place in line:
            if place >= said:
                break
            draw.text((x, y), words[place], INK, font)
            if place == said - 1:
                draw.rectangle((x, y + 32, x + font.getlength(words[place]), y + 34), "#a8420b")
            x += font.getlength(words[place] + " ")
    return frame


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
