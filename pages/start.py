"""Start: what this is, with one translation playing, and a way to every lab. Nothing here waits for a model."""

from __future__ import annotations

import streamlit as st

from demo.app import TITLE
from demo.labs.start import view


def main() -> None:
    traces = view.stored_traces()
    st.title(TITLE, anchor=False)
    st.html(f'<p style="font-size: 1.35rem; line-height: 1.35; margin: 0">{view.LEAD}</p>')
    view.ask()
    if "translation" in traces:
        view.play(traces["translation"])
    view.show_labs(traces)


main()
