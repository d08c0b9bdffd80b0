"""A sentence in Latin letters, and above each word the same word in its own script."""

from __future__ import annotations

from collections.abc import Sequence

from demo.components.served import component

_component = component("script_row", "script_row/mount.js")


def script_row(words: Sequence[tuple[str, str]], *, key: str, language: str, name: str, note: str = "") -> None:
    """`words`: each as it is read, and what stands above it, which may be empty; `language`: of what stands above, its code."""
    _component(key=key, data={"words": [list(word) for word in words], "language": language, "name": name, "note": note})
