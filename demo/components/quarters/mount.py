"""A photo whose quarters can be pointed at; a click on one is an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from demo.components.served import component

_component = component("quarters", "quarters/mount.js")


def quarters(url: str, alt: str, names: Sequence[str], *, key: str, on_choose: Callable[[], None]) -> None:
    """`names`: of the four, from the top left to the bottom right; `choice` tells the callback which one, counted from 0."""
    _component(key=key, data={"url": url, "alt": alt, "names": list(names)}, on_choose_change=on_choose)
