"""The app: everything that knows Streamlit lives here; models, searches and traces live in seq2seq_core."""

import sys

# Until the first st.navigation of a process, Streamlit takes a folder named pages for an app of its older kind: a link to a
# page, opened on a fresh server, would run that page's file alone, without the shell. Once is enough; then run the entry.
# Outside a server, as in a notebook that exports a trace, Streamlit stays unloaded.
if "streamlit.runtime.pages_manager" in sys.modules:
    import streamlit as st
    from streamlit.runtime.pages_manager import PagesManager

    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()
