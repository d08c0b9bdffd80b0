"""What a student may do to a decode, as pure functions of its steering; and the trail of what was done, with undo and redo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from demo.query import DEFAULTS, FREE, Asset
from seq2seq_core.config import DecodeSettings
from seq2seq_core.trace.steering import RowEdit, Steering

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace


def force(steering: Steering, kept: Sequence[int], tokens: Sequence[int]) -> Steering:
    """The tokens before are kept, these follow, and the model goes on from there."""
    return replace(steering, prefix=(*kept, *tokens), tokens=())


def put_row(steering: Steering, kept: Sequence[int], weights: Sequence[float], *, onward: bool = False) -> Steering:
    """Another attention row at the step after the kept tokens; the model goes on from there."""
    step = len(kept)
    others = tuple(row for row in steering.rows if row.step != step)
    return replace(steering, prefix=tuple(kept), tokens=(), rows=(*others, RowEdit(step, tuple(weights), onward)))


def remove_row(steering: Steering, step: int, own: Sequence[int]) -> Steering:
    """The model's own row again. A beginning that was only kept for the row's sake, the model's `own`, is set free too."""
    rows = tuple(row for row in steering.rows if row.step != step)
    return _set_free(replace(steering, rows=rows), own)


def unforce(steering: Steering, step: int, own: Sequence[int]) -> Steering:
    """What was forced from this step on is the model's to say again."""
    tokens = tuple(pair for pair in steering.tokens if pair[0] != step)
    return _set_free(replace(steering, prefix=steering.prefix[:step], tokens=tokens), own)


def _set_free(steering: Steering, own: Sequence[int]) -> Steering:
    """A beginning that the model says anyway need not be kept when nothing hangs on it."""
    anyway = tuple(own[: len(steering.prefix)]) == steering.prefix
    return replace(steering, prefix=()) if anyway and not steering.rows and not steering.tokens else steering


def put_all_rows(steering: Steering, rows: Sequence[Sequence[float] | None]) -> Steering:
    """A row for every step that has one, and nothing forced: an oracle that says where to look."""
    edits = tuple(RowEdit(step, tuple(row)) for step, row in enumerate(rows) if row is not None)
    return Steering(rows=edits, hidden=steering.hidden)


def hide(steering: Steering, hidden: Sequence[int]) -> Steering:
    """Source positions masked out; a row that has weight on nothing else goes."""
    gone = set(hidden)
    rows = tuple(row for row in steering.rows if any(weight for place, weight in enumerate(row.weights) if place not in gone))
    return replace(steering, hidden=tuple(hidden), rows=rows)


def chosen_steps(steering: Steering, trace: DecodeTrace, own: Sequence[int]) -> list[int]:
    """The steps where what was forced is not what the model says by itself. `own`: its output without any edit."""
    path = trace.path()
    found = []
    for step in sorted(steering.forced()):
        if step >= len(path):
            break
        ids = [node.token_id for node in path[: step + 1]]
        same = tuple(ids) == tuple(own[: step + 1])
        likeliest = path[step].candidates[0].token_id if path[step].candidates else None
        if not same and (ids[-1] != likeliest or tuple(ids[:-1]) == tuple(own[:step])):
            found.append(step)
    return found


def one_hot(size: int, place: int) -> tuple[float, ...]:
    return tuple(np.eye(size)[place].tolist())


@dataclass(frozen=True, slots=True)
class Entry:
    """One state of the edits, the node that was looked at, and what was done to get there."""

    edits: Steering = FREE
    node: int = -1
    done: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """Every state since the source was chosen; the present one is at `at`."""

    source: tuple[str | Asset, ...] = ()  # what the edits belong to: a model, and what it reads
    settings: DecodeSettings = DEFAULTS  # what the numbers of the nodes belong to
    entries: tuple[Entry, ...] = (Entry(),)
    at: int = 0

    @property
    def now(self) -> Entry:
        return self.entries[self.at]

    @property
    def can_undo(self) -> bool:
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        return self.at + 1 < len(self.entries)

    def push(self, entry: Entry) -> History:
        """A new present; what was undone is forgotten."""
        return replace(self, entries=(*self.entries[: self.at + 1], entry), at=self.at + 1)

    def undo(self) -> History:
        return replace(self, at=max(0, self.at - 1))

    def redo(self) -> History:
        return replace(self, at=min(len(self.entries) - 1, self.at + 1))


def begun(source: tuple[str | Asset, ...], settings: DecodeSettings, edits: Steering, node: int) -> History:
    """A history for what a link says: its edits are one step, so that they can be undone."""
    if not edits:
        return History(source, settings, (Entry(node=node),))
    return History(source, settings, (Entry(), Entry(edits, node, "opened from a link")), 1)
