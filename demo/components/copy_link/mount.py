"""The "Copy link" button: the page's address holds its whole state, so copying needs the browser alone."""

from __future__ import annotations

from demo.components.served import component

_component = component("copy_link", "copy_link/mount.js")


def copy_link(without: str = "", key: str = "copy_link") -> None:
    """`without`: what of the page the link cannot carry, said when it is copied."""
    _component(key=key, data={"without": without})
