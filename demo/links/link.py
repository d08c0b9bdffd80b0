"""A link of this app, as someone copied it: a page in a given state, and what that page would ask of the models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from demo import app, state
from demo.lab import Queries
from demo.links.moved import moved
from seq2seq_core.errors import InputError


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
        return self.address_with({})

    def address_with(self, more: Mapping[str, Any]) -> str:
        """With other values of some fields."""
        return state.link(self.page, {**self.values, **more})

    @property
    def asked(self) -> Queries:
        """What the page would decode, by name."""
        return app.lab(self.page).queries(self.values)


def read(written: str, pages: Sequence[str], begins: str) -> Link:
    """With or without the app's address. InputError names what it says wrongly; `begins`: what may begin at these pages."""
    parts = urlsplit(written.strip())
    page = moved(parts.path.rstrip("/").rpartition("/")[2], parts.query)
    if page not in pages:
        raise InputError(f"The link leads to {page[:40]!r}; {begins} at {', '.join(pages)}.")
    said, known = parse_qs(parts.query, keep_blank_values=True), state.fields()
    for key, texts in said.items():
        field = known.get(key)
        if field is None:
            raise InputError(f"The link has {key[:40]!r}, which is no setting of this app; copy the link from the page.")
        kept = field.write(field.read(texts))
        if not all(map(_same, kept, texts)) or len(kept) != len(texts):
            raise InputError(f"The link says {key}={'&'.join(texts)[:60]}, which is not allowed; the nearest is {'&'.join(kept)[:60]}.")
    return Link(page, parts.query)


def _same(one: str, other: str) -> bool:
    """As texts, or as numbers: 0.70 is 0.7."""
    try:
        return one == other or float(one) == float(other)
    except ValueError:
        return False
