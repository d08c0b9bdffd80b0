"""Bottleneck: what one fixed vector can hold, in numbers, as points, and in aligned words."""

from __future__ import annotations

import streamlit as st

from demo import bottleneck_alignment, bottleneck_length, bottleneck_vectors, controls, state

PARTS = {
    "quality and length": bottleneck_length.part,
    "sentence vectors": bottleneck_vectors.part,
    "aligned words": bottleneck_alignment.part,
}


def main() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.title("Bottleneck", anchor=False, width="content")
        part = controls.segments(state.BOTTLENECK_PART, named=False)
    PARTS[part]()


main()
