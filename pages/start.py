"""Start: what this is, and a way to every lab."""

from __future__ import annotations

import streamlit as st

from demo.app import TITLE, labs

st.title(TITLE)
st.write("Watch trained encoder-decoder models turn a sentence, a word or a photo into text, one token at a time, and see where they look.")
for lab in labs():
    if lab.name != "start":
        st.page_link(lab.file, label=lab.title, icon=f":material/{lab.icon}:", help=lab.about)
