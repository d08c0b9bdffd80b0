"""The blocks of How it works: the step's name, its equations, and the six parts of the system."""

from __future__ import annotations

import streamlit as st

from demo import resources, state
from demo.labs.how_it_works.notation import aligned
from demo.labs.how_it_works.six_parts import six_parts
from demo.labs.how_it_works.view import StepView, candidate_table, counts, headline, row_table
from demo.wording import visible

MENU = "position_menu"


def header(seen: StepView) -> None:
    """Which step this is, and which source position the equations are written for; a click on a cell of the map chooses it too."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(headline(seen), anchor=False, width="stretch")
        if seen.numbers.attention is None:
            return
        st.session_state[MENU] = min(state.current(state.POSITION), len(seen.shown.source))
        names = ["Most looked at", *(f"{j + 1}  {visible(name)}" for j, name in enumerate(seen.shown.source))]
        st.selectbox(
            "Source position",
            range(len(names)),
            format_func=names.__getitem__,
            key=MENU,
            on_change=lambda: state.remember(state.POSITION, st.session_state[MENU]),
            label_visibility="collapsed",
            width=200,
        )


def equations(seen: StepView) -> None:
    """All sections under each other, with the attention row and the likeliest tokens as tables."""
    for place, section in enumerate(seen.sections, 1):
        st.markdown(f"**{place}. {section.name}.** {section.says}")
        st.latex(aligned(section.latex))
        if section.name == "Attention row" and seen.numbers.attention is not None:
            st.table(row_table(seen, seen.numbers.attention))
    st.table(candidate_table(seen))


def parts(seen: StepView, model_id: str) -> None:
    """The six parts of any such system, filled in for this one."""
    st.subheader("The six parts of this system", anchor=False)
    shares = counts(model_id)
    found = six_parts(seen.config, resources.pipeline(model_id).card, shares)
    for begin in range(0, len(found), 2):
        for place, part in zip(st.columns(2, gap="medium"), found[begin : begin + 2], strict=True):
            with place.container(border=True, height="stretch"):
                st.markdown(f"**{part.name}**")
                st.markdown(part.says)
                if part.latex:
                    st.latex(part.latex)
                if part.name == "Parameters":
                    st.table({"part": list(shares), "parameters": [f"{count:,}" for count in shares.values()]})
