"""Names and numbers in training pairs: exchanged for others, and always the same on both sides."""

from __future__ import annotations

import random
import re

import pytest

from seq2seq_core.training.renaming import NUMBERS, Names, Pair, Renamer, exchanged, number_in_words, renumbered, replaced

KNOWN = {"Wien": ("Vienna", "city"), "Ulm": ("Ulm", "city"), "Boston": ("Boston", "city"), "Japan": ("Japan", "country")}
NAMES = Names(
    women=(("Anna", "Aylin"), ("Iris",)),
    men=(("Emre",), ("Jonas", "Luis")),
    surnames=(("Kowal", "Groß"), ("Yıldız",)),
    cities=((("Ulm", "Ulm"),), (("Wien", "Vienna"),)),
    countries=((("Ungarn", "Hungary"),),),
    known=KNOWN,  # type: ignore[arg-type]
)
RENAMER = Renamer(NAMES)


def renamed(pair: Pair, seed: int) -> Pair:
    return RENAMER.exchange(pair, RENAMER.find(pair), random.Random(seed))


@pytest.mark.parametrize(
    ("old", "new", "pair", "wanted"),
    [
        (
            ("Tom", "Tom"),
            ("Emre", "Emre"),
            ("Toms Hund mag Tom.", "Tom's dog likes Tom."),
            ("Emres Hund mag Emre.", "Emre's dog likes Emre."),
        ),
        (("Tom", "Tom"), ("Iris", "Iris"), ("Das ist Toms Rad.", "This is Tom's bike."), ("Das ist Iris’ Rad.", "This is Iris's bike.")),
        (("Tom", "Tom"), ("Emre", "Emre"), ("Tomaten für Tom", "Tomatoes for Tom"), ("Tomaten für Emre", "Tomatoes for Emre")),
        (("Maria", "Mary"), ("Anna", "Anna"), ("Marias Rad, Maria!", "Mary's bike, Mary!"), ("Annas Rad, Anna!", "Anna's bike, Anna!")),
        (("Iris", "Iris"), ("Emre", "Emre"), ("Iris’ Rad", "Iris's bike"), ("Emres Rad", "Emre's bike")),
        (("Iris", "Iris"), ("Emre", "Emre"), ("‚Er heißt Iris’", "‘He is Iris’"), ("‚Er heißt Emres", "‘He is Emre’")),
        (("Japan", "Japan"), ("Ungarn", "Hungary"), ("Japans Küche", "Japan's cuisine"), ("Ungarns Küche", "Hungary's cuisine")),
    ],
)
def test_a_name_is_exchanged_with_the_endings_it_needs(old: Pair, new: Pair, pair: Pair, wanted: Pair) -> None:
    assert replaced(pair, old, new) == wanted


@pytest.mark.parametrize(
    "pair",
    [
        ("Tom wohnt in Boston.", "Tom lives in Boston."),
        ("Ich habe Toms Schwester in Wien getroffen.", "I met Tom's sister in Vienna."),
        ("Maria fliegt nach Japan.", "Mary is flying to Japan."),
        ("Kennen Sie Herrn Jackson?", "Do you know Mr. Jackson?"),
        ("Tom und Maria besuchen Frau Jackson.", "Tom and Mary are visiting Ms. Jackson."),
    ],
)
def test_what_is_put_in_stands_on_both_sides_and_what_was_there_on_neither(pair: Pair) -> None:
    put_in = [*NAMES.women[0], *NAMES.women[1], *NAMES.men[0], *NAMES.men[1], *NAMES.surnames[0], *NAMES.surnames[1]]
    outcomes = {renamed(pair, seed) for seed in range(200)}
    assert len(outcomes) > 1
    for german, english in outcomes:
        assert not re.search(r"Tom|Maria|Mary|Boston|Japan|Jackson", german + english)
        assert {name for name in put_in if name in german} == {name for name in put_in if name in english} or "Wien" in german
        assert ("Wien" in german, "Ulm" in german, "Ungarn" in german) == ("Vienna" in english, "Ulm" in english, "Hungary" in english)


def test_a_man_stays_a_man_where_the_translation_says_he() -> None:
    told = {renamed(("Tom sagt, er schläft.", "Tom says that he is asleep."), seed)[0].split()[0] for seed in range(200)}
    assert "Herr" in told and "Frau" not in told and not told & {"Anna", "Aylin", "Iris"}
    free = {renamed(("Tom schläft.", "Tom is asleep."), seed)[0].split()[0] for seed in range(200)}
    assert {"Herr", "Frau", "Anna", "Emre"} <= free


