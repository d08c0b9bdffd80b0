"""Kinds of settings a page may have: each cleans what a URL or a session holds, and never raises."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Field(ABC, Generic[T]):
    """One setting: `key` is its name in the session and in the URL, `label` its name on the page."""

    key: str
    label: str
    default: T
    help: str = ""

    @abstractmethod
    def clean(self, value: object) -> T:
        """The value itself when it is allowed, the nearest allowed one, or the default."""

    def write(self, value: T) -> list[str]:
        """As Streamlit writes a bound widget into the URL."""
        return [str(value)]

    def read(self, written: Sequence[str]) -> T:
        """From the URL, where anything may stand."""
        return self.clean(written[-1]) if written else self.default


def _well_formed(text: str) -> str:
    """Lone surrogates have no place in a URL; everything else is kept."""
    return text.encode("utf8", errors="replace").decode("utf8")


@dataclass(frozen=True, slots=True)
class TextField(Field[str]):
    """Free text. Whether it is too long or empty for a model is the pipeline's to say, in words."""

    tall: bool = False  # several lines are typed

    def clean(self, value: object) -> str:
        return _well_formed(value) if isinstance(value, str) else self.default


@dataclass(frozen=True, slots=True)
class NameField(Field[str]):
    """The name of something that is only known at run time, such as a model: a page checks it against its list."""

    def clean(self, value: object) -> str:
        if isinstance(value, str) and 0 < len(value) <= 60 and all(c.isalnum() or c in "-_./ " for c in value):
            return value
        return self.default

    def among(self, value: str, options: Sequence[str]) -> str:
        """The named option, else the default, else the first there is."""
        if value in options:
            return value
        return self.default if self.default in options or not options else options[0]


@dataclass(frozen=True, slots=True)
class ChoiceField(Field[str]):
    choices: tuple[str, ...] = ()

    def clean(self, value: object) -> str:
        return value if isinstance(value, str) and value in self.choices else self.default


@dataclass(frozen=True, slots=True)
class RowField(Field[str]):
    """The name of a row of a table, which may grow."""

    names: Callable[[], tuple[str, ...]] = tuple

    def clean(self, value: object) -> str:
        return value if isinstance(value, str) and value in self.names() else self.default


@dataclass(frozen=True, slots=True)
class ManyField(Field[tuple[str, ...]]):
    """Several names at once, each at most once."""

    most: int = 20

    def clean(self, value: object) -> tuple[str, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            return self.default
        names = dict.fromkeys(name for name in value if isinstance(name, str) and 0 < len(name) <= 60)
        return tuple(_well_formed(name) for name in names)[: self.most]

    def write(self, value: tuple[str, ...]) -> list[str]:
        return list(value) or [""]

    def read(self, written: Sequence[str]) -> tuple[str, ...]:
        return self.clean([name for name in written if name]) if written else self.default


@dataclass(frozen=True, slots=True)
class WholeField(Field[int]):
    low: int = 0
    high: int = 100

    def clean(self, value: object) -> int:
        number = _number(value)
        return self.default if number is None or number != round(number) else min(self.high, max(self.low, round(number)))


@dataclass(frozen=True, slots=True)
class NumberField(Field[float]):
    low: float = 0.0
    high: float = 1.0
    step: float = 0.1

    def clean(self, value: object) -> float:
        number = _number(value)
        return self.default if number is None else min(self.high, max(self.low, number))

    def write(self, value: float) -> list[str]:
        return [str(int(value)) if value == int(value) else str(value)]


@dataclass(frozen=True, slots=True)
class FlagField(Field[bool]):
    def clean(self, value: object) -> bool:
        if isinstance(value, str):
            return {"true": True, "false": False}.get(value.lower(), self.default)
        return value if isinstance(value, bool) else self.default

    def write(self, value: bool) -> list[str]:
        return [str(value).lower()]


def _number(value: object) -> float | None:
    """A finite number, or None. Whole numbers of any length stay exact enough to be clamped."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
