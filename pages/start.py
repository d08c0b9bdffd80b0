"""Start: what this is, with one translation playing, and a way to every lab. Nothing here waits for a model."""

from __future__ import annotations

import streamlit as st

from demo import start_view
from demo.app import TITLE


def main() -> None:
    traces = start_view.stored_traces()
    st.title(TITLE, anchor=False)
    st.html(f'<p style="font-size: 1.35rem; line-height: 1.35; margin: 0">{start_view.LEAD}</p>')
    start_view.ask()
    if "translation" in traces:
        start_view.play(traces["translation"])
    start_view.show_labs(traces)


main()