def test_herr_is_declined_after_a_preposition_and_in_the_genitive_and_never_guessed_elsewhere() -> None:
    def germans(*pair: str) -> set[str]:
        return {renamed((pair[0], pair[1]), seed)[0] for seed in range(300)}

    assert any("mit Herrn " in text for text in germans("Ich gehe mit Tom.", "I walk with Tom."))
    assert any(text.startswith("Herrn Kowals Rad") for text in germans("Toms Rad ist neu.", "Tom's bike is new."))
    assert not any("Herr" in text for text in germans("Ich sah Tom.", "I saw Tom."))


def test_a_name_that_the_translation_does_not_have_stays() -> None:
    for pair in [("Tom schläft.", "He is asleep."), ("Johannes schläft.", "Johnny is asleep."), ("Ich war in Wien.", "I was there.")]:
        assert renamed(pair, 1) == pair


def test_numbers_in_words() -> None:
    assert number_in_words(2) == ("zwei", "two") and number_in_words(17) == ("siebzehn", "seventeen")
    assert number_in_words(30) == ("dreißig", "thirty") and number_in_words(47) == ("siebenundvierzig", "forty-seven")
    assert len(NUMBERS) == 98 and NUMBERS["einundzwanzig"] == "twenty-one" and NUMBERS["neunundneunzig"] == "ninety-nine"


@pytest.mark.parametrize(
    ("pair", "german", "english"),
    [
        (("Es ist 14.30 Uhr.", "It's 2:30 p.m."), r"Es ist (\d+)\.(\d\d) Uhr\.", r"It's (\d+):(\d\d) p\.m\."),
        (("Um 7:45 Uhr.", "At 7:45."), r"Um (\d+):(\d\d) Uhr\.", r"At (\d+):(\d\d)\."),
    ],
)
def test_a_time_keeps_its_half_of_the_day(pair: Pair, german: str, english: str) -> None:
    shift = int(pair[0].split(".")[0].split()[-1] == "14") * 12
    seen = set()
    for seed in range(100):
        source, target = renumbered(pair, random.Random(seed))
        here, there = re.fullmatch(german, source), re.fullmatch(english, target)
        assert here and there and int(here[1]) == int(there[1]) + shift and here[2] == there[2] and 1 <= int(there[1]) <= 11
        seen.add(source)
    assert len(seen) > 30


def test_numbers_are_the_same_on_both_sides_and_of_their_kind() -> None:
    rng = random.Random(3)
    for _ in range(300):
        source, target = renumbered(("Es geschah 1987 in Raum 34.", "It happened in 1987 in room 34."), rng)
        assert re.findall(r"\d+", source) == re.findall(r"\d+", target)
        year, room = map(int, re.findall(r"\d+", source))
        assert 1400 <= year < 2040 and 10 <= room < 100
        source, target = renumbered(("Sie hat zwei Katzen.", "She has two cats."), rng)
        assert NUMBERS[source.split()[2]] == target.split()[2]
        source, target = renumbered(("Sie kommt um halb drei.", "She's coming at 2:30."), rng)
        half = next(number for number in range(2, 13) if number_in_words(number)[0] == source[:-1].split()[-1])
        assert target == f"She's coming at {half - 1}:30."
        assert 2 <= int(re.findall(r"\d+", renumbered(("Am 22. Mai.", "On May 22."), rng)[0])[0]) <= 31


@pytest.mark.parametrize(
    "pair",
    [
        ("Drei sind 3.", "Three are three."),
        ("Es sind 20 Grad und 20 Leute.", "It's 20 degrees and there are 20 people."),
        ("Das kostet 1.500 Euro.", "That costs 1,500 euros."),
        ("Um halb drei.", "At half past two."),
        ("Ich habe ein Rad.", "I have one bike."),
        ("Nur 1 Tag.", "Only 1 day."),
    ],
)
def test_what_does_not_stand_once_on_both_sides_stays(pair: Pair) -> None:
    assert renumbered(pair, random.Random(1)) == pair


def test_shares_decide_how_many_pairs_change() -> None:
    pairs = [("Tom schläft.", "Tom is asleep.")] * 400
    found = [RENAMER.find(pair) for pair in pairs]
    assert exchanged(pairs, found, RENAMER, 0.0, 1.0, random.Random(1)) == pairs
    changed = sum("Tom" not in pair[0] for pair in exchanged(pairs, found, RENAMER, 0.5, 0.0, random.Random(1)))
    assert 150 < changed < 250
