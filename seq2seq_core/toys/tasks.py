"""Small tasks made on the spot, seeded: copy, reverse, sort, dates, numbers, scenes; and a person's own pairs, checked line by line."""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from seq2seq_core.config import Wiring
from seq2seq_core.errors import InputError
from seq2seq_core.toys import scenes

Pair = tuple[str, str]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
HELD_OUT = 16  # one source in so many is never trained on
TRIES = 200
ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
FIRST_DAY, DAYS = date(1900, 1, 1), 73_000  # to the end of 2099


@dataclass(frozen=True, slots=True)
class Toy:
    """One task. `make` gives a new pair of a wanted length; what the length counts is the task's affair."""

    name: str
    title: str
    about: str  # one sentence for the page
    example: str  # a source to watch while it learns
    make: Callable[[random.Random, int], Pair]
    answer: Callable[[str], str | None]  # the right output for a source a person typed; None: it is none of this task's sources
    lengths: tuple[int, int]  # shortest and longest that training draws
    unit: Literal["characters", "words"] = "characters"  # how the output is cut
    source: Literal["text", "image"] = "text"
    steps: int = 1000  # as many as it takes to learn it
    wiring: Wiring = "output"  # input: the decoder's state knows where it looked before

    @property
    def task(self) -> str:
        if self.source == "image":
            return "captioning"
        return "transliteration" if self.unit == "characters" else "translation"


def _letters(rng: random.Random, length: int) -> str:
    return "".join(rng.choice(LETTERS) for _ in range(length))


def of_letters(rewrite: Callable[[str], str]) -> tuple[Callable[[random.Random, int], Pair], Callable[[str], str | None]]:
    """How a task on letters makes a pair, and its answer to a typed source."""

    def make(rng: random.Random, length: int) -> Pair:
        text = _letters(rng, length)
        return text, rewrite(text)

    def answer(text: str) -> str | None:
        return rewrite(text) if text and set(text) <= set(LETTERS) else None

    return make, answer


def ordinal(day: int) -> str:
    ending = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def dates(rng: random.Random, length: int) -> Pair:
    """One of six ways to write a day of 1900 to 2099; the formats differ in length, so `length` chooses one."""
    day = FIRST_DAY + timedelta(days=rng.randrange(DAYS))
    month, number = MONTHS[day.month - 1], ordinal(day.day)
    written = (
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day} {month[:3]} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{number} {month} {day.year}",
        f"{number} of {month} {day.year}",
        f"the {number} of {month}, {day.year}",
    )
    return written[length], day.isoformat()


