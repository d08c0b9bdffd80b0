"""What Compare shows: the clock, the players that follow it, and the table."""

from __future__ import annotations

import streamlit as st

from demo import resources, state
from demo.blocks import comparison, steer_from
from demo.blocks.comparison import Entry
from demo.blocks.lettering import lettering
from demo.blocks.player import Beside, Showing, fitting, together
from demo.blocks.source import tell_of
from demo.blocks.take_along import take_along
from demo.components.player.data import PlayerLayout
from demo.lab import Queries, language_of
from demo.wording import plain

HEIGHT, LOW, PICTURE = 390, 340, 280  # at most, in pixels; of low maps the second row begins on the same screen


def show(entries: list[Entry], shown: Showing, queries: Queries) -> None:
    parted = comparison.partings([entry.trace for entry in entries], comparison.best(entries))
    text = all(query.asset is None for query in queries.values())  # beside a picture the words above it are enough
    panels = [
        Beside(
            entry.name, entry.trace, entry.info.variant, query.asset, step if text else None, said, comparison.color_bar(entry),
            steer_from.actions(query), steer_from.hear(query, entry.trace),
        )
        for entry, query, step, said in zip(entries, queries.values(), parted, comparison.said(entries), strict=True)
    ]  # fmt: skip
    tell_of(*(entry.name for entry in entries))
    one_row = not text or fitting(len(panels), panels[0].trace, state.player_options().words) == len(panels)
    if not one_row:
        panels = beside_the_first(panels, comparison.best(entries))
    together(
        panels,
        group="compare",
        height=PICTURE if not text else HEIGHT if one_row else LOW,
        options=state.player_options(),
        layout=shown.layout(PlayerLayout()),
        keeps="cursor",
    )
    steer_from.lead()
    if state.player_options().view == "network":
        lettering()
    language = language_of(entries[0].info.id)
    if note := comparison.data_note(entries):
        st.caption(plain(note))
    comparison.table(entries, parted, key="figures", title="Outputs", language=language)
    if not state.simple():
        task = entries[0].info.task
        take_along(
            lambda: comparison.models_frame(resources.installed(task)),
            key="all_models",
            name=f"Models of {task}",
            label="All models of this task",
        )


def beside_the_first(panels: list[Beside], best: int) -> list[Beside]:
    """The one that the others are held against stands in the first row with the first, and so on one screen."""
    return panels if best < 2 else [panels[0], panels[best], *(panel for i, panel in enumerate(panels) if i not in (0, best))]
