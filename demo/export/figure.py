"""Where everything lies in a still figure of a trace: rectangles and texts, drawn alike as SVG and as PNG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import regex
from PIL import ImageFont

from demo.colours import Theme, attention_color, hex_color, ink_on
from demo.wording import visible
from seq2seq_core.trace.trace import DecodeTrace

SIZE = 22
CELL = 44
GAP = 1
MARGIN = 24
LEAN = 50  # degrees
LONGEST_LABEL = 260
PAGE: dict[Theme, str] = {"light": "#ffffff", "dark": "#12161c"}
INK: dict[Theme, str] = {"light": "#1b2430", "dark": "#e8ecf1"}
BAR: dict[Theme, str] = {"light": "#5b6572", "dark": "#a3adb9"}

# A font of the system for each script; Latin, Greek and Cyrillic come with Streamlit's own font, the one on the screen.
FONTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\p{Devanagari}", ("NotoSansDevanagari-Regular.ttf", "Nirmala.ttf", "Kohinoor.ttc")),
    (r"\p{Arabic}", ("NotoNaskhArabic-Regular.ttf", "NotoSansArabic-Regular.ttf", "arial.ttf", "GeezaPro.ttc")),
    (r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]", ("NotoSansCJK-Regular.ttc", "msyh.ttc", "PingFang.ttc")),
    (r"\p{Extended_Pictographic}", ("NotoEmoji-Regular.ttf", "DejaVuSans.ttf", "seguiemj.ttf", "Apple Symbols.ttf")),
    (r"[^\p{Latin}\p{Greek}\p{Cyrillic}\p{Common}]", ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial Unicode.ttf", "segoeui.ttf")),
)


@dataclass(frozen=True, slots=True)
class Rectangle:
    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True, slots=True)
class Label:
    """A text whose anchor, at its left, middle or right and half way up, stands on (x, y), turned by `lean` degrees upwards."""

    x: float
    y: float
    text: str
    fill: str
    size: int = SIZE
    anchor: str = "start"
    lean: int = 0


@dataclass(slots=True)
class Figure:
    width: int
    height: int
    background: str
    shapes: list[Rectangle | Label] = field(default_factory=list)


@cache
def font_for(text: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    for pattern, names in FONTS:
        if regex.search(pattern, text):
            for name in names:
                try:
                    return ImageFont.truetype(name, size)
                except OSError:
                    continue
    return page_font(size)


@cache
def page_font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Streamlit's font, read from where it is installed; Pillow's own, which has few letters, where it is not."""
    place = find_spec("streamlit")
    found = sorted(Path(place.origin).parent.glob("static/**/SourceSansVF-Upright*.woff2")) if place and place.origin else []
    for path in found:
        try:
            font = ImageFont.truetype(path, size)
            font.set_variation_by_axes([400])  # regular; it opens as the thinnest
        except OSError:
            continue
        return font
    return ImageFont.load_default(size)


def text_width(text: str, size: int = SIZE) -> float:
    return float(font_for(text, size).getlength(text))


def shorten(text: str, size: int = SIZE, longest: float = LONGEST_LABEL) -> str:
    if text_width(text, size) <= longest:
        return text
    clusters = regex.findall(r"\X", text)
    while clusters and text_width("".join(clusters) + "\u2026", size) > longest:
        clusters.pop()
    return "".join(clusters) + "\u2026"


def kind_of(trace: DecodeTrace) -> str:
    return trace.parts[0].kind if trace.parts else ""


def labels_of(trace: DecodeTrace, hypothesis: int, words: bool) -> tuple[list[str], list[str]]:
    """What stands at the columns and at the rows."""
    if words and kind_of(trace) != "grid":
        grouped = trace.grouped(hypothesis)
        return [visible(word) for word in grouped.source], [visible(word) for word in grouped.target]
    columns = [token for part in trace.parts if part.kind == "text" for token in part.labels]
    return [visible(token) for token in columns], [visible(token) for token in trace.tokens(hypothesis)]


def figure(trace: DecodeTrace, hypothesis: int = 0, *, words: bool = True, numbers: bool = True, theme: Theme = "light") -> Figure:
    """The attention map of one hypothesis; without a map, the probability of every token as a bar."""
    columns, rows = labels_of(trace, hypothesis, words)
    weights = trace.grouped(hypothesis).attention if words and kind_of(trace) == "text" else trace.attention(hypothesis)
    if kind_of(trace) != "text" or weights.shape[1] == 0:
        return _bars(trace, hypothesis, words=words, theme=theme)
    rows_of_weights = weights.tolist()
    if regex.match(r"[^\p{L}]*[\p{Arabic}\p{Hebrew}]", trace.given_text):  # read from the right, so drawn from the right
        columns, rows_of_weights = columns[::-1], [row[::-1] for row in rows_of_weights]
    return _map(columns, rows, rows_of_weights, numbers=numbers, theme=theme)


