"""Whose letters formulas and drawings have: a menu on every page that shows one, and what a lecture writes otherwise."""

from __future__ import annotations

import streamlit as st

from demo import controls, letters, state


def lettering() -> None:
    """The menu; with a lecture's letters, how they differ from the lab's, and what its own slides get wrong."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", width="content"):
        with st.container(width=230):
            chosen = controls.menu(state.LETTERS)
        if chosen == letters.LAB:
            return
        with st.popover("What differs"):
            rows = [row for row in letters.TABLE if row.note or chosen in row.names]
            st.table(
                {
                    "": [row.means for row in rows],
                    "lab": [letters.shown(row, letters.LAB) for row in rows],
                    chosen: [letters.shown(row, chosen) for row in rows],
                    "note": [row.note for row in rows],
                }
            )
            if chosen in letters.SLIPS:
                st.caption(letters.SLIPS[chosen])


def states() -> tuple[str, ...]:
    """The letters that a drawing has."""
    return letters.states(state.current(state.LETTERS))


def written(markdown: str) -> str:
    """A sentence of the lab, its formulas in the chosen letters."""
    return letters.reletter_text(markdown, state.current(state.LETTERS))
