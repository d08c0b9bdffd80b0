"""A visitor's own text on the Train page, for a language model: pasted or uploaded; without one, the program of this lab's own models."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from demo import controls, state
from demo.wording import plain
from seq2seq_core.errors import InputError

PASTED, UPLOADED = "pasted_text", "uploaded_text"
MAX_MEGABYTES = 2
PROGRAM = Path(__file__).resolve().parents[3] / "seq2seq_core" / "model"


def block() -> None:
    """The two ways to give a text, what is learnt of it, and whether it can be used."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.text_area(
            "A text", key=PASTED, height=150, persist_state="session",
            placeholder="Paste a poem, a story, a program; empty: the program of this lab’s own models",
        )  # fmt: skip
    with right:
        st.file_uploader("or a file", type=["txt", "md", "py", "csv"], key=UPLOADED, max_upload_size=MAX_MEGABYTES)
        controls.segments(state.TEXT_UNIT)
    if st.session_state.get(PASTED) or st.session_state.get(UPLOADED) is not None:
        try:
            found = text()
        except InputError as error:
            st.error(plain(str(error)), icon=":material/error:")
        else:
            st.success(f"{len(found):,} characters; the last tenth is kept for testing.", icon=":material/check:")


def text() -> str:
    """What is to be learnt; InputError when it cannot be."""
    from seq2seq_core.toys.tasks import decode_upload
    from seq2seq_core.toys.texts import check_own

    uploaded = st.session_state.get(UPLOADED)
    given = decode_upload(uploaded.getvalue()) if uploaded is not None else str(st.session_state.get(PASTED) or "")
    return check_own(given if given.strip() else program())


def program() -> str:
    """Every file of the room of the models, one after the other."""
    return "\n".join(path.read_text(encoding="utf8") for path in sorted(PROGRAM.glob("*.py")))
