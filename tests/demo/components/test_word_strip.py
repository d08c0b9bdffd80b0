"""The colours of a strip of words."""

from __future__ import annotations

from demo.colours import attention_color, ink_on, luminance, surprise_color


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
