"""What a recipe changes in its training pairs, anew in every epoch: names and numbers on both sides, the typing on the source's."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import get_args

from seq2seq_core.errors import InputError
from seq2seq_core.training.careless import in_plain_letters, unfinished, with_slip, without_commas
from seq2seq_core.training.readers import held_out, read_lines, read_pairs
from seq2seq_core.training.renaming import Names, Pair, Place, Renamer, exchanged

# The languages whose names the package has in Latin letters, German and Turkish ones more than once, so that they are drawn more often.
# Of others it has the names in other scripts: people.tsv makes up for them.
_LOCALES = (
    "de_DE", "de_DE", "de_DE", "de_DE", "de_AT", "de_AT", "de_CH", "de_CH", "tr_TR", "tr_TR", "en_GB", "en_US", "en_IN", "en_PK", "en_KE",
    "fr_FR", "fr_DZ", "it_IT", "es_ES", "es_MX", "pt_PT", "nl_NL", "sv_SE", "fi_FI", "pl_PL", "cs_CZ", "sk_SK", "sl_SI", "hr_HR", "hu_HU",
    "ro_RO", "az_AZ", "uz_UZ", "id_ID", "ha_NG", "yo_NG", "tw_GH", "sw",
)  # fmt: skip
_FEWEST = 10  # names a language needs, as it is drawn as often as the others
_KINDS = ("women", "men", "surnames")
PEOPLE, PLACES, SENTENCES = "people.tsv", "places.tsv", "sentences.tsv"


@dataclass(frozen=True, slots=True)
class Augmentation:
    """[augmentation] of a recipe. Every number but `written` is a share between 0 and 1; nothing is changed by default."""

    names: float = 0.0  # of the pairs with a known person or place on both sides: those exchanged
    numbers: float = 0.0  # of the pairs with a number on both sides
    written: int = 0  # how often an epoch sees our own sentences, each time with other names
    unfinished: float = 0.0  # of the sources: without the last sign, half of them without commas too
    small: float = 0.0  # of the sources: in small letters
    plain: float = 0.0  # of the sources: ss for ß, ae for ä
    slips: float = 0.0  # of the sources: one slip of the finger
    lists: str = "names"  # the folder of people.tsv, places.tsv and sentences.tsv, beside the recipe

    def __post_init__(self) -> None:
        for name in ("names", "numbers", "unfinished", "small", "plain", "slips"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise InputError(f"{name} is {value!r}; it must be a share between 0 and 1.")
        if not 0 <= self.written <= 10_000:
            raise InputError(f"written is {self.written!r}; it must be between 0 and 10000.")

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self) if field.name != "lists")


NOTHING = Augmentation()


class Augmenter:
    """The training pairs of an epoch. The same seed gives the same pairs."""

    def __init__(self, settings: Augmentation, pairs: Sequence[Pair], folder: Path) -> None:
        self.settings = settings
        self.pairs = pairs
        self._renamer = Renamer(read_names(folder))
        self._written = read_pairs(folder / SENTENCES) * settings.written
        self._found = [self._renamer.find(pair) for pair in pairs]
        self._found_written = [self._renamer.find(pair) for pair in self._written]

    def epoch(self, seed: int) -> list[Pair]:
        rng, settings = random.Random(seed), self.settings
        rows = exchanged(self.pairs, self._found, self._renamer, settings.names, settings.numbers, rng)
        rows += exchanged(self._written, self._found_written, self._renamer, 1.0, 1.0, rng)
        return [(carelessly(source, target, settings, rng), target) for source, target in rows]


def carelessly(source: str, target: str, settings: Augmentation, rng: random.Random) -> str:
    """A source as somebody in a hurry types it: each carelessness is drawn by itself."""
    if rng.random() < settings.plain:
        source = in_plain_letters(source, target)
    if rng.random() < settings.slips:
        source = with_slip(source, target, rng)
    if rng.random() < settings.unfinished:
        source = unfinished(source)
        if rng.random() < 0.5:
            source = without_commas(source)
    return source.lower() if rng.random() < settings.small else source


def read_names(folder: Path) -> Names:
    """Our lists, and those of the package `faker`. Names that are held out are left out: a test can ask for a name never seen."""
    found: dict[str, list[tuple[str, ...]]] = {kind: [] for kind in (*_KINDS, "cities")}
    for number, line in enumerate(read_lines(folder / PEOPLE), 1):
        kind, _, names = line.partition("\t")
        if kind not in _KINDS:
            raise InputError(f"{folder / PEOPLE}, line {number}: a line begins with {', '.join(_KINDS)}, not with {kind!r}.")
        found[kind].append(_trained(names.partition("\t")[2].split()))
    for locale in _LOCALES:
        for kind, listed in _of_package(locale).items():
            found[kind].append(_trained(listed))
    groups = {kind: tuple(names for names in lists if len(names) >= _FEWEST) for kind, lists in found.items()}
    known = _places(folder / PLACES)
    alike, other = _by_spelling(known, "city")
    copied = (alike, *(tuple((name, name) for name in names if name not in known) for names in groups["cities"]))
    cities = (*copied, *[other] * len(copied))
    return Names(groups["women"], groups["men"], groups["surnames"], cities, _by_spelling(known, "country"), known)


def _places(path: Path) -> dict[str, tuple[str, Place]]:
    known: dict[str, tuple[str, Place]] = {}
    for number, line in enumerate(read_lines(path), 1):
        kind, *forms = line.split("\t")
        if kind not in get_args(Place) or len(forms) != 2:
            raise InputError(f"{path}, line {number}: a line must be city or country TAB German name TAB English name.")
        known[forms[0]] = forms[1], kind  # type: ignore[assignment]
    return known


def _by_spelling(known: Mapping[str, tuple[str, Place]], wanted: Place) -> tuple[tuple[Pair, ...], ...]:
    """Those spelt alike, of which a tenth is held out, and those that have an English name: that Wien is Vienna has to be seen."""
    places = [(german, english) for german, (english, kind) in known.items() if kind == wanted]
    alike = tuple(pair for pair in places if pair[0] == pair[1] and not held_out(pair[0]))
    return alike, tuple(pair for pair in places if pair[0] != pair[1])


def _trained(names: Sequence[str]) -> tuple[str, ...]:
    """Those in Latin letters that are not held out. Blanks and hyphens may be in them: Bad Ems, Ann-Kathrin."""
    latin = {
        name for name in names if re.fullmatch(r"[^\W\d_]+(?:[ -][^\W\d_]+){0,2}", name) and name[0].isupper() and ord(max(name)) < 0x250
    }
    return tuple(sorted(name for name in latin if not held_out(name)))


def _of_package(locale: str) -> dict[str, list[str]]:
    people = _provider(f"person.{locale}")
    places = _provider(f"address.{locale}") if find_spec(f"faker.providers.address.{locale}") else None

    def gather(provider: object, *lists: str) -> list[str]:
        return list(chain.from_iterable(getattr(provider, name, None) or () for name in lists))

    return {
        "women": gather(people, "first_names_female"),
        "men": gather(people, "first_names_male"),
        "surnames": gather(people, "last_names", "last_names_female", "last_names_male"),
        "cities": gather(places, "cities"),
    }


def _provider(name: str) -> object:
    try:
        provider: object = import_module(f"faker.providers.{name}").Provider
    except ImportError:
        raise InputError(
            "The recipe exchanges names, for which the package faker is needed: pip install -r requirements-dev.txt."
        ) from None
    return provider
