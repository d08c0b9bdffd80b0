"""One meaning per colour: attention is a blue scale, log-probability a purple one, the current step the accent; a variant keeps its own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Theme = Literal["light", "dark"]
RGB = tuple[int, int, int]

HUE, SURPRISE_HUE = math.radians(256), math.radians(318)
IMPROBABLE = 10.0  # -log p at the end of its scale: p = 0.00005
# Lightness (OKLCH) at weight 0 and 1. A larger weight always differs more from the page.
ENDS: dict[Theme, tuple[float, float]] = {"light": (0.975, 0.31), "dark": (0.245, 0.93)}
CHROMA = 0.16


def _linear_rgb(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _encode(channel: float) -> int:
    channel = min(1.0, max(0.0, channel))
    return round(255 * (12.92 * channel if channel <= 0.0031308 else 1.055 * channel ** (1 / 2.4) - 0.055))


def attention_color(weight: float, theme: Theme = "light") -> RGB:
    """The colour of an attention weight; lightness is linear in the weight, so equal steps look equal."""
    return _color(weight, theme, HUE)


def surprise_color(logprob: float, theme: Theme = "light") -> RGB:
    """The colour of a log-probability: the less probable, the further from the page."""
    return _color(-logprob / IMPROBABLE, theme, SURPRISE_HUE)


def _color(weight: float, theme: Theme, hue: float) -> RGB:
    weight = min(1.0, max(0.0, weight))
    low, high = ENDS[theme]
    lightness = low + (high - low) * weight
    chroma = min(CHROMA, 0.6 * (1 - lightness), 0.6 * (lightness - 0.1))
    rgb = _linear_rgb(lightness, chroma, hue)
    while min(rgb) < 0 or max(rgb) > 1:  # outside what a screen can show: paler, same lightness
        chroma *= 0.97
        rgb = _linear_rgb(lightness, chroma, hue)
    red, green, blue = (_encode(channel) for channel in rgb)
    return red, green, blue


def hex_color(rgb: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def color_scale(theme: Theme = "light", stops: int = 33) -> list[str]:
    """Evenly spaced colours from 0 to 1, for Plotly and for the player."""
    return [hex_color(attention_color(i / (stops - 1), theme)) for i in range(stops)]


def luminance(rgb: RGB) -> float:
    """Relative luminance as WCAG defines it, for contrast ratios."""
    red, green, blue = ((c / 255) / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink_on(rgb: RGB) -> str:
    """Black or white, whichever reads better on this colour."""
    return "#000000" if luminance(rgb) > 0.179 else "#ffffff"


# -- the palette -----------------------------------------------------------------------------------------------------------------

VARIANTS = ("none", "every-step", "dot", "bilinear", "additive", "key-query", "multi-head")
CAPTIONS = {
    "soft-coverage": "multi-head",
    "soft": "additive",
    "hard": "key-query",
    "mean": "every-step",
}  # whose colour; what is seen has others

# In charts of points and of differences; legible on a light and on a dark page (contrast at least 3).
GROUPS = ("#12897b", "#8a63d2", "#c0651a", "#d0448a")
LESS, MORE = (200, 90, 30), (47, 125, 225)  # RGB at full strength; no difference is no colour

# Placeholders in a Plotly figure: Streamlit puts the theme's own ink and sequential scale in their place, light or dark, without a new run.
THEME_INK = "#000037"
THEME_SCALE = [[stop / 9, f"#{11 + stop:06d}"] for stop in range(10)]


@dataclass(frozen=True, slots=True)
class Palette:
    accent: str  # the current step, and what is chosen in a control
    background: str
    surface: str  # panels and inputs
    text: str
    muted: str
    border: str
    attention: tuple[str, ...]  # ten even steps from weight 0 to weight 1
    variants: tuple[str, ...]  # in the order of VARIANTS; told apart with any colour vision (OKLab distance at least 0.05)

    def variant(self, name: str) -> str:
        """The colour of an attention variant, also of a name such as "additive-lstm"; ink for a Transformer, grey for any other."""
        if name == "transformer":
            return self.text
        name = CAPTIONS.get(name, name)
        for known, colour in zip(VARIANTS, self.variants, strict=True):
            if name == known or name.startswith(known + "-"):
                return colour
        return self.muted


LIGHT = Palette(
    accent="#a8420b",
    background="#ffffff",
    surface="#f3f5f8",
    text="#0c1320",
    muted="#5b6572",
    border="#c9d0d9",
    attention=tuple(color_scale("light", 10)),
    variants=("#6b7280", "#b18b00", "#00614d", "#623b90", "#0084d3", "#d6246e", "#1b2f55"),
)
DARK = Palette(
    accent="#dd7738",
    background="#12161c",
    surface="#1c222b",
    text="#e8ecf1",
    muted="#a3adb9",
    border="#3b4552",
    attention=tuple(color_scale("dark", 10)),
    variants=("#a4afbd", "#e2bb00", "#aaffce", "#7d58a9", "#8ad5ff", "#b77380", "#5194c1"),
)