def _map(columns: Sequence[str], rows: Sequence[str], weights: Sequence[Sequence[float]], *, numbers: bool, theme: Theme) -> Figure:
    columns, rows = [shorten(text) for text in columns], [shorten(text) for text in rows]
    widths = [text_width(text) for text in columns]
    level = max(widths) + 16 <= 2.2 * CELL
    cell = max(CELL, math.ceil(max(widths) + 16)) if level else CELL
    left = MARGIN + math.ceil(max(text_width(text) for text in rows)) + 16
    sine, cosine = math.sin(math.radians(LEAN)), math.cos(math.radians(LEAN))
    top = MARGIN + (SIZE + 18 if level else math.ceil(max(widths) * sine) + 26)
    overhang = 0 if level else max(0, math.ceil(max((i + 1) * cell + w * cosine for i, w in enumerate(widths)) - len(columns) * cell))
    picture = Figure(
        max(left + len(columns) * cell + overhang, left + 340) + MARGIN, top + len(rows) * CELL + SIZE * 2 + MARGIN + 8, PAGE[theme]
    )
    for i, text in enumerate(columns):
        middle = left + (i + 0.5) * cell
        picture.shapes.append(
            Label(middle, top - 20, text, INK[theme], anchor="middle") if level else Label(middle, top - 12, text, INK[theme], lean=LEAN)
        )
    for i, text in enumerate(rows):
        picture.shapes.append(Label(left - 12, top + (i + 0.5) * CELL, text, INK[theme], anchor="end"))
        _cells(picture, weights[i], left, top + i * CELL, cell, numbers=numbers, theme=theme)
    _legend(picture, left, top + len(rows) * CELL + 16, theme)
    return picture


def _cells(picture: Figure, weights: Sequence[float], left: float, y: float, cell: int, *, numbers: bool, theme: Theme) -> None:
    for j, weight in enumerate(weights):
        color = attention_color(weight, theme)
        picture.shapes.append(Rectangle(left + j * cell + GAP, y + GAP, cell - 2 * GAP, CELL - 2 * GAP, hex_color(color)))
        if numbers:
            text = f"{weight:.2f}".lstrip("0") if weight < 0.995 else "1"
            picture.shapes.append(Label(left + (j + 0.5) * cell, y + CELL / 2, text, ink_on(color), size=17, anchor="middle"))


def _legend(picture: Figure, left: float, y: float, theme: Theme) -> None:
    picture.shapes.append(Label(left, y + SIZE / 2, "attention  0", INK[theme], size=18))
    start = left + text_width("attention  0", 18) + 8
    for i in range(40):
        picture.shapes.append(Rectangle(start + i * 4, y + 2, 4, SIZE - 4, hex_color(attention_color(i / 39, theme))))
    picture.shapes.append(Label(start + 168, y + SIZE / 2, "1", INK[theme], size=18))


def _bars(trace: DecodeTrace, hypothesis: int, *, words: bool, theme: Theme) -> Figure:
    grouped = trace.grouped(hypothesis)
    path = trace.path(hypothesis)
    steps = grouped.target_members if words else tuple((t,) for t in range(len(path)))
    _, rows = labels_of(trace, hypothesis, words)
    if words and kind_of(trace) == "grid":
        rows = [visible(word) for word in grouped.target]
    rows = [shorten(text) for text in rows]
    left = MARGIN + math.ceil(max(text_width(text) for text in rows)) + 16
    picture = Figure(left + 420 + 80 + MARGIN, MARGIN * 2 + len(rows) * CELL + SIZE + 8, PAGE[theme])
    for i, (text, members) in enumerate(zip(rows, steps, strict=True)):
        probability = math.exp(sum(path[t].logprob for t in members))
        y = MARGIN + i * CELL
        picture.shapes.append(Label(left - 12, y + CELL / 2, text, INK[theme], anchor="end"))
        picture.shapes.append(Rectangle(left, y + 10, 420 * probability, CELL - 20, BAR[theme]))
        picture.shapes.append(Label(left + 432, y + CELL / 2, f"{probability:.2f}", INK[theme], size=18))
    note = "probability of each token, 0 to 1" + ("" if not trace.parts else "; see the overlays for the attention")
    if kind_of(trace) == "text":
        note = "probability of each token, 0 to 1; no attention map: one vector h_T"
    picture.shapes.append(Label(MARGIN, MARGIN + len(rows) * CELL + SIZE / 2 + 4, note, INK[theme], size=18))
    picture.width = max(picture.width, math.ceil(2 * MARGIN + text_width(note, 18)))
    return picture
