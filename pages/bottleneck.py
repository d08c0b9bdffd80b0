"""Bottleneck: what one fixed vector can hold, in numbers, as points, and in aligned words."""

from __future__ import annotations

import streamlit as st

from demo import controls, state
from demo.labs.bottleneck import alignment, length, vectors

PARTS = {
    "quality and length": length.part,
    "sentence vectors": vectors.part,
    "aligned words": alignment.part,
}
SIMPLE = ("quality and length", "sentence vectors")


def main() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.title("Bottleneck", anchor=False, width="content")
        part = controls.segments(state.BOTTLENECK_PART, named=False, offered=state.offered(state.BOTTLENECK_PART, SIMPLE))
    PARTS[part]()


main()
