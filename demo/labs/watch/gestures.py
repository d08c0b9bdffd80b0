"""Filmed gestures: which of the five the models take it for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from demo.blocks import answer
from demo.blocks.heading import titled
from demo.blocks.player import player, showing, without_end
from demo.blocks.shares import rows, shares
from demo.blocks.ways_in import film
from demo.components.outputs.mount import Figure, output_table
from demo.components.player.data import PlayerLayout
from demo.given import assets, clips
from demo.lab import Queries
from demo.labs.watch import GESTURE, LAB
from demo.labs.watch.view import SEES
from demo.query import Asset
from demo.wording import listed, plain
from seq2seq_core.tasks import TASKS

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

HEIGHT = 250  # pixels of the player
STRANGE = "The models know one camera’s view of people at a desk: of any other film they say what of the five it looks like to them."


def heading(title: str) -> Asset | None:
    """The title, and the film that is shown, if there is one."""
    with titled(title):
        st.caption(plain(f"{listed(list(TASKS[GESTURE].answers))}: a film is one of five gestures."))
    return film.shown()


def result(queries: Queries) -> None:
    """The gesture with a bar for each of the five, the film strip, and what models say that see less."""
    query = next(iter(queries.values()))
    assert query.asset is not None
    shown, trace = showing(LAB.name, query, opens=False), answer.trace_of(query)
    told = {variant: answer.trace_of(one) for variant, one in queries.items()}
    note = f"{clips.order_note(query.asset.name)} {STRANGE}".strip()
    answer.result_line(trace, 0, figures=(), asset=query.asset, note=note, beside=lambda: _bars(told))
    player(without_end(trace), asset=query.asset, layout=shown.layout(PlayerLayout(height=HEIGHT)))
    st.caption(plain(f"Clip: {assets.credit(query.asset)}."))


def _bars(told: dict[str, DecodeTrace]) -> None:
    """How each model shares the probability out; the bar is that of the first."""
    first, *others = told.values()
    columns = [Figure(name, tip=SEES.get(name, "")) for name in told]
    beside = [shares(one) for one in others]
    output_table(rows(first, *beside), columns, key="answers", title="Five gestures", header="gesture")
