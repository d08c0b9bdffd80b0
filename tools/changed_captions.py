"""Writes captions beside themselves, changed: python tools/changed_captions.py CAPTIONS.tsv... OUT.tsv

Lines `premise TAB hypothesis TAB entailment | neutral | contradiction`, to learn beside entailment what one word does. A hypothesis is the
caption with up to two changes that keep it true (a dog is an animal; what stands at the end is left out), and then one that decides:
none, one that says more than the premise (a hungry dog), or one that cannot be so (a cat; is not running). Many are turned round, so that
the hypothesis alone tells little. Captions are taken as descriptions of one scene, in which "a red car" excludes "a blue car".
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core.training.readers import read_captions

SEED = 1
LABELS = "entailment", "neutral", "contradiction", "contradiction"  # there is not one for every caption
# The words of a line exclude each other; after the bar what each of them is.
APART = """
man woman boy girl | person
man woman | adult person
boy girl | child kid
men women boys girls | people
boys girls | children kids
dog cat horse cow sheep elephant bear giraffe zebra bird duck monkey goat rabbit | animal
dogs cats horses cows elephants bears giraffes zebras birds ducks goats | animals
car bus truck train motorcycle bicycle boat airplane plane tractor | vehicle
cars buses trucks trains motorcycles boats airplanes planes | vehicles
pizza sandwich cake soup salad burger | food
apple banana orange pear lemon | fruit
carrot potato tomato onion | vegetable
broccoli carrots potatoes tomatoes onions | vegetables
guitar piano violin trumpet drum flute | instrument
tennis baseball soccer basketball golf hockey volleyball | sports
chair couch bed table bench |
red blue green yellow black white brown orange pink purple |
two three four five six | some several
sitting standing running walking lying sleeping jumping swimming dancing flying climbing |
sits stands runs walks lies sleeps jumps swims dances flies climbs |
eating drinking smoking singing |
running walking jumping climbing dancing swimming | moving
kitchen bathroom bedroom office store restaurant garden street beach forest park |
snow grass water sand mud dirt |
hat shirt jacket dress coat scarf |
wooden metal plastic stone glass |
young old |
little big |
small large |
tall short |
long short |
inside outside |
indoors outdoors |
happy sad |
smiling crying frowning |
wet dry |
open closed |
empty full |
male female |
left right |
above below under |
morning evening night |
day night |
winter summer |
alone together |
nobody somebody |
"""
# Words for the same.
SAME = (
    "man:guy couch:sofa bicycle:bike motorcycle:motorbike child:kid children:kids street:road large:big small:little photo:picture "
    "seated:sitting laying:lying rock:stone boat:ship"
)
# What a word may be more closely, and what may be said of it besides.
MORE = """
man: teacher doctor father tourist worker professional_man tired_man friendly_man rich_man
woman: teacher doctor mother tourist nurse professional_woman tired_woman famous_woman
person: man woman teacher tourist stranger tired_person
boy: student brother hungry_boy tired_boy clever_boy
girl: student sister hungry_girl tired_girl clever_girl
child: boy girl student tired_child
men: friends brothers workers tired_men
women: friends sisters workers tired_women
boys: friends brothers students tired_boys
girls: friends sisters students tired_girls
people: friends students tourists men women strangers tired_people
children: friends students boys girls tired_children
dog: puppy hungry_dog friendly_dog trained_dog lost_dog
cat: kitten hungry_cat friendly_cat old_cat
dogs: puppies hungry_dogs
horse: fast_horse tired_horse wild_horse
bird: hungry_bird rare_bird
car: new_car expensive_car rented_car
bus: late_bus school_bus
train: late_train fast_train
food: pizza hot_food cheap_food
shirt: new_shirt expensive_shirt
ball: new_ball expensive_ball
house: expensive_house old_house
bike: new_bike stolen_bike
"""
LATER = (
    "after work", "before lunch", "on a Sunday", "for the first time", "with a friend", "to win a prize", "after school", "in the morning",
    "during a holiday", "because it is late", "for fun", "in a competition", "while a friend is watching", "every day",
)  # fmt: skip
TAIL = re.compile(
    r"^(.{12,}?) (?:in|on|at|near|with|by|through|while|next to|in front of|wearing|holding|behind|beside|under|along) [^,]+$"
)
WORD = re.compile(r"[A-Za-z]+")
ARTICLE = re.compile(r"\ban? $", re.IGNORECASE)
DOING = re.compile(r"\b(?:is|are) (?=\w+ing\b)")
ONE_DOING = re.compile(r"(?:A|An|One) (\w+) is (\w+ing\b.*)$")
Table = Mapping[str, Sequence[str]]


def tables() -> tuple[Table, Table, Table]:
    """By word: those that it excludes, those that it implies, and those that say more."""
    apart: dict[str, list[str]] = {}
    implied: dict[str, list[str]] = {}
    for row in APART.strip().splitlines():
        words, above = (part.split() for part in row.split("|"))
        for word in words:
            apart.setdefault(word, []).extend(other for other in words if other != word)
            implied.setdefault(word, []).extend(above)
    for one, other in (pair.split(":") for pair in SAME.split()):
        implied.setdefault(one, []).append(other)
    rows = (row.split(": ") for row in MORE.strip().splitlines())
    return apart, implied, {word: [one.replace("_", " ") for one in more.split()] for word, more in rows}


EXCLUDED, IMPLIED, CLOSER = tables()


def exchanged(text: str, table: Table, rng: random.Random) -> str | None:
    """With a word that the table knows put in the place of another, and the article before it."""
    found = [match for match in WORD.finditer(text) if table.get(match[0].lower())]
    if not found:
        return None
    match = rng.choice(found)
    new = rng.choice(table[match[0].lower()])
    return _capital(ARTICLE.sub("an " if new[0] in "aeiou" else "a ", text[: match.start()]) + new + text[match.end() :])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def shortened(text: str) -> str | None:
    """Without what stands at the end."""
    found = TAIL.match(text)
    return found[1] if found else None


def denied(text: str, rng: random.Random) -> str | None:
    """Not so."""
    one, found = ONE_DOING.match(text), DOING.search(text)
    if one and rng.random() < 0.5:
        return rng.choice((f"There is no {one[1]} {one[2]}", f"Nobody is {one[2]}"))
    return f"{text[: found.end()]}not {text[found.end() :]}" if found else None


def further(text: str, rng: random.Random) -> str:
    """Saying more than was said."""
    return (exchanged(text, CLOSER, rng) if rng.random() < 0.75 else None) or f"{text} {rng.choice(LATER)}"


def still_true(text: str, rng: random.Random) -> str:
    for _ in range(rng.choice((0, 1, 1, 2))):
        text = (exchanged(text, IMPLIED, rng) if rng.random() < 0.5 else shortened(text)) or text
    return text


def changed(text: str, rng: random.Random) -> tuple[str, str, str] | None:
    """A premise, a hypothesis, and whether it follows; None where no word allows what was drawn."""
    kept, label, turned = still_true(text, rng), rng.choice(LABELS), rng.random() < 0.4
    if label == "entailment":
        return (further(kept, rng) if turned else text), kept, label
    if label == "neutral":
        return (kept, text, label) if turned and says_less(kept, text) else (text, further(kept, rng), label)
    said = denied(kept, rng) if rng.random() < 0.25 else exchanged(kept, EXCLUDED, rng)
    return None if said is None else (said, text, label) if turned and kept == text else (text, said, label)


def says_less(less: str, more: str) -> bool:
    """Words for the same say no less; a shorter text or a wider word does."""
    ours, theirs = less.lower().split(), more.lower().split()
    others = {f"{b}:{a}" for a, b in zip(ours, theirs, strict=False) if a != b}
    return len(ours) < len(theirs) or bool(others - set(SAME.split()))


def pairs(captions: Sequence[str], rng: random.Random) -> Iterator[tuple[str, str, str]]:
    for caption in captions:
        text = _capital(" ".join(caption.split()).rstrip(" ."))
        if 4 <= len(text.split()) <= 20 and "," not in text and (found := changed(text, rng)):
            yield found


def main(files: list[Path], count: int, out: Path) -> None:
    rng = random.Random(SEED)
    captions = [caption for file in files for known in read_captions(file, "train").values() for caption in known[:2]]
    rng.shuffle(captions)
    lines = [f"{premise}.\t{claim}.\t{label}\n" for premise, claim, label in dict.fromkeys(pairs(captions, rng))][:count]
    out.write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines):,} pairs")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("captions", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=40_000)
    arguments = parser.parse_args()
    main(arguments.captions, arguments.count, arguments.out)
