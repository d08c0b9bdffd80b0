"""Names and numbers of a German-English pair exchanged for others, the same on both sides: so a model learns to copy."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

Pair = tuple[str, str]
Gender = Literal["f", "m"]
T = TypeVar("T")
Place = Literal["city", "country"]
Groups = tuple[tuple[str, ...], ...]  # one group a language: a language is drawn first, so that no long list outweighs the others

_WORD = re.compile(r"[^\W\d_]+")
_HE = re.compile(r"\b(?:he|him|his|himself|man|boy|father|husband|brother|son|uncle|grandfather|king|boyfriend|guy)\b", re.IGNORECASE)
_SHE = re.compile(r"\b(?:she|her|hers|herself|woman|girl|mother|wife|sister|daughter|aunt|grandmother|queen|girlfriend)\b", re.IGNORECASE)
_TITLED = re.compile(r"\b(?:Herrn?|Frau) ([A-ZÄÖÜ]\w+)")
_TITLE = r"\b(?:Mr|Ms|Mrs|Miss)\.? {}\b"
_BEFORE_HERRN = re.compile(r"\b(?:mit|von|zu|bei|für|ohne|an|auf|über|nach|gegen|neben|hinter|vor) $")
_CLOCK = re.compile(r"\b(\d{1,2})[.:](\d\d)\b")
_FIGURES = re.compile(r"(?<![\d.,:])[1-9]\d{0,3}(?![\d.,:]*\d)")
_HALF = re.compile(r"\bhalb (\w+)\b")

# The people of the corpus: German name -> its English forms, and whether it is a woman's or a man's.
PEOPLE: Mapping[str, tuple[tuple[str, ...], Gender]] = {
    "Tom": (("Tom",), "m"),
    "Johannes": (("John",), "m"),
    "John": (("John",), "m"),
    "Maria": (("Mary", "Maria"), "f"),
    "Mary": (("Mary",), "f"),
    "Alice": (("Alice",), "f"),
}
_SMALL: Mapping[str, str] = {
    "ein": "one", "zwei": "two", "drei": "three", "vier": "four", "fünf": "five", "sechs": "six", "sieben": "seven", "acht": "eight",
    "neun": "nine", "zehn": "ten", "elf": "eleven", "zwölf": "twelve", "dreizehn": "thirteen", "vierzehn": "fourteen",
    "fünfzehn": "fifteen", "sechzehn": "sixteen", "siebzehn": "seventeen", "achtzehn": "eighteen", "neunzehn": "nineteen",
}  # fmt: skip
_TENS: Mapping[str, str] = {
    "zwanzig": "twenty", "dreißig": "thirty", "vierzig": "forty", "fünfzig": "fifty", "sechzig": "sixty", "siebzig": "seventy",
    "achtzig": "eighty", "neunzig": "ninety",
}  # fmt: skip
_IN_WORDS = [*_SMALL.items()]
_IN_WORDS += [
    pair
    for ten, english in _TENS.items()
    for pair in [(ten, english), *((f"{one}und{ten}", f"{english}-{other}") for one, other in list(_SMALL.items())[:9])]
]


def number_in_words(number: int) -> Pair:
    """A number from 1 to 99 in German and English."""
    return _IN_WORDS[number - 1]


NUMBERS: Mapping[str, str] = dict(_IN_WORDS[1:])
_HOURS = {number_in_words(number)[0]: number for number in range(2, 13)}


@dataclass(frozen=True, slots=True)
class Names:
    """What may be put in: first names, surnames, and places as (German, English); and the places to look for, some of which may not."""

    women: Groups
    men: Groups
    surnames: Groups
    cities: tuple[tuple[Pair, ...], ...]  # groups of those spelt alike, to be copied, and of those with an English name, to be known
    countries: tuple[tuple[Pair, ...], ...]
    known: Mapping[str, tuple[str, Place]]  # German place -> its English form, and what it is


@dataclass(frozen=True, slots=True)
class Found:
    """What of a pair can be exchanged: people and places as (German, English) forms, and whether there are numbers."""

    people: tuple[tuple[str, str, Gender], ...] = ()
    surnames: tuple[str, ...] = ()
    places: tuple[Pair, ...] = ()
    numbers: bool = False


class Renamer:
    """Exchanges what it finds; everything that is drawn comes from the generator it is given."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def find(self, pair: Pair) -> Found:
        german, english = pair
        words, others = _WORD.findall(german), set(_WORD.findall(english))
        people: dict[str, tuple[str, Gender]] = {}
        places: dict[str, str] = {}
        for word in words:
            for form in (word, word.removesuffix("s")):
                if form in PEOPLE:
                    here = [name for name in PEOPLE[form][0] if name in others]
                    if here:
                        people[form] = here[0], PEOPLE[form][1]
                elif form in self.names.known and self.names.known[form][0] in others:
                    places[form] = self.names.known[form][0]
        surnames = [name for name in _TITLED.findall(german) if re.search(_TITLE.format(name), english)]
        return Found(
            tuple((name, *told) for name, told in people.items() if name not in surnames),
            tuple(dict.fromkeys(surnames)),
            tuple(places.items()),
            any(sign.isdigit() for sign in german + english) or not NUMBERS.keys().isdisjoint(words),
        )

    def exchange(self, pair: Pair, found: Found, rng: random.Random) -> Pair:
        """People and places of a pair for others. They all go, or an old name beside a new one would be learnt as one person."""
        for german, english, gender in found.people:
            pair = self._exchange_person(pair, german, english, gender, rng)
        for surname in found.surnames:
            new = self._surname(rng)
            pair = replaced(pair, (surname, surname), (new, new))
        for german, english in found.places:
            kind = self.names.cities if self.names.known[german][1] == "city" else self.names.countries
            pair = replaced(pair, (german, english), one_of(kind, rng))
        return pair

    def _exchange_person(self, pair: Pair, german: str, english: str, gender: Gender, rng: random.Random) -> Pair:
        if gender == "m" and not _HE.search(pair[1]) and rng.random() < 0.5:
            gender = "f"
        elif gender == "f" and not _SHE.search(pair[1]) and rng.random() < 0.5:
            gender = "m"
        kind = rng.random()
        if kind < 0.12 and pair[0].count(german) == 1:
            return self._with_title(pair, german, english, gender, rng)
        new = one_of(self.names.women if gender == "f" else self.names.men, rng)
        if kind < 0.24:
            new = f"{new} {self._surname(rng)}"
        elif kind < 0.30:
            new = self._surname(rng)
        return replaced(pair, (german, english), (new, new))

    def _with_title(self, pair: Pair, german: str, english: str, gender: Gender, rng: random.Random) -> Pair:
        name = self._surname(rng)
        if gender == "f":
            return replaced(pair, (german, english), (f"Frau {name}", f"Ms. {name}"))
        before = pair[0][: pair[0].index(german)]
        genitive = re.search(rf"\b{german}s\b", pair[0]) is not None
        title = "Herrn" if genitive or _BEFORE_HERRN.search(before) else "Herr"
        if before and title == "Herr":  # an object would be "Herrn", and nothing here knows objects
            return replaced(pair, (german, english), (name, name))
        return replaced(pair, (german, english), (f"{title} {name}", f"Mr. {name}"))

    def _surname(self, rng: random.Random) -> str:
        return one_of(self.names.surnames, rng)


