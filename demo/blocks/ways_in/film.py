"""A film of a gesture: the camera, a file. There are no samples, since whose the films are that the models learnt from is not known."""

from __future__ import annotations

import streamlit as st

from demo import state
from demo.blocks.player import play
from demo.blocks.taking import opener, say_wrong, taken
from demo.blocks.ways_in.clip import order_buttons
from demo.components.filming.mount import filmed, filming
from demo.given import clips
from demo.given.assets import forget_edits
from demo.query import Asset
from demo.visitors import switches
from seq2seq_core.inputs.clip import SHAPES

TASK = "gesture"
OPENED, UPLOAD, CAMERA, WRONG = "film_opened", "film_file", "film_camera", "film_wrong"
MAX_MEGABYTES = 8
FIRST = "Take Your film, and make one of the five gestures before your computer’s camera. Left and right are your own."
UNSHOWN = "No sample stands here: whose the films are that the models learnt from is not known, so they are not shown."


def choices() -> None:
    """The way to a film of one's own, and its frames in another order."""
    if held := clips.own_film():
        order_buttons(held.name, "film", _reorder)
    given = [part for part in ("camera", "upload") if switches.on(part)]
    if not given:
        return
    frames = SHAPES[TASK][0]
    with opener(OPENED, "Your film", ":material/videocam:"):
        filming(frames, key=CAMERA, on_film=_film if "camera" in given else None, on_file=_film_file if "upload" in given else None)
        if "upload" in given:
            st.file_uploader("Or a GIF, moving WebP or PNG", key=UPLOAD, max_upload_size=MAX_MEGABYTES, on_change=_take)
        st.caption(f"{frames} of its frames are read. It stays in the memory of this computer for as long as you look at it.")


def shown() -> Asset | None:
    """The visitor's film, if there is one; what was wrong with the last is said."""
    say_wrong(WRONG)
    return clips.own_film()


def first() -> str:
    """What to do where there is none yet."""
    return f"{FIRST} {UNSHOWN}" if switches.on("camera") or switches.on("upload") else UNSHOWN


def _reorder(order: str) -> None:
    """Callback: the frames in this order, or in their own again."""
    st.session_state[state.OWN_FILM] = clips.turned_over(str(st.session_state.get(state.OWN_FILM, "")), order)
    forget_edits()
    play()


def _film() -> None:
    """Callback of the camera."""
    if (found := filmed(CAMERA, "film")) is not None:
        _hold(found, "camera", as_strip=True)


def _film_file() -> None:
    """Callback of a film that the browser has read."""
    if (found := filmed(CAMERA, "file")) is not None:
        _hold(found, "upload", as_strip=True)


def _take() -> None:
    """Callback of the upload."""
    if (file := st.session_state.get(UPLOAD)) is not None:
        _hold(file.getvalue(), "upload")


def _hold(data: bytes, part: str, *, as_strip: bool = False) -> None:
    """What cannot be read is said in one sentence, and the film before stays."""
    if held := taken(lambda: clips.hold(data, part, TASK, as_strip=as_strip), opened=OPENED, wrong=WRONG):
        st.session_state[state.OWN_FILM] = held
        forget_edits()
        play()
