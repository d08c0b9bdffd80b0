"""A page with one player, for what only a server can show: ?case=long-60&step=0&speed=4 ..."""

from __future__ import annotations

import streamlit as st

from demo.components.player.mount import attention_player, clicked, reported_options
from tests.e2e.player_pages import asked, one


def main() -> None:
    st.set_page_config(layout="wide")
    if st.button("Another sentence"):
        st.session_state["case"] = "heads"
    name, options, layout = asked("&".join(f"{name}={value}" for name, value in st.query_params.to_dict().items()))
    attention_player(one(st.session_state.get("case", name)), key="player", options=options, layout=layout)
    told = reported_options("player") or options
    click = st.session_state["clicked"] = clicked("player") or st.session_state.get("clicked")
    if click:
        st.write(f"Clicked node {click.node} source {click.source}")
    st.write(f"Reported {told.view} step {told.step} words {told.words} speed {told.speed}")
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    st.write(f"Run {st.session_state['runs']}")


main()
