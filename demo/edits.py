"""What a student changed, as one short text for the link: forced tokens, replaced attention rows, hidden source positions."""

from __future__ import annotations

from seq2seq_core.errors import InputError
from seq2seq_core.trace.steering import RowEdit, Steering

LONGEST = 200_000  # characters; a row for each of 400 steps over 40 positions fits


def write_edits(steering: Steering) -> str:
    """For example "p12,7;t3,512;r2:0.5,0.5;R4:1.0,0.0;h1": prefix, token at step 3, row at step 2, row from step 4 on, hidden."""
    parts = []
    if steering.prefix:
        parts.append("p" + ",".join(map(str, steering.prefix)))
    parts += [f"t{step},{token}" for step, token in steering.tokens]
    for edit in steering.rows:
        parts.append(f"{'R' if edit.onward else 'r'}{edit.step}:" + ",".join(map(repr, edit.weights)))
    if steering.hidden:
        parts.append("h" + ",".join(map(str, steering.hidden)))
    return ";".join(parts)


def read_edits(text: str) -> Steering:
    """The reverse; InputError when the text is not of that form."""
    if len(text) > LONGEST:
        raise InputError(f"The edits in this link have {len(text)} characters; at most {LONGEST} can be read.")
    prefix: tuple[int, ...] = ()
    hidden: tuple[int, ...] = ()
    tokens: list[tuple[int, int]] = []
    rows: list[RowEdit] = []
    for part in filter(None, text.split(";")):
        kind, body = part[0], part[1:]
        try:
            if kind == "p":
                prefix = tuple(map(int, body.split(",")))
            elif kind == "h":
                hidden = tuple(map(int, body.split(",")))
            elif kind == "t":
                step, token = map(int, body.split(","))
                tokens.append((step, token))
            elif kind in "rR":
                at, _, weights = body.partition(":")
                rows.append(RowEdit(int(at), tuple(map(float, weights.split(","))), onward=kind == "R"))
            else:
                raise ValueError(kind)
        except InputError:
            raise
        except ValueError:
            raise InputError(
                f"The edit {part[:40]!r} in this link cannot be read; copy the link again, or remove what follows edits=."
            ) from None
    return Steering(prefix, tuple(tokens), tuple(rows), hidden)
