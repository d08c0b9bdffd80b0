"""Outputs as text and numbers: one large line, or a table whose rows can be chosen. All text is set as text, never as markup."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from demo.components.events import unheard
from demo.components.served import component

_component = component("outputs", "outputs/mount.js")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its name; `tip` says what it is."""

    name: str
    value: str = ""
    tip: str = ""

    def to_list(self) -> list[str]:
        return [self.name, self.value, self.tip]


@dataclass(frozen=True, slots=True)
class Row:
    """One output of a table: what stands before it, its text, and one value per column."""

    lead: str
    text: str
    values: tuple[str, ...] = ()
    share: float | None = None  # from 0 to 1: drawn as a bar
    chosen: bool = False
    marked: tuple[int, int] | None = None  # the part of the text that stands out
    bars: tuple[float | None, ...] = ()  # from -1 to 1: drawn under the value in the same place
    colors: tuple[str, str] | None = None  # of a variant, on a light and on a dark page: a mark before the lead

    def to_dict(self) -> dict[str, Any]:
        begin, end = self.marked or (len(self.text), len(self.text))
        parts = [self.text[:begin], self.text[begin:end], self.text[end:]]
        row: dict[str, Any] = {"lead": self.lead, "parts": parts, "values": list(self.values), "share": self.share, "chosen": self.chosen}
        row["bars"] = list(self.bars)
        return row if self.colors is None else row | {"colors": list(self.colors)}


@dataclass(frozen=True, slots=True)
class Chance:
    """A word of a line with the probability that its model gave it."""

    begin: int
    end: int
    p: float


def output_line(
    text: str, figures: Sequence[Figure] = (), *, key: str, language: str = "en", note: str = "", chances: Sequence[Chance] = ()
) -> None:
    """The output, large enough for the last row, what it scored, and where the model was unsure."""
    data: dict[str, Any] = {
        "kind": "line",
        "text": text,
        "figures": [figure.to_list() for figure in figures],
        "language": language,
        "note": note,
    }
    data["chances"] = [[one.begin, one.end, round(one.p, 4)] for one in chances]
    _component(key=key, data=data, on_choose_change=unheard)


def output_table(
    rows: Sequence[Row],
    columns: Sequence[Figure] = (),
    *,
    key: str,
    title: str,
    note: str = "",
    language: str = "en",
    header: str = "output",
    on_choose: Callable[[], None] | None = None,
    dense: bool = False,
) -> None:
    """Outputs under each other. With `on_choose` every row is a button; `choice` tells the callback which one, counted from 0.

    `header`: over the texts; where it is the title, that stands there. `dense`: smaller words, for many rows beside a chart.
    """
    data = {
        "kind": "table",
        "title": title,
        "columns": [column.to_list() for column in columns],
        "rows": [row.to_dict() for row in rows],
        "note": note,
        "language": language,
        "header": header,
        "choose": on_choose is not None,
        "dense": dense,
    }
    _component(key=key, data=data, on_choose_change=on_choose or unheard)
