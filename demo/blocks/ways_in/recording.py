"""A recording: the samples, the microphone, a file."""

from __future__ import annotations

import streamlit as st

from demo import state
from demo.blocks.player import play
from demo.blocks.taking import opener, say_wrong, taken
from demo.given import recordings
from demo.given.assets import forget_edits
from demo.query import Asset
from demo.visitors import switches
from demo.wording import plain

OPENED, UPLOAD, MICROPHONE = "sound_opened", "sound_file", "sound_said"
WRONG, CUT = "sound_wrong", "sound_cut"  # in the session: what to say of the last recording, once
MAX_MEGABYTES = 16
READ_SECONDS = 20


def choices() -> None:
    """The way in for an own recording, and the samples."""
    ways = [part for part in ("microphone", "upload") if switches.on(part)]
    if ways:
        _own(ways)
    with st.container(horizontal=True, wrap=False, width="stretch", gap="small"):
        for sample in recordings.SAMPLES:
            tip = plain(sample.credit)
            st.button(sample.number, key=f"sample_{sample.name}", type="tertiary", help=tip, on_click=_sample, args=(sample.name,))


def shown() -> Asset:
    """The page's recording; what was wrong with the last one is said."""
    say_wrong(WRONG)
    return recordings.shown()


def _own(ways: list[str]) -> None:
    with opener(OPENED, "Your voice", ":material/mic:"):
        if "microphone" in ways:
            st.audio_input(
                "Say a number, digit by digit", key=MICROPHONE, sample_rate=16_000, on_change=_take, args=("microphone", MICROPHONE)
            )
        if "upload" in ways:
            st.file_uploader(
                "A WAV, FLAC, OGG or MP3 file", key=UPLOAD, max_upload_size=MAX_MEGABYTES, on_change=_take, args=("upload", UPLOAD)
            )
        st.caption(f"At most {READ_SECONDS} seconds are read. It stays in the memory of this computer for as long as you look at it.")


def _sample(name: str) -> None:
    st.session_state[state.OWN_SOUND] = ""
    st.session_state.pop(CUT, None)
    state.remember(state.RECORDING, name)
    forget_edits()
    play()


def _take(part: str, key: str) -> None:
    """Callback of the microphone and the upload. What cannot be read is said in one sentence, and the recording before stays."""
    file = st.session_state.get(key)
    if file is not None and (held := taken(lambda: recordings.hold(file.getvalue(), part), opened=OPENED, wrong=WRONG)):
        st.session_state[state.OWN_SOUND], st.session_state[CUT] = held
        forget_edits()
        play()


def cut() -> str:
    """That not all of the own recording was read; empty where it was."""
    seconds = st.session_state.get(CUT, 0.0) if st.session_state.get(state.OWN_SOUND) else 0.0
    if seconds <= READ_SECONDS + 0.5:
        return ""
    return f"The recording lasts {seconds:,.0f} s: the first {READ_SECONDS} were read."