def one_of(groups: Sequence[Sequence[T]], rng: random.Random) -> T:
    return rng.choice(rng.choice(groups))


def replaced(pair: Pair, old: Pair, new: Pair) -> Pair:
    """The pair with a name exchanged; a German genitive gets the ending that the new name asks for."""

    def german(match: re.Match[str]) -> str:
        if not match[1]:
            return new[0]
        return new[0] + ("’" if new[0][-1] in "sßxz" else "s")

    source = re.sub(rf"\b{re.escape(old[0])}(s|['’](?!\w))?(?!\w)", german, pair[0])
    return source, re.sub(rf"\b{re.escape(old[1])}\b", lambda _: new[1], pair[1])


def renumbered(pair: Pair, rng: random.Random) -> Pair:
    """Times, figures and numbers in words that stand once on both sides, exchanged for others of their kind."""
    for change in (_other_time, _other_half_hour, _other_figures, _other_words):
        pair = change(pair, rng)
    return pair


def _other_time(pair: Pair, rng: random.Random) -> Pair:
    """14.30 Uhr and 2:30: the hour stays in its half of the day, because a p.m. may follow."""
    here, there = _CLOCK.findall(pair[0]), _CLOCK.findall(pair[1])
    if len(here) != 1 or len(there) != 1 or here[0][1] != there[0][1] or (int(here[0][0]) - int(there[0][0])) not in (0, 12):
        return pair
    shift, hour, minute = int(here[0][0]) - int(there[0][0]), rng.randint(1, 11), f"{rng.randrange(0, 60, 5):02}"
    source = _CLOCK.sub(lambda match: f"{hour + shift}{match[0][len(match[1])]}{minute}", pair[0])
    return source, _CLOCK.sub(lambda _: f"{hour}:{minute}", pair[1])


