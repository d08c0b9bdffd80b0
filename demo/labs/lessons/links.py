"""A link of this app as the decodes that its page would show: how a lesson gets its traces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from demo import assets, state
from demo.blocks.comparison import SEARCHES, TYPED
from demo.edits import read_edits
from demo.query import Asset, Query
from seq2seq_core.config import DecodeSettings
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
    def asked(self) -> dict[str, Query]:
        """What the page would decode, by name."""
        return PAGES[self.page](self.values)


def read_link(written: str) -> Link:
    """A link as someone copied it, with or without the app's address. InputError names what it says wrongly."""
    parts = urlsplit(written.strip())
    page = parts.path.rstrip("/").rpartition("/")[2]
    if page not in PAGES:
        raise InputError(f"The link leads to {page[:40]!r}; a lesson can begin at {', '.join(PAGES)}.")
    said = parse_qs(parts.query, keep_blank_values=True)
    for key, texts in said.items():
        field = state.BY_KEY.get(key)
        if field is None:
            raise InputError(f"The link has {key[:40]!r}, which is no setting of this app; copy the link from the page.")
        kept = field.write(field.read(texts))
        if not all(map(_same, kept, texts)) or len(kept) != len(texts):
            raise InputError(f"The link says {key}={'&'.join(texts)[:60]}, which is not allowed; the nearest is {'&'.join(kept)[:60]}.")
    link = Link(page, parts.query)
    values = link.values
    if page == "caption" and values[state.PHOTO.key] not in (known := [sample.name for sample in assets.SAMPLES]):
        raise InputError(f"The link says photo={values[state.PHOTO.key][:40]}; the sample photos are {', '.join(known)}.")
    if not link.asked:
        raise InputError("The link compares nothing; choose at least one variant or search.")
    return link


def _same(one: str, other: str) -> bool:
    """As texts, or as numbers: 0.70 is 0.7."""
    try:
        return one == other or float(one) == float(other)
    except ValueError:
        return False


def _text(values: Values) -> tuple[str, str, str]:
    """Task, source and variant of the pages that take a sentence or a word."""
    task = "transliteration" if values[state.TASK.key] == "transliteration" else "translation"
    return task, values[state.SOURCES[task].key], values[state.MODELS[task].key]


def _translate(values: Values) -> dict[str, Query]:
    variant = values[state.TRANSLATION_MODEL.key]
    return {variant: Query(f"translation/{variant}", (values[state.SENTENCE.key],), settings=state.settings_of(values))}


def _transliterate(values: Values) -> dict[str, Query]:
    variant, beam = values[state.TRANSLITERATION_MODEL.key], values[state.BEAM.key]
    settings = DecodeSettings(beam_size=beam, length_penalty=0, hypotheses=min(beam, 5))
    return {variant: Query(f"transliteration/{variant}", (values[state.WORD.key],), settings=settings)}


def _how_it_works(values: Values) -> dict[str, Query]:
    task, text, variant = _text(values)
    return {variant: Query(f"{task}/{variant}", (text,), settings=state.settings_of(values))}


def _steer(values: Values) -> dict[str, Query]:
    task, text, variant = _text(values)
    settings = DecodeSettings(beam_size=values[state.BEAM.key])
    return {variant: Query(f"{task}/{variant}", (text,), settings=settings, steering=read_edits(values[state.EDITS.key]))}


def _compare(values: Values) -> dict[str, Query]:
    task, text, variant = _text(values)
    target = ""
    if values[state.SAME_TARGET.key]:
        if values[state.FOLLOWED.key] != TYPED:
            raise InputError(f"The link makes all say what {values[state.FOLLOWED.key]} says; a lesson takes {TYPED} only.")
        target = values[state.TARGET.key].strip()
    if values[state.COMPARE.key] == "searches":
        names = [name for name in values[state.COMPARED_SEARCHES.key] if name in SEARCHES]
        return {name: Query(f"{task}/{variant}", (text,), settings=SEARCHES[name], target=target) for name in names}
    if values[state.COMPARE.key] == "cells":
        raise InputError("The link compares cells; a lesson compares attention variants or searches.")
    settings = state.settings_of(values)
    return {name: Query(f"{task}/{name}", (text,), settings=settings, target=target) for name in values[state.COMPARED.key]}


def _caption(values: Values) -> dict[str, Query]:
    variant, tool, photo = values[state.CAPTION_MODEL.key], values[state.PHOTO_TOOL.key], values[state.PHOTO.key]
    settings = state.settings_of(values)

    def asked(name: str, settings: DecodeSettings) -> Query:
        if name != "hard":  # only hard attention has glimpses, and only then does their seed count
            settings = replace(settings, glimpse="argmax", seed=settings.seed if settings.search == "sample" else 0)
        return Query(f"captioning/{name}", (Asset("photo", photo),), settings=settings)

    if tool == "compare variants":
        return {name: asked(name, settings) for name in values[state.PHOTO_MODELS.key]}
    if tool == "glimpses" and variant == "hard":
        drawn = replace(settings, glimpse="sample", seed=values[state.SEED.key])
        exact = replace(settings, glimpse="expected", seed=settings.seed if settings.search == "sample" else 0)
        return {"sampled glimpses": asked(variant, drawn), "exact expectation": asked(variant, exact)}
    return {variant: asked(variant, settings)}


def _language_model(values: Values) -> dict[str, Query]:
    variant, part = values[state.LANGUAGE_MODEL.key], values[state.LANGUAGE_PART.key]
    if part == "score":
        return {variant: Query(f"language/{variant}", target=values[state.SCORED.key].strip())}
    if part != "generate":
        raise InputError(f"The link shows {part!r} of the language model; a lesson takes generate or score.")
    return {variant: Query(f"language/{variant}", prompt=values[state.BEGINNING.key].strip(), settings=state.settings_of(values))}


PAGES: Mapping[str, Callable[[Values], dict[str, Query]]] = {
    "translate": _translate,
    "transliterate": _transliterate,
    "caption": _caption,
    "language_model": _language_model,
    "compare": _compare,
    "how_it_works": _how_it_works,
    "steer": _steer,
}
