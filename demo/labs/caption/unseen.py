"""What was never looked at: the attention of all words together as a picture, with the patches that got next to none of it in frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from PIL import ImageDraw

from demo.blocks import answer, comparison
from demo.given import assets
from demo.lab import Values
from demo.labs.caption import LAB
from demo.wording import plain, quoted
from seq2seq_core.inputs.grid import GridGeometry

if TYPE_CHECKING:
    from PIL.Image import Image

    from seq2seq_core.inputs.grid import Box
    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.trace import DecodeTrace

SIDE = 520  # pixels of a picture
DARK = (16, 16, 20, 170)  # over what was left out
NEXT_TO_NONE = 1 / 3  # of an even share: cells with less are framed


def received(trace: DecodeTrace) -> Floats:
    """What each cell got of the attention of all words, the end sign left out; together 1."""
    words = [step for step, node in enumerate(trace.path()) if node.token_id > 3] or [0]
    total: Floats = trace.attention()[words].sum(0)
    shares: Floats = total / total.sum()
    return shares


def left_out(weights: Sequence[float]) -> list[int]:
    """The cells that got next to nothing."""
    shares = np.asarray(weights)
    return [int(cell) for cell in np.flatnonzero(shares * len(shares) < NEXT_TO_NONE * shares.sum())]


def picture(photo: Image, weights: Sequence[float], rows: int, columns: int) -> Image:
    """Bright where the words looked; what they left out is dark, with a frame around it."""
    from demo.export.overlay import overlay, reduced

    shown = overlay(reduced(photo, SIDE), weights, rows, columns, paint="spotlight")
    geometry, framed = GridGeometry(shown.width, shown.height, rows, columns), set(left_out(weights))
    draw = ImageDraw.Draw(shown, "RGBA")
    for cell in framed:
        box = geometry.box(cell)
        draw.rectangle((round(box.left), round(box.top), round(box.right) - 1, round(box.bottom) - 1), fill=DARK)
    for cell in framed:
        for side in edges(cell, framed, geometry.box(cell), columns):
            draw.line(side, fill="#ffffff", width=2)
    return shown


def edges(cell: int, framed: set[int], box: Box, columns: int) -> Iterator[tuple[float, float, float, float]]:
    """The sides of a cell beyond which nothing is framed, so that cells side by side have one frame together."""
    if not cell % columns or cell - 1 not in framed:
        yield box.left, box.top, box.left, box.bottom
    if not (cell + 1) % columns or cell + 1 not in framed:
        yield box.right - 1, box.top, box.right - 1, box.bottom
    if cell - columns not in framed:
        yield box.left, box.top, box.right, box.top
    if cell + columns not in framed:
        yield box.left, box.bottom - 1, box.right, box.bottom - 1


def block(values: Values) -> None:
    """Every model that has a map, side by side."""
    queries = LAB.queries(values)
    if not queries:
        st.info("No installed model has an attention map, so nothing tells where it looked.", icon=":material/visibility_off:")
        return
    for query in queries.values():
        answer.load(query.model_id)
    entries = comparison.answers(queries)
    for entry, place in zip(entries, st.columns(max(2, len(entries)), gap="medium"), strict=False):
        name, trace, query = entry.name, entry.trace, queries[entry.name]
        rows, columns = trace.parts[0].grid or (1, 1)
        weights = received(trace)
        framed = left_out(weights.tolist())
        with place:
            st.markdown(f"**{plain(name)}**: {quoted(trace.text())}")
            assert query.asset is not None
            st.image(
                picture(assets.image(query.asset), weights.tolist(), rows, columns),
                width="stretch",
                alt=f"The photo with the cells framed that {name} hardly looked at",
            )
            penalty = " It was trained to look everywhere once." if "coverage" in entry.info.variant else ""
            st.caption(
                f"{f'{len(framed)} of {len(weights)} cells, those in the frames,' if framed else 'No cell'} got less than a third of an "
                f"even share of the attention of all words together.{penalty}"
            )
    if note := comparison.data_note(entries):
        st.caption(plain(note))
