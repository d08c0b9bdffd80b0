"""What a student changed, as one short text for the link: forced tokens, replaced attention rows, hidden source positions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from seq2seq_core.errors import InputError
from seq2seq_core.trace.steering import RowEdit, Steering

LONGEST = 200_000  # characters; a row for each of 400 steps over 40 positions fits
MOST_WEIGHTS = 100_000  # of all rows, written out
# A link keeps these as they are, and turns ";" "," and ":" into three signs each; links from before have those.
PARTS, NUMBERS = re.compile(r"[;~]"), re.compile(r"[,:_]")


def write_edits(steering: Steering) -> str:
    """For example "p12_7~t3_512~r2_0.5_0.5~R4_1_99x0~h1": prefix, token at step 3, row at step 2, row from step 4 on, hidden.

    "99x0" is 0, 99 times.
    """
    parts = []
    if steering.prefix:
        parts.append("p" + _joined(steering.prefix))
    parts += [f"t{step}_{token}" for step, token in steering.tokens]
    parts += [f"{'R' if edit.onward else 'r'}{edit.step}_{_packed(edit.weights)}" for edit in steering.rows]
    if steering.hidden:
        parts.append("h" + _joined(steering.hidden))
    return "~".join(parts)


def read_edits(text: str) -> Steering:
    """The reverse; InputError when the text is not of that form."""
    if len(text) > LONGEST:
        raise InputError(f"The edits in this link have {len(text)} characters; at most {LONGEST} can be read.")
    prefix: tuple[int, ...] = ()
    hidden: tuple[int, ...] = ()
    tokens: list[tuple[int, int]] = []
    rows: list[RowEdit] = []
    for part in filter(None, PARTS.split(text)):
        kind, numbers = part[0], NUMBERS.split(part[1:])
        try:
            if kind == "p":
                prefix = tuple(map(int, numbers))
            elif kind == "h":
                hidden = tuple(map(int, numbers))
            elif kind == "t":
                step, token = map(int, numbers)
                tokens.append((step, token))
            elif kind in "rR":
                room = MOST_WEIGHTS - sum(len(row.weights) for row in rows)
                rows.append(RowEdit(int(numbers[0]), _unpacked(numbers[1:], room), onward=kind == "R"))
            else:
                raise ValueError(kind)
        except InputError:
            raise
        except ValueError:
            raise InputError(
                f"The edit {part[:40]!r} in this link cannot be read; copy the link again, or remove what follows edits=."
            ) from None
    return Steering(prefix, tuple(tokens), tuple(rows), hidden)


def _joined(numbers: Iterable[object]) -> str:
    return "_".join(map(str, numbers))


def _packed(weights: Sequence[float]) -> str:
    """What stands several times in a row is counted: painted cells are 1 and all others 0."""
    runs = ((repr(weight).removesuffix(".0"), len(list(run))) for weight, run in groupby(weights))
    return _joined(f"{count}x{text}" if count > 1 else text for text, count in runs)


def _unpacked(numbers: Sequence[str], room: int) -> tuple[float, ...]:
    weights: list[float] = []
    for number in numbers:
        count, times, weight = number.rpartition("x")
        often = int(count) if times else 1
        if not 0 < often <= room - len(weights):
            raise ValueError(number)
        weights += [float(weight)] * often
    return tuple(weights)
