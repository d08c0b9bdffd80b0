"""Start: what this is, with one translation playing, and a way to every lab. Nothing here waits for a model."""

from __future__ import annotations

import streamlit as st

from demo.app import TITLE
from demo.blocks.pictures import stored_traces
from demo.labs.start import view


def main() -> None:
    traces = stored_traces()
    st.title(TITLE, anchor=False)
    st.html(f'<p style="font-size: 1.25rem; line-height: 1.3; margin: 0">{view.LEAD}</p>')
    view.ask()
    left, right = st.columns([5, 4], gap="large")
    with left:
        if "translation" in traces:
            view.play(traces["translation"])
    with right:
        view.verbs(traces)
    view.show_labs(traces)


main()
