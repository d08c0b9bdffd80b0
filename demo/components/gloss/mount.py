"""What a word of the lab means, said where the word stands: when it is pointed at, tapped, or reached by key."""

from __future__ import annotations

from collections.abc import Mapping

from demo.components.served import component

_component = component("gloss", "gloss/mount.js")


def gloss(terms: Mapping[str, str], labels: Mapping[str, str]) -> None:
    """`terms` are found in running text too, `labels` only where nothing else stands."""
    _component(key="gloss", data={"terms": dict(terms), "labels": dict(labels)})
