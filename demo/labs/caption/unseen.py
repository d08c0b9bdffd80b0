"""What was never looked at: the attention of all words together as a picture, with the patches that got least of it in frames."""

from __future__ import annotations

from collections.abc import Sequence
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

    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.trace import DecodeTrace

SIDE = 520  # pixels of a picture
LEAST = 0.1  # the share of the grid that is framed


def received(trace: DecodeTrace) -> Floats:
    """What each cell got of the attention of all words, the end sign left out; together 1."""
    words = [step for step, node in enumerate(trace.path()) if node.token_id > 3] or [0]
    total: Floats = trace.attention()[words].sum(0)
    shares: Floats = total / total.sum()
    return shares


def least(weights: Sequence[float]) -> list[int]:
    """The cells that got least."""
    count = max(1, round(LEAST * len(weights)))
    return sorted(int(cell) for cell in np.argsort(np.asarray(weights), kind="stable")[:count])


def picture(photo: Image, weights: Sequence[float], rows: int, columns: int) -> Image:
    """Bright where the words looked; frames around the cells they left out, each in light and dark so that it is seen on any photo."""
    from demo.export.overlay import overlay, reduced

    shown = overlay(reduced(photo, SIDE), weights, rows, columns, paint="spotlight")
    geometry, draw = GridGeometry(shown.width, shown.height, rows, columns), ImageDraw.Draw(shown)
    for cell in least(weights):
        box = geometry.box(cell)
        for inside, color in ((1, "#101014"), (3, "#ffffff")):
            draw.rectangle((box.left + inside, box.top + inside, box.right - inside, box.bottom - inside), outline=color, width=2)
    return shown


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
        framed = least(weights.tolist())
        share = float(weights[framed].sum())
        with place:
            st.markdown(f"**{plain(name)}**: {quoted(trace.text())}")
            assert query.asset is not None
            st.image(
                picture(assets.image(query.asset), weights.tolist(), rows, columns),
                width="stretch",
                alt=f"The photo with the cells framed that {name} looked at least",
            )
            penalty = " It was trained to look everywhere once." if "coverage" in entry.info.variant else ""
            st.caption(
                f"The {len(framed)} framed cells of {len(weights)} got {100 * share:.1f} % of the attention of all words together; "
                f"even shares would be {100 * len(framed) / len(weights):.0f} %.{penalty}"
            )
    if note := comparison.data_note(entries):
        st.caption(plain(note))
