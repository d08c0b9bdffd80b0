"""How a strip of words writes probabilities, and its colours."""

from __future__ import annotations

import pytest

from demo.components.word_strip.data import chance, label
from demo.scale import attention_color, ink_on, luminance, surprise_color


@pytest.mark.parametrize(
    ("p", "shown"),
    [(1.0, "1.00"), (0.234, "0.23"), (0.0999, "0.10"), (0.0454, "0.045"), (0.07, "0.070"), (0.00012, "0.00012"), (3.2e-5, "3·10⁻⁵"),
     (9.9e-6, "1·10⁻⁵"), (2.1e-12, "2·10⁻¹²"), (0.0, "0")],
)  # fmt: skip
def test_probabilities_are_written_with_the_figures_that_count(p: float, shown: str) -> None:
    assert chance(p) == shown


def test_less_probable_is_further_from_the_page_and_legible() -> None:
    steps = [0.0, -1.0, -3.0, -6.0, -10.0, -50.0]
    light, dark = ([luminance(surprise_color(step, theme)) for step in steps] for theme in ("light", "dark"))
    assert light == sorted(light, reverse=True)
    assert dark == sorted(dark)
    assert light[-1] == light[-2]
    for step in steps:
        for theme in ("light", "dark"):
            colour = surprise_color(step, theme)
            ink = 1.0 if ink_on(colour) == "#ffffff" else 0.0
            high, low = sorted((luminance(colour), ink), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 4.5
    assert surprise_color(-5) != attention_color(0.5)


def test_pieces_inside_a_word_are_marked() -> None:
    assert [label(token) for token in (" run", "ning", ".", "</s>", " ")] == ["run", "·ning", ".", "end", "␣"]
