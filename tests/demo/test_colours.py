"""The palette is legible in both themes and is the one that .streamlit/config.toml sets."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from demo.colours import DARK, LIGHT, VARIANTS, Palette

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit/config.toml").read_text(encoding="utf8"))["theme"]
BOTH = [pytest.param(LIGHT, THEME["light"], id="light"), pytest.param(DARK, THEME["dark"], id="dark")]


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2: AA asks for 4.5 for text, 3 for large text and the parts of a figure."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mixed(colour: str, ground: str, share: float) -> str:
    pairs = [(int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * one + (1 - share) * other):02x}" for one, other in pairs)


@pytest.mark.parametrize(("palette", "theme"), BOTH)
def test_config_sets_this_palette(palette: Palette, theme: dict[str, object]) -> None:
    assert theme["primaryColor"] == palette.accent
    assert theme["backgroundColor"] == palette.background
    assert theme["secondaryBackgroundColor"] == palette.surface
    assert theme["textColor"] == palette.text
    assert theme["grayColor"] == palette.muted
    assert theme["borderColor"] == palette.border
    assert theme["chartSequentialColors"] == list(palette.attention)
    assert theme["chartCategoricalColors"] == list(palette.variants)


@pytest.mark.parametrize(("palette", "theme"), BOTH)
def test_text_and_figures_have_contrast_aa(palette: Palette, theme: dict[str, str]) -> None:
    for ground in (palette.background, palette.surface):
        assert contrast(palette.text, ground) >= 7
        assert contrast(palette.muted, ground) >= 4.5
        assert contrast(theme["linkColor"], ground) >= 4.5
        assert contrast(palette.accent, ground) >= 4.5
        assert contrast(mixed(palette.text, ground, 0.6), ground) >= 4.5, "Streamlit writes captions so"
        assert contrast(palette.accent, mixed(palette.accent, ground, 0.1)) >= 4.4, "Streamlit writes a chosen pill so"
    assert contrast(palette.accent, "#ffffff") >= 3, "the tick in a box is white"
    for colour in palette.variants:
        assert contrast(colour, palette.background) >= 3


@pytest.mark.parametrize(("palette", "theme"), BOTH)
def test_sidebar_is_legible(palette: Palette, theme: dict[str, dict[str, str]]) -> None:
    sidebar = theme["sidebar"]
    assert contrast(sidebar["textColor"], sidebar["backgroundColor"]) >= 7
    assert contrast(sidebar["textColor"], sidebar["secondaryBackgroundColor"]) >= 7


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_attention_scale_runs_evenly_away_from_the_background(palette: Palette) -> None:
    steps = [contrast(colour, palette.background) for colour in palette.attention]
    assert steps == sorted(steps)
    assert len(steps) == 10


def test_a_variant_keeps_its_colour() -> None:
    assert LIGHT.variant("additive") == LIGHT.variant("additive-lstm") == LIGHT.variants[VARIANTS.index("additive")]
    assert LIGHT.variant("none") == LIGHT.variants[0]
    assert LIGHT.variant("something else") == LIGHT.muted
    assert LIGHT.variant("soft") == LIGHT.variant("additive")
    assert len({DARK.variant(name) for name in ("none", "every-step", "soft", "hard", "soft-coverage")}) == 5
    assert len(set(LIGHT.variants)) == len(set(DARK.variants)) == len(VARIANTS)
