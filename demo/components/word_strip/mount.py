"""A sentence as a strip of words coloured by log-probability; a chosen word opens what the model expected at its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from demo.colours import IMPROBABLE, hex_color, surprise_color
from demo.components.served import component

STOPS = 21
TICKS = (("1", 0.0), ("0.1", 2.302585), ("0.01", 4.60517), ("0.001", 6.907755), ("0.0001", 9.21034))

_component = component("word_strip", "word_strip/mount.js")


def word_strip(tracks: Sequence[dict[str, Any]], *, key: str, chosen: int, on_choose: Callable[[], None], entropy: bool = True) -> None:
    """Place what `word_strip_data.track` made, one strip a model. `chosen`: a character of the sentence; its word is open.

    In the callback `choice` says which character that is now.
    """
    data = {"tracks": list(tracks), "chosen": chosen, "entropy": entropy, "scale": _scale()}
    _component(key=key, data=data, on_choose_change=on_choose)


def _scale() -> dict[str, Any]:
    """The legend: colours from p = 1 to the least that is told apart, and where some probabilities stand between them."""
    stops = [-IMPROBABLE * i / (STOPS - 1) for i in range(STOPS)]
    return {
        "light": [hex_color(surprise_color(stop, "light")) for stop in stops],
        "dark": [hex_color(surprise_color(stop, "dark")) for stop in stops],
        "ticks": [[name, at / IMPROBABLE] for name, at in TICKS],
    }
