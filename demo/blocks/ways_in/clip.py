"""A clip that the lab renders: the samples, their frames in another order, and an animation of one's own."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from demo import state
from demo.blocks.player import play
from demo.blocks.taking import opener, say_wrong, taken
from demo.components.filming.mount import filmed, filming
from demo.given import clips
from demo.given.assets import forget_edits
from demo.query import Asset
from demo.visitors import switches
from seq2seq_core.inputs.clip import FRAMES

OPENED, UPLOAD, FILM = "clip_opened", "clip_file", "clip_film"
WRONG = "clip_wrong"  # in the session: what to say of the last clip, once
MAX_MEGABYTES = 8
ORDERS = (  # with the name of its button
    (clips.SHUFFLED, "Shuffle", "The same frames in another order."),
    (clips.BACKWARDS, "Backwards", "The same frames from the last to the first."),
)


def choices() -> None:
    """The way in for an own animation, the samples, and the frames of what is shown in another order."""
    own()
    samples()
    orders()


def shown() -> Asset:
    """The page's clip; what was wrong with the last one is said."""
    say_wrong(WRONG)
    return clips.shown()


def samples() -> None:
    with st.container(horizontal=True, wrap=False, width="stretch", gap="small"):
        for place, sample in enumerate(clips.SAMPLES):
            st.button(sample.label, key=f"sample_{place}", type="tertiary", on_click=show, args=(sample.code,))


def orders() -> None:
    """Of a clip that the lab rendered."""
    code = clips.shown().name
    if not code.startswith(clips.OWN):
        order_buttons(code, "clip", _reorder)


def order_buttons(code: str, key: str, on_click: Callable[[str], None]) -> None:
    """Another order of the frames, or their own again."""
    for order, label, tip in ORDERS:
        label = "In order" if clips.order_of(code) == order else label
        st.button(label, key=f"{key}_{order}", help=tip, on_click=on_click, args=(order,))


def _reorder(order: str) -> None:
    """Callback: the frames of the clip that is shown in this order, or in their own again."""
    show(clips.turned_over(clips.named(state.current(state.CLIP)).name, order))


def show(code: str) -> None:
    """In a callback: this clip, played."""
    st.session_state[state.OWN_CLIP] = ""
    state.remember(state.CLIP, code)
    forget_edits()
    play()


def own() -> None:
    """The way in for an animation."""
    if not switches.on("upload"):
        return
    with opener(OPENED, "Your clip", ":material/upload:"):
        st.file_uploader("A GIF, moving WebP or PNG", key=UPLOAD, max_upload_size=MAX_MEGABYTES, on_change=_take)
        filming(FRAMES, key=FILM, on_file=_film)
        told = "The models know the clips that the lab renders and no others, so they will be wrong about it."
        st.caption(f"{FRAMES} of its frames are shown. {told}")
        st.caption("It stays in the memory of this computer for as long as you look at it.")


def _take() -> None:
    """Callback of the upload."""
    if (file := st.session_state.get(UPLOAD)) is not None:
        _hold(file.getvalue(), as_strip=False)


def _film() -> None:
    """Callback of a film that the browser has read."""
    if (found := filmed(FILM, "file")) is not None:
        _hold(found, as_strip=True)


def _hold(data: bytes, *, as_strip: bool) -> None:
    """What cannot be read is said in one sentence, and the clip before stays."""
    if held := taken(lambda: clips.hold(data, "upload", as_strip=as_strip), opened=OPENED, wrong=WRONG):
        st.session_state[state.OWN_CLIP] = held
        forget_edits()
        play()
