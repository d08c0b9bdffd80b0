"""Point the model's eyes: paint or block cells of the grid from a chosen word on, decode again, and see what changed."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import streamlit as st

from demo import resources, state
from demo.blocks.answer import LOG_P, TOKENS
from demo.blocks.player import player
from demo.components.eye_painter.mount import Painted, eye_painter, painted, painter_data
from demo.components.outputs.mount import Row, output_table
from demo.components.player.data import PlayerLayout
from demo.edits import read_edits, write_edits
from demo.given import photos
from demo.given.assets import SMALL_SIDE
from demo.query import Query
from demo.wording import signed, token
from seq2seq_core.trace.steering import RowEdit, Steering

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

PAINTER = "eyes"
HEIGHT = 300  # pixels


def eyes(query: Query, free: DecodeTrace, *, output: str = "caption", act: str = "Caption again") -> None:
    """The painter, the outputs before and after, and a player of the one after. `act`: what the button is called."""
    rows, columns = free.parts[0].grid or (1, 1)
    if not free.attention().shape[1]:
        st.info(
            "This model has no attention map: its decoder is given one vector, so there are no eyes to point.",
            icon=":material/visibility_off:",
        )
        return
    steering = read_edits(state.current(state.EDITS))
    if steering.prefix != free.token_ids()[: len(steering.prefix)]:  # of another question
        steering = Steering()
    assert query.asset is not None
    url = photos.url(query.asset, SMALL_SIDE)
    left, right = st.columns([2, 3], gap="large")
    with left:
        now = painted_of(steering)
        data = painter_data(url, free.parts[0], starts(free), now, act)
        eye_painter(data, key=PAINTER, on_change=lambda: _paint(free, rows * columns))
    with right:
        if not steering:
            st.info(
                f"Paint cells of the photo, choose the word from which this holds, and press {act}. The vector of a cell tells a "
                "little of the whole photo too, so a blocked cell is not quite forgotten.",
                icon=":material/draw:",
            )
            return
        steered = resources.answer(replace(query, steering=steering))
        before_and_after(free, steered, output)
        player(steered, key="eyes_player", url=url, layout=PlayerLayout(height=HEIGHT, panel=False), keeps="nothing")


def starts(trace: DecodeTrace) -> list[tuple[int, str]]:
    """The step at which each word begins, and the word."""
    grouped = trace.grouped(0)
    words = zip(grouped.target_members, grouped.target, strict=True)
    return [(members[0], f"word {place}, “{token(word)}”") for place, (members, word) in enumerate(words, 1)]


def painted_of(steering: Steering) -> Painted:
    """What the painter shows for the edits of a link."""
    row = steering.rows[0].weights if steering.rows else ()
    return Painted(tuple(cell for cell, weight in enumerate(row) if weight > 0), steering.hidden, len(steering.prefix))


def steering_of(what: Painted, free: DecodeTrace, cells: int) -> Steering:
    """The words before the chosen one stay; from there on attention is spread evenly over the painted cells, or avoids the blocked ones."""
    look = set(what.look) - set(what.block)
    rows = (RowEdit(what.start, tuple(float(cell in look) for cell in range(cells)), onward=True),) if look else ()
    if not rows and not what.block:
        return Steering()
    return Steering(prefix=free.token_ids()[: what.start], rows=rows, hidden=what.block)


def _paint(free: DecodeTrace, cells: int) -> None:
    what = painted(PAINTER, cells)
    if what is not None and len(set(what.block)) < cells and what.start < len(free.token_ids()):
        state.remember(state.EDITS, write_edits(steering_of(what, free, cells)))


def before_and_after(free: DecodeTrace, steered: DecodeTrace, output: str) -> None:
    one, other = free.hypotheses[0].answer, steered.hypotheses[0].answer
    begin, ends = changed(one, other)
    found = ((name, trace, end) for name, trace, end in (("before", free, ends[0]), ("after", steered, ends[1])))
    rows = [
        Row(
            name,
            trace.hypotheses[0].answer,
            (signed(trace.hypotheses[0].total), str(trace.hypotheses[0].length)),
            marked=(begin, max(begin, end)),
        )
        for name, trace, end in found
    ]
    note = f"The {output} stays the same." if one == other else "Underlined: from the first word that differs to the last."
    output_table(rows, (LOG_P, TOKENS), key="eyes_table", title="Before and after", note=note)


def changed(before: str, after: str) -> tuple[int, tuple[int, int]]:
    """Where two outputs begin to differ, and where in each they stop: whole words."""
    one, other = before.split(" "), after.split(" ")
    same = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    differing = [code for code in same if code[0] != "equal"]
    if not differing:
        return len(before), (len(before), len(after))
    first = " ".join(one[: differing[0][1]])
    begin = len(first) + (1 if first else 0)
    return begin, (len(" ".join(one[: differing[-1][2]])), len(" ".join(other[: differing[-1][4]])))
