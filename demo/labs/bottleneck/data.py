"""What the Bottleneck page is asked about: our own pairs, gold links and meanings, and what a visitor wrote into the link."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from demo.examples import FOLDER
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.study.alignment import Gold

EXAMPLES = FOLDER.parent
MOST_PAIRS, MOST_SENTENCES = 200, 20


@dataclass(frozen=True, slots=True)
class Pair:
    """A source and what it should become; `gold` when the words are linked by hand."""

    source: str
    target: str
    sure: str = ""
    possible: str = ""

    def gold(self) -> Gold:
        from seq2seq_core.study.alignment import Gold

        return Gold.read(self.sure, self.possible)


@dataclass(frozen=True, slots=True)
class Meaning:
    """One way to say who does what: sentences of the same scene and the same `who` mean the same."""

    text: str
    scene: str = ""
    who: str = ""
    form: str = ""


@cache
def _read(name: str) -> Any:
    return json.loads((EXAMPLES / name).read_text(encoding="utf8"))


@cache
def own_pairs(task: str) -> tuple[Pair, ...]:
    return tuple(Pair(**pair) for pair in _read("pairs.json").get(task, ()))


def own_of_length(task: str, unit: str, first: int, last: int | None) -> tuple[Pair, ...]:
    """Those of our own pairs whose source has so many words or letters; without a last length all that are longer too."""
    measured = [(pair, len(pair.source.split() if unit == "words" else pair.source)) for pair in own_pairs(task)]
    return tuple(pair for pair, length in measured if first <= length and (last is None or length <= last))


@cache
def aligned() -> tuple[Pair, ...]:
    """Those whose words are linked."""
    return tuple(pair for pair in own_pairs("translation") if pair.sure)


@cache
def meanings() -> tuple[Meaning, ...]:
    return tuple(Meaning(**one) for one in _read("meanings.json"))


def typed_pairs(text: str) -> tuple[Pair, ...]:
    """One pair a line: source, then a tab or |, then the reference. Empty lines count for nothing."""
    from seq2seq_core.inputs.text import check_text

    pairs = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        parts = line.replace("\t", "|").split("|")
        if len(parts) != 2 or not all(part.strip() for part in parts):
            raise InputError(f"Line {number} is {line[:40]!r}; write source | reference, with one | or tab between them.")
        pairs.append(Pair(*(check_text(part.strip()) for part in parts)))
    if len(pairs) > MOST_PAIRS:
        raise InputError(f"There are {len(pairs)} pairs; at most {MOST_PAIRS} are computed here, so leave some out.")
    return tuple(pairs)


def typed_sentences(text: str) -> tuple[Meaning, ...]:
    from seq2seq_core.inputs.text import check_text

    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_SENTENCES:
        raise InputError(f"There are {len(lines)} sentences; at most {MOST_SENTENCES} can be added, so leave some out.")
    return tuple(Meaning(check_text(line), "yours", "yours", "yours") for line in lines)
