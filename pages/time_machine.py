"""Time machine: what a translator said of a sentence at the moments of its training."""

from __future__ import annotations

import streamlit as st

from demo.labs.time_machine import LAB, view


def main() -> None:
    st.title(LAB.title, anchor=False)
    view.block()


main()