def read_date(text: str) -> str | None:
    """The answer for a typed date: the one day of the range that is written so in some format."""
    words = re.findall(r"[A-Za-z]+|\d+", text)
    if len(words) == 3 and all(word.isdigit() for word in words):
        day, month, year = map(int, words)
    else:
        months = [n for n, name in enumerate(MONTHS, 1) for word in words if word in (name, name[:3])]
        figures = [int(word) for word in words if word.isdigit()]
        if len(months) != 1 or len(figures) != 2:
            return None
        (month,), (day, year) = months, figures
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def number_words(number: int) -> str:
    """A whole number below a thousand million, as read aloud."""
    for size, name in ((1_000_000, "million"), (1_000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = number % size
            return f"{number_words(number // size)} {name}" + (f" {number_words(rest)}" if rest else "")
    if number < len(ONES):
        return ONES[number]
    tens, ones = divmod(number, 10)
    return TENS[tens - 2] + (f" {ONES[ones]}" if ones else "")


def numbers(rng: random.Random, length: int) -> Pair:
    number = rng.randrange(10 ** (length - 1) if length > 1 else 0, 10**length)
    return str(number), number_words(number)


def read_number(text: str) -> str | None:
    return number_words(int(text)) if text.isascii() and text.isdigit() and len(text) <= 9 else None


def read_sentence(text: str) -> str:
    return scenes.sentence(scenes.scene_of(text))


def shapes(rng: random.Random, length: int) -> Pair:  # noqa: ARG001  every scene has two things
    """The source says which scene it is: look and cell of both things."""
    scene = scenes.make_scene(rng)
    return " ".join(f"{thing.look}@{thing.cell}" for thing in scene), scenes.sentence(scene)


def read_scene(source: str) -> scenes.Scene:
    first, second = (scenes.Thing(*map(int, thing.split("@"))) for thing in source.split())
    return first, second


TOYS: Mapping[str, Toy] = {
    toy.name: toy
    for toy in (
        Toy("copy", "Copy", "Write the letters again.", "attention", *of_letters(str), lengths=(2, 16), steps=1000),
        Toy(
            "reverse",
            "Reverse",
            "Write the letters backwards.",
            "attention",
            *of_letters(lambda text: text[::-1]),
            lengths=(2, 16),
            steps=1000,
        ),
        Toy(
            "sort",
            "Sort",
            "Write the letters in alphabetical order.",
            "attention",
            *of_letters(lambda text: "".join(sorted(text))),
            lengths=(2, 16),
            steps=1500,
        ),
        Toy("dates", "Dates", "Write a date as year, month, day.", "3rd of March 2021", dates, read_date, (0, 5), steps=1000),
        Toy("numbers", "Numbers", "Write a number in words.", "40217", numbers, read_number, (1, 8), unit="words", steps=1500),
        Toy(
            "shapes",
            "Shapes",
            "Say what is in the picture.",
            "a red circle left of a blue square",
            shapes,
            read_sentence,
            (1, 1),
            "words",
            "image",
            steps=1600,
            wiring="input",
        ),
    )
}


def toy_named(name: str) -> Toy:
    if name not in TOYS:
        raise InputError(f"There is no task {name!r}; it must be one of {', '.join(TOYS)}.")
    return TOYS[name]


def is_held_out(source: str) -> bool:
    """Whether a source is for testing alone; the same one on every machine."""
    return zlib.crc32(source.encode()) % HELD_OUT == 0


def draw(toy: Toy, count: int, seed: int, held_out: bool = False) -> list[Pair]:
    """Pairs of evenly spread lengths, of which none is in both the training and the held-out part."""
    rng = random.Random(f"{toy.name} {seed} {held_out}")
    low, high = toy.lengths
    pairs: list[Pair] = []
    length = low
    while len(pairs) < count:
        if not held_out:
            length = rng.randint(low, high)
        for _ in range(TRIES):  # a short length may have no source of that part at all
            pair = toy.make(rng, length)
            if is_held_out(pair[0]) is held_out:
                pairs.append(pair)
                break
        length = low + (length - low + 1) % (high - low + 1)
    return pairs


def _spell_out(toy: Toy) -> Iterator[Pair]:
    """Pairs in which every symbol of a task occurs, to make its vocabularies from."""
    low, high = toy.lengths
    if toy.make is dates:
        for number in range(800):
            yield dates(random.Random(number), low + number % (high - low + 1))
    elif toy.make is numbers:
        yield from ((str(number), number_words(number)) for number in (*range(1000), *range(1000, 10**high, 10**high // 997)))
    elif toy.make is shapes:
        yield from draw(toy, 500, 0)
    else:
        yield LETTERS, LETTERS


def vocabulary_lines(toy: Toy) -> tuple[list[str], list[str]]:
    pairs = list(_spell_out(toy))
    return [source for source, _ in pairs], [target for _, target in pairs]


# -- a person's own pairs -----------------------------------------------------------------------------------------------

FEWEST_PAIRS, MOST_PAIRS, LONGEST_SIDE = 20, 50_000, 120  # so many take a process 400 MB
Progress = Callable[[float], None]


def read_own(text: str, progress: Progress = lambda _: None) -> list[Pair]:
    """Pairs from lines `source TAB target` (or `source -> target`, for a keyboard); the first bad line is named."""
    lines = text.removeprefix("\ufeff").split("\n")
    pairs: list[Pair] = []
    for number, line in enumerate(lines, 1):
        if number % 5000 == 0:
            progress(number / len(lines))
        line = line.rstrip("\r")
        if line.strip():
            pairs.append(_own_pair(number, line))
    if not FEWEST_PAIRS <= len(pairs) <= MOST_PAIRS:
        raise InputError(f"There are {len(pairs):,} pairs; it takes from {FEWEST_PAIRS} to {MOST_PAIRS:,}.")
    progress(1.0)
    return pairs


def _own_pair(number: int, line: str) -> Pair:
    parts = line.split("\t") if "\t" in line else line.split(" -> ")
    if len(parts) != 2:
        raise InputError(f"Line {number} has {len(parts)} field(s) instead of 2; it must be source TAB target (or source -> target).")
    for name, value in zip(("source", "target"), parts, strict=True):
        if not value.strip():
            raise InputError(f"Line {number}: the {name} is empty; fill it in or delete the line.")
        if len(value.strip()) > LONGEST_SIDE:
            raise InputError(f"Line {number}: the {name} has {len(value.strip())} characters; at most {LONGEST_SIDE} are allowed.")
        if not value.isprintable() and any(character < " " for character in value):
            raise InputError(f"Line {number}: the {name} holds a control character; remove it.")
    return parts[0].strip(), parts[1].strip()


def decode_upload(data: bytes) -> str:
    """An uploaded file's text; a byte that is not UTF-8 is named with its line."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"Line {line}: byte 0x{data[error.start]:02X} is not UTF-8; save the file as UTF-8.") from None


def split_own(pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Training and held-out pairs: one pair in ten, at most 200, spread over all of them."""
    every = max(10, len(pairs) // 200)
    return [pair for i, pair in enumerate(pairs) if i % every], [pair for i, pair in enumerate(pairs) if i % every == 0]