def _other_half_hour(pair: Pair, rng: random.Random) -> Pair:
    """halb drei and 2:30."""
    half = _HALF.search(pair[0])
    hour = _HOURS.get(half[1]) if half else None
    if hour is None or pair[1].count(f"{hour - 1}:30") != 1:
        return pair
    new = rng.randint(2, 12)
    return _HALF.sub(f"halb {number_in_words(new)[0]}", pair[0]), pair[1].replace(f"{hour - 1}:30", f"{new - 1}:30")


def _other_figures(pair: Pair, rng: random.Random) -> Pair:
    """Figures of up to four digits; a year stays a year, and one is no plural."""
    here, there = _FIGURES.findall(pair[0]), _FIGURES.findall(pair[1])
    for old in here:
        if here.count(old) != 1 or there.count(old) != 1 or old == "1":
            continue
        new = str(rng.randint(*_range(old, pair[0])))
        pair = re.sub(rf"\b{old}\b", new, pair[0]), re.sub(rf"\b{old}\b", new, pair[1])
    return pair


def _range(figures: str, source: str) -> tuple[int, int]:
    if 1400 <= int(figures) < 2040:
        return 1400, 2039
    if int(figures) <= 31 and f"{figures}. " in source:  # a day of the month
        return 2, 31
    return max(2, 10 ** (len(figures) - 1)), 10 ** len(figures) - 1


def _other_words(pair: Pair, rng: random.Random) -> Pair:
    """zwei and two: up to twelve where it may be an hour, and mostly where it was; else up to ninety-nine."""
    german = [word for word in _WORD.findall(pair[0]) if word in NUMBERS]
    if len(german) != 1 or _HALF.search(pair[0]):
        return pair
    old, words = german[0], re.findall(r"[a-z]+(?:-[a-z]+)?", pair[1])
    if words.count(NUMBERS[old]) != 1:
        return pair
    few = old in _HOURS
    small = few and ("Uhr" in pair[0] or "o'clock" in pair[1] or f"at {NUMBERS[old]}" in pair[1] or rng.random() < 0.8)
    new = number_in_words(rng.randint(2, 12 if small else 99))
    return re.sub(rf"\b{old}\b", new[0], pair[0]), re.sub(rf"\b{NUMBERS[old]}\b(?!-)", new[1], pair[1])


def exchanged(
    pairs: Sequence[Pair], found: Sequence[Found], renamer: Renamer, names: float, numbers: float, rng: random.Random
) -> list[Pair]:
    """Of the pairs with something to exchange, a share `names` with other names and a share `numbers` with other numbers."""
    rows = []
    for pair, here in zip(pairs, found, strict=True):
        if (here.people or here.surnames or here.places) and rng.random() < names:
            pair = renamer.exchange(pair, here, rng)
        if here.numbers and rng.random() < numbers:
            pair = renumbered(pair, rng)
        rows.append(pair)
    return rows
