"""Where everything lies in a still figure of a trace: rectangles and texts, drawn alike as SVG and as PNG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
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
PART_GAP, MARK_WIDTH = 26, 84
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
def font_for(text: str, size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    for pattern, names in FONTS:
        if regex.search(pattern, text):
            for name in names:
                try:
                    return ImageFont.truetype(name, size)
                except OSError:
                    continue
    return page_font(size)


@cache
def page_font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
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


@dataclass(frozen=True, slots=True)
class Strip:
    """The columns of one text, with a weight for each in every row."""

    name: str  # stands above them where there are several
    columns: tuple[str, ...]
    weights: list[list[float]]


def rows_of(trace: DecodeTrace, hypothesis: int, words: bool) -> list[tuple[str, tuple[int, ...]]]:
    """What stands at the rows, each with its steps."""
    if not words:
        return [(visible(token), (t,)) for t, token in enumerate(trace.tokens(hypothesis))]
    grouped = trace.grouped(hypothesis)
    return [(visible(word), steps) for word, steps in zip(grouped.target, grouped.target_members, strict=True)]


def from_right(text: str) -> bool:
    """Whether it is read from the right."""
    return regex.match(r"[^\p{L}]*[\p{Arabic}\p{Hebrew}]", text) is not None


def strips_of(trace: DecodeTrace, hypothesis: int, words: bool) -> list[Strip]:
    """One for each text that something looks at; what is read from the right is drawn from the right."""
    found = []
    for place, part in enumerate(trace.parts):
        if part.kind != "text" or not any(head.part == place for head in trace.heads):
            continue
        grouped = trace.grouped(hypothesis, place)
        columns, weights = (grouped.source, grouped.attention) if words else (part.labels, trace.attention(hypothesis, place))
        turn = -1 if from_right(part.text) else 1
        labels = tuple(visible(text) for text in columns)[::turn]
        found.append(Strip(part.name, labels, weights[:, ::turn].tolist()))
    return found


def figure(
    trace: DecodeTrace, hypothesis: int = 0, *, words: bool = True, numbers: bool = True, theme: Theme = "light", shown: int | None = None
) -> Figure:
    """The attention map of one hypothesis; without a map over a text, the probability of every token as a bar.

    `shown`: only so many rows.
    """
    strips, rows = strips_of(trace, hypothesis, words), rows_of(trace, hypothesis, words)
    if not strips:
        return _bars(trace, hypothesis, rows, shown=shown, theme=theme)
    strips = [replace(one, columns=tuple(map(shorten, one.columns)), name=one.name if len(trace.parts) > 1 else "") for one in strips]
    marks = _marks_of(trace, hypothesis, rows)
    picture, left, top, cell = _page(strips, [text for text, _ in rows], len(marks), theme)
    x = float(left)
    for strip in strips:
        _columns(picture, strip, x, top, cell, theme)
        for i, weights in enumerate(strip.weights[:shown]):
            _cells(picture, weights, x, top + i * CELL, cell, numbers=numbers, theme=theme)
        x += len(strip.columns) * cell + PART_GAP
    for name, values in marks:
        _mark(picture, name, values, x, top, shown=shown, theme=theme)
        x += MARK_WIDTH + GAP * 4
    _row_labels(picture, trace, hypothesis, rows[:shown], left, top, theme)
    _legend(picture, left, top + len(rows) * CELL + 16, theme)
    _origins(picture, trace, hypothesis, left, theme)
    return picture


def _page(strips: Sequence[Strip], rows: Sequence[str], marks: int, theme: Theme) -> tuple[Figure, int, int, int]:
    """An empty picture that everything fits on, where the cells begin, and how wide one is."""
    widths = [text_width(text) for strip in strips for text in strip.columns]
    level = max(widths) + 16 <= 2.2 * CELL
    cell = max(CELL, math.ceil(max(widths) + 16)) if level else CELL
    left = MARGIN + math.ceil(max(text_width(shorten(text)) for text in rows)) + 16
    sine, cosine = math.sin(math.radians(LEAN)), math.cos(math.radians(LEAN))
    top = MARGIN + (SIZE + 18 if level else math.ceil(max(widths) * sine) + 26) + (SIZE + 8 if strips[0].name else 0)
    across = len(widths) * cell + (len(strips) - 1) * PART_GAP
    overhang = 0 if level else max(0, math.ceil(max((i + 1) * cell + w * cosine for i, w in enumerate(widths)) - len(widths) * cell))
    beside = marks * (MARK_WIDTH + GAP * 4) + (PART_GAP if marks else 0)
    width = max(left + across + max(overhang, beside), left + 340) + MARGIN
    return Figure(width, top + len(rows) * CELL + SIZE * 2 + MARGIN + 8, PAGE[theme]), left, top, cell


def _columns(picture: Figure, strip: Strip, x: float, top: int, cell: int, theme: Theme) -> None:
    level = max(text_width(text) for text in strip.columns) + 16 <= cell
    for i, text in enumerate(strip.columns):
        middle = x + (i + 0.5) * cell
        picture.shapes.append(
            Label(middle, top - 20, text, INK[theme], anchor="middle") if level else Label(middle, top - 12, text, INK[theme], lean=LEAN)
        )
    if strip.name:
        across = len(strip.columns) * cell
        picture.shapes.append(Label(x + across / 2, MARGIN + SIZE / 2, strip.name, INK[theme], size=18, anchor="middle"))
        picture.shapes.append(Rectangle(x + GAP, MARGIN + SIZE + 2, across - 2 * GAP, 2, BAR[theme]))


def _row_labels(
    picture: Figure, trace: DecodeTrace, hypothesis: int, rows: Sequence[tuple[str, tuple[int, ...]]], left: int, top: int, theme: Theme
) -> None:
    """Given words stand on dots, and forced ones in a box, as in the player."""
    forced = [node.forced for node in trace.path(hypothesis)]
    for i, (text, steps) in enumerate(rows):
        text, y = shorten(text), top + (i + 0.5) * CELL
        picture.shapes.append(Label(left - 12, y, text, INK[theme], anchor="end"))
        width = text_width(text)
        if steps[0] < trace.prompt:
            dots = range(0, math.ceil(width), 6)
            picture.shapes += [Rectangle(left - 12 - width + dot, y + SIZE / 2 + 2, 3, 3, INK[theme]) for dot in dots]
        elif any(forced[t] for t in steps):
            x, high = left - 16 - width, SIZE + 10
            picture.shapes += [Rectangle(x, y + edge, width + 8, 2, INK[theme]) for edge in (-high / 2, high / 2 - 2)]
            picture.shapes += [Rectangle(edge, y - high / 2, 2, high, INK[theme]) for edge in (x, x + width + 6)]


def _origins(picture: Figure, trace: DecodeTrace, hypothesis: int, x: float, theme: Theme) -> None:
    """What dots and boxes mean, below everything else."""
    kinds = ["dots: given to go on from"] if trace.prompt else []
    kinds += ["box: forced by a person"] if any(node.forced for node in trace.path(hypothesis)) else []
    if kinds:
        note = "; ".join(kinds)
        picture.shapes.append(Label(x, picture.height - MARGIN / 2, note, INK[theme], size=18))
        picture.height += SIZE
        picture.width = max(picture.width, math.ceil(x + text_width(note, 18)) + MARGIN)


def _marks_of(trace: DecodeTrace, hypothesis: int, rows: Sequence[tuple[str, tuple[int, ...]]]) -> list[tuple[str, list[float]]]:
    """The values that steps have by name, of a word the mean over its steps; positions have no column."""
    path = trace.path(hypothesis)
    names = [name for name, value in path[0].marks.items() if isinstance(value, float)]
    return [(name, [sum(path[t].marks[name] for t in steps) / len(steps) for _, steps in rows]) for name in names]


def _mark(picture: Figure, name: str, values: Sequence[float], x: float, top: int, *, shown: int | None, theme: Theme) -> None:
    most = max(1.0, *map(abs, values))
    picture.shapes.append(Label(x + MARK_WIDTH / 2, top - 20, shorten(name, 18, MARK_WIDTH), INK[theme], size=18, anchor="middle"))
    for i, value in enumerate(values[:shown]):
        y = top + i * CELL
        picture.shapes.append(Rectangle(x, y + CELL - 9, MARK_WIDTH * abs(value) / most, 7, BAR[theme]))
        picture.shapes.append(Label(x + MARK_WIDTH / 2, y + CELL / 2 - 4, f"{value:.2f}", INK[theme], size=17, anchor="middle"))


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


def _bars(trace: DecodeTrace, hypothesis: int, rows: Sequence[tuple[str, tuple[int, ...]]], *, shown: int | None, theme: Theme) -> Figure:
    path = trace.path(hypothesis)
    left = MARGIN + math.ceil(max(text_width(shorten(text)) for text, _ in rows)) + 16
    picture = Figure(left + 420 + 80 + MARGIN, MARGIN * 2 + len(rows) * CELL + SIZE + 8, PAGE[theme])
    _row_labels(picture, trace, hypothesis, rows[:shown], left, MARGIN, theme)
    for i, (_, members) in enumerate(rows[:shown]):
        probability = math.exp(sum(path[t].logprob for t in members))
        y = MARGIN + i * CELL
        picture.shapes.append(Rectangle(left, y + 10, 420 * probability, CELL - 20, BAR[theme]))
        picture.shapes.append(Label(left + 432, y + CELL / 2, f"{probability:.2f}", INK[theme], size=18))
    note = "probability of each token, 0 to 1" + ("; see the overlays for the attention" if trace.parts else "")
    if trace.parts and all(part.kind == "text" for part in trace.parts):
        note = "probability of each token, 0 to 1; no attention map: one vector h_T"
    picture.shapes.append(Label(MARGIN, MARGIN + len(rows) * CELL + SIZE / 2 + 4, note, INK[theme], size=18))
    picture.width = max(picture.width, math.ceil(2 * MARGIN + text_width(note, 18)))
    _origins(picture, trace, hypothesis, MARGIN, theme)
    return picture
