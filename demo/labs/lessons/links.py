"""A link of this app as the decodes that its page would show: how a lesson gets its traces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from demo import app, state
from demo.blocks.comparison import TYPED
from demo.given import photos
from demo.lab import nothing
from demo.links import link
from demo.links.link import Link
from seq2seq_core.errors import InputError

Values = Mapping[str, Any]


def pages() -> list[str]:
    """Where a lesson can begin: wherever something is asked of a model."""
    return [lab.name for lab in app.LABS if lab.queries is not nothing]


def read_link(written: str) -> Link:
    """A link that a lesson can ask about."""
    found = link.read(written, pages(), "a lesson can begin")
    refuse(found.page, found.values)
    if not found.asked:
        raise InputError("The link compares nothing; choose at least one variant or search.")
    named, samples = found.values[state.PHOTO.key], [sample.name for sample in photos.SAMPLES]
    if any(query.asset and query.asset.kind == "photo" for query in found.asked.values()) and named not in samples:
        raise InputError(f"The link says photo={named[:40]}; the sample photos are {', '.join(samples)}.")
    return found


def refuse(page: str, values: Values) -> None:
    """What a page can show and a lesson cannot ask about."""
    part, compared, followed = values[state.LANGUAGE_PART.key], values[state.COMPARE.key], values[state.FOLLOWED.key]
    if page == "language_model" and part not in ("generate", "score"):
        raise InputError(f"The link shows {part!r} of the language model; a lesson takes generate or score.")
    if page == "compare" and values[state.SAME_TARGET.key] and followed != TYPED:
        raise InputError(f"The link makes all say what {followed} says; a lesson takes {TYPED} only.")
    if page == "compare" and compared == "cells":
        raise InputError("The link compares cells; a lesson compares attention variants or searches.")
