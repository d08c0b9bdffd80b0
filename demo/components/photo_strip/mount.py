"""Photos to choose from, as small pictures in a row; the one that is shown is framed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from demo.components.served import component

_component = component("photo_strip", "photo_strip/mount.js")


@dataclass(frozen=True, slots=True)
class Thumb:
    """`title` is its name, `tip` who made it; `url` a data URL."""

    title: str
    tip: str
    url: str


def photo_strip(thumbs: Sequence[Thumb], *, key: str, chosen: int | None, on_choose: Callable[[], None]) -> None:
    """`choice` tells the callback which one, counted from 0."""
    data = {"thumbs": [asdict(thumb) for thumb in thumbs], "chosen": chosen}
    _component(key=key, data=data, on_choose_change=on_choose)
