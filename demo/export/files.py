"""A trace as a file: JSON, SVG, PNG, and one HTML file that plays it with the same player. Nothing in them asks the network."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from html import escape
from typing import Any

from PIL import Image, ImageDraw

from demo.colours import DARK, LIGHT, Palette, Theme
from demo.components import script, style
from demo.components.player.data import PlayerLayout, PlayerOptions, player_data
from demo.export.figure import Label, Rectangle, figure, font_for
from seq2seq_core.trace.trace import DecodeTrace

# The file may show its own pictures, play its own sound and run its own script; anything else is refused by the browser.
POLICY = "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def to_json(trace: DecodeTrace) -> str:
    """The whole trace; `DecodeTrace.from_json` gives an equal one."""
    return trace.to_json()


def to_svg(trace: DecodeTrace, hypothesis: int = 0, *, words: bool = True, numbers: bool = True, theme: Theme = "light") -> str:
    picture = figure(trace, hypothesis, words=words, numbers=numbers, theme=theme)
    shapes = "\n".join(_svg_shape(shape) for shape in picture.shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{picture.width}" height="{picture.height}" '
        f'viewBox="0 0 {picture.width} {picture.height}" font-family="sans-serif" role="img">\n'
        f"<title>{_xml(trace.text(hypothesis))}</title>\n"
        f'<rect width="100%" height="100%" fill="{picture.background}"/>\n{shapes}\n</svg>\n'
    )


def to_png(
    trace: DecodeTrace, hypothesis: int = 0, *, words: bool = True, numbers: bool = True, theme: Theme = "light", scale: int = 2
) -> bytes:
    picture = figure(trace, hypothesis, words=words, numbers=numbers, theme=theme)
    image = Image.new("RGB", (picture.width * scale, picture.height * scale), picture.background)
    paint(image, picture.shapes, scale)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def to_html(
    trace: DecodeTrace,
    hypothesis: int = 0,
    *,
    variant: str | None = None,
    image_url: str | None = None,
    sound_url: str | None = None,
    options: PlayerOptions | None = None,
    title: str = "",
) -> str:
    """One file with the player in it: opens anywhere, plays without a network. `image_url` is a data URL of the photo."""
    data = player_data(trace, hypothesis, variant=variant, image_url=image_url, sound_url=sound_url)
    return html_page(data, title or f"{trace.given_text.replace(chr(10), ' / ') or 'Attention'} \u2192 {trace.text(hypothesis)}", options)


def html_page(data: dict[str, Any], title: str, options: PlayerOptions | None = None) -> str:
    content = {"player": data, "options": (options or PlayerOptions()).to_dict(), "layout": PlayerLayout(height=620).to_dict()}
    given = json.dumps(content, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{theme_style(LIGHT)}\n@media (prefers-color-scheme: dark) {{ {theme_style(DARK)} }}\n"
        "html { color-scheme: light dark; }\nbody { margin: 0; padding: 24px; background: var(--st-background-color); }\n"
        "main { max-width: 1400px; margin: 0 auto; }\nh1 { font: 600 22px system-ui, sans-serif; color: var(--st-text-color); }\n"
        f"{style('player')}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>\n"
        f'<div id="place"></div>\n</main>\n<script type="application/json" id="trace">{given}</script>\n'
        f"<script>\n(() => {{\n{script('player/alone.js')}}})();\n</script>\n</body>\n</html>\n"
    )


def notebook_html(trace: DecodeTrace, hypothesis: int = 0, *, image_url: str | None = None, height: int = 760) -> str:
    """The same player in a frame of its own, for a notebook cell."""
    page = to_html(trace, hypothesis, image_url=image_url)
    box = f"width: 100%; height: {height}px; border: 0"
    return f'<iframe title="Attention player" sandbox="allow-scripts" style="{box}" srcdoc="{escape(page)}"></iframe>'


def theme_style(palette: Palette) -> str:
    return (
        f":root {{ --st-background-color: {palette.background}; --st-secondary-background-color: {palette.surface}; "
        f"--st-text-color: {palette.text}; --st-primary-color: {palette.accent}; --st-font: system-ui, sans-serif; }}"
    )


def _xml(text: str) -> str:
    """Escaped, and without the control characters that XML does not know."""
    return escape("".join(c if c.isprintable() or c.isspace() else "\ufffd" for c in text))


def _svg_shape(shape: Rectangle | Label) -> str:
    if isinstance(shape, Rectangle):
        return f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:.5g}" height="{shape.height:g}" fill="{shape.fill}"/>'
    turn = f' transform="rotate({-shape.lean} {shape.x:g} {shape.y:g})"' if shape.lean else ""
    return (
        f'<text x="{shape.x:g}" y="{shape.y:g}" font-size="{shape.size}" fill="{shape.fill}" text-anchor="{shape.anchor}" '
        f'dominant-baseline="central"{turn}>{_xml(shape.text)}</text>'
    )


def paint(image: Image.Image, shapes: Iterable[Rectangle | Label], scale: float = 1) -> None:
    """Draw onto a picture."""
    draw = ImageDraw.Draw(image)
    for shape in shapes:
        if isinstance(shape, Rectangle):
            corners = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            draw.rectangle(
                [round(c * scale) - (i > 1) for i, c in enumerate(corners)] if shape.width * scale >= 1 else (0, 0, 0, 0), shape.fill
            )
        elif shape.lean:
            _paint_leaning(image, shape, scale)
        else:
            anchor = {"start": "lm", "middle": "mm", "end": "rm"}[shape.anchor]
            draw.text((shape.x * scale, shape.y * scale), shape.text, shape.fill, font_for(shape.text, shape.size * scale), anchor)


def _paint_leaning(image: Image.Image, label: Label, scale: float) -> None:
    font = font_for(label.text, label.size * scale)
    half = int(font.getlength(label.text)) + 4 * label.size
    stencil = Image.new("L", (2 * half, 2 * half))  # the anchor stands in its middle, so turning leaves it in place
    ImageDraw.Draw(stencil).text((half, half), label.text, 255, font, "lm")
    turned = stencil.rotate(label.lean, Image.Resampling.BICUBIC)
    image.paste(label.fill, (round(label.x * scale) - half, round(label.y * scale) - half), turned)
