"""The checks of lessons: each is a pure function from traces to the right answer and a sentence with the real numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

Traces = Mapping[str, "DecodeTrace"]  # by the name of the state they come from
Answer = str | float | int
Asks = Literal["a source word", "a word of the output", "an output", "one", "a number", "your prediction"]


@dataclass(frozen=True, slots=True)
class Check:
    """What a question is checked by; each kind uses some of the parameters."""

    kind: str
    word: str | int = 1  # of the output: the word itself, or which one, counted from 1
    measure: str = ""
    which: str = "highest"
    within: float = 0.0
    reference: str = ""
    at: int = 1


@dataclass(frozen=True, slots=True)
class Found:
    """What the traces say: options to choose from with the right ones, or a number, or a text."""

    said: str  # the explanation, with the numbers
    options: tuple[str, ...] = ()
    right: tuple[int, ...] = ()  # places among the options: more than one when they tie
    value: float = 0.0
    within: float = 0.0
    text: str = ""
    expected: str = ""  # the right answer as it is shown
    step: int | None = None  # how many output tokens the player shows: up to the one that is asked about
    names: Mapping[str, str] = field(default_factory=dict)  # what may stand in braces in the question

    def is_right(self, answer: Answer) -> bool:
        if self.options:
            return isinstance(answer, int) and answer in self.right
        if isinstance(answer, str):
            return normal(answer) == normal(self.text)
        return abs(answer - self.value) <= self.within + 1e-9

    def written(self, answer: Answer) -> str:
        """An answer as a person reads it."""
        if self.options and isinstance(answer, int):
            return self.options[answer]
        return answer if isinstance(answer, str) else f"{answer:g}"


def chosen(options: tuple[str, ...], right: tuple[int, ...], said: str, *, step: int | None = None, word: str = "") -> Found:
    expected = " or ".join(options[place] for place in right)
    return Found(said, options, right, expected=expected, step=step, names={"word": word} if word else {})


def normal(text: str) -> str:
    """For comparing what someone typed: case, punctuation and spaces do not count."""
    folded = unicodedata.normalize("NFC", text).casefold()
    return " ".join(re.sub(r"[^\w\s\u0300-\u036f\u0900-\u0d7f\u200c\u200d]", " ", folded).split())


def numbered(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words as options: a word that comes again says which one it is."""
    shown = [word.strip() or word or "(nothing)" for word in words]
    return tuple(f"{word} (no. {shown[: i + 1].count(word)})" if shown.count(word) > 1 else word for i, word in enumerate(shown))


def only(traces: Traces) -> DecodeTrace:
    return next(iter(traces.values()))


def cannot(why: str) -> InputError:
    return InputError(f"{why}, so this question cannot be asked here.")
