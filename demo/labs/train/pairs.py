"""A visitor's own pairs on the Train page: pasted or uploaded, checked line by line with a progress bar."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import streamlit as st

from demo import state
from demo.labs.train.ready import SETS
from demo.visitors import switches
from demo.wording import plain
from seq2seq_core.errors import InputError

PASTED, UPLOADED = "pasted_pairs", "uploaded_pairs"
CHECKED = "checked_pairs"  # in the session: (fingerprint, sentence, first source, whether it can be used)
MAX_MEGABYTES = 16


def block() -> None:
    """The two ways to give pairs, and what was found in them."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Write your own, or begin with", width="content")
        for name, make in SETS.items():
            st.button(name, key=f"ready_{name}", on_click=_take, args=(make,))
    left, right = st.columns(2, gap="medium")
    with left:
        st.text_area(
            "Pairs, one a line", key=PASTED, height=150, placeholder="source TAB target\nor: source -> target", persist_state="session"
        )
    with right:
        if switches.on("upload"):
            st.file_uploader("or a TSV file", type=["tsv", "txt"], key=UPLOADED, max_upload_size=MAX_MEGABYTES)
    found = _raw()
    if found:
        fingerprint = hashlib.sha256(found).hexdigest()
        if st.session_state.get(CHECKED, ("",))[0] != fingerprint:
            st.session_state[CHECKED] = (fingerprint, *_check(found))
        _, sentence, _, good = st.session_state[CHECKED]
        (st.success if good else st.error)(plain(sentence), icon=":material/check:" if good else ":material/error:")


def _take(make: Callable[[], str]) -> None:
    """Callback: a set that stands ready is pasted, and may be changed."""
    st.session_state[PASTED] = make()


def _raw() -> bytes:
    uploaded = st.session_state.get(UPLOADED) if switches.on("upload") else None
    return uploaded.getvalue() if uploaded is not None else str(st.session_state.get(PASTED) or "").encode()


def _check(data: bytes) -> tuple[str, str, bool]:
    from seq2seq_core.toys.tasks import decode_upload, read_own

    bar = st.progress(0.0, "Checking line by line")
    try:

        def advance(share: float) -> None:
            bar.progress(share, f"Checking line by line: {share:.0%}")

        pairs = read_own(decode_upload(data), advance)
    except InputError as error:
        return str(error), "", False
    finally:
        bar.empty()
    return f"{len(pairs):,} pairs; every tenth, at most 200, is kept for testing.", pairs[0][0], True


def text() -> str:
    """The checked pairs, as lines; InputError when there are none or they cannot be used."""
    data = _raw()
    if not data:
        raise InputError("There are no pairs yet; paste some or upload a file.")
    from seq2seq_core.toys.tasks import decode_upload, read_own

    read_own(written := decode_upload(data))
    return written


def example() -> str:
    """The first source, to be watched."""
    _, _, first, good = st.session_state.get(CHECKED, ("", "", "", False))
    return first if good and state.current(state.PRESET) == "own pairs" else ""
