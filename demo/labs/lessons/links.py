"""A link of this app as the decodes that its page would show: how a lesson gets its traces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from demo import app, assets, state
from demo.blocks.comparison import TYPED
from demo.lab import Queries, nothing
from seq2seq_core.errors import InputError

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Link:
    """A page of this app in a given state."""

    page: str
    query: str

    @property
    def values(self) -> dict[str, Any]:
        return state.values_of(self.query)

    @property
    def address(self) -> str:
        """The same link as the app writes it."""
        return state.link(self.page, self.values)

    @property
    def asked(self) -> Queries:
        """What the page would decode, by name."""
        return app.lab(self.page).queries(self.values)


def pages() -> list[str]:
    """Where a lesson can begin: wherever something is asked of a model."""
    return [lab.name for lab in app.LABS if lab.queries is not nothing]


def read_link(written: str) -> Link:
    """A link as someone copied it, with or without the app's address. InputError names what it says wrongly."""
    parts = urlsplit(written.strip())
    page = parts.path.rstrip("/").rpartition("/")[2]
    if page not in pages():
        raise InputError(f"The link leads to {page[:40]!r}; a lesson can begin at {', '.join(pages())}.")
    said, known = parse_qs(parts.query, keep_blank_values=True), state.fields()
    for key, texts in said.items():
        field = known.get(key)
        if field is None:
            raise InputError(f"The link has {key[:40]!r}, which is no setting of this app; copy the link from the page.")
        kept = field.write(field.read(texts))
        if not all(map(_same, kept, texts)) or len(kept) != len(texts):
            raise InputError(f"The link says {key}={'&'.join(texts)[:60]}, which is not allowed; the nearest is {'&'.join(kept)[:60]}.")
    link = Link(page, parts.query)
    refuse(page, link.values)
    if not link.asked:
        raise InputError("The link compares nothing; choose at least one variant or search.")
    named, samples = link.values[state.PHOTO.key], [sample.name for sample in assets.SAMPLES]
    if any(query.asset for query in link.asked.values()) and named not in samples:
        raise InputError(f"The link says photo={named[:40]}; the sample photos are {', '.join(samples)}.")
    return link


def refuse(page: str, values: Values) -> None:
    """What a page can show and a lesson cannot ask about."""
    part, compared, followed = values[state.LANGUAGE_PART.key], values[state.COMPARE.key], values[state.FOLLOWED.key]
    if page == "language_model" and part not in ("generate", "score"):
        raise InputError(f"The link shows {part!r} of the language model; a lesson takes generate or score.")
    if page == "compare" and values[state.SAME_TARGET.key] and followed != TYPED:
        raise InputError(f"The link makes all say what {followed} says; a lesson takes {TYPED} only.")
    if page == "compare" and compared == "cells":
        raise InputError("The link compares cells; a lesson compares attention variants or searches.")


def _same(one: str, other: str) -> bool:
    """As texts, or as numbers: 0.70 is 0.7."""
    try:
        return one == other or float(one) == float(other)
    except ValueError:
        return False
