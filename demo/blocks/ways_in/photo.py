"""A photo: the samples, a file, the camera."""

from __future__ import annotations

import streamlit as st

from demo import state
from demo.blocks.player import play
from demo.blocks.taking import close, opener
from demo.components.events import choice
from demo.components.photo_strip.mount import Thumb, photo_strip
from demo.given import assets
from demo.given.assets import SAMPLES
from demo.query import Asset
from demo.visitors import switches

UPLOAD, CAMERA = "photo_file", "photo_camera"
OPENED, STRIP = "photo_opened", "photo_strip"
THUMB = 112  # pixels of a sample to choose: two for each of the screen
MAX_MEGABYTES = 8


def choices() -> None:
    """The way in for an own photo, and the samples."""
    ways = [part for part in ("upload", "camera") if switches.on(part)]
    if ways:
        with opener(OPENED, "Your photo", ":material/add_a_photo:"):
            if "upload" in ways:
                st.file_uploader(
                    "A JPEG, PNG or WebP file", key=UPLOAD, max_upload_size=MAX_MEGABYTES, on_change=_upload, args=("upload", UPLOAD)
                )
            if "camera" in ways and st.toggle("Use the camera", key="camera_on"):
                st.camera_input("Camera", key=CAMERA, on_change=_upload, args=("camera", CAMERA))
            st.caption("It is read here, kept in memory for as long as you look at it, and sent nowhere.")
    shown = assets.shown().name
    thumbs = [Thumb(sample.title, sample.credit, assets.photo_url(Asset("photo", sample.name), THUMB)) for sample in SAMPLES]
    names = [sample.name for sample in SAMPLES]
    with st.container(width="stretch"):
        photo_strip(thumbs, key=STRIP, chosen=names.index(shown) if shown in names else None, on_choose=_sample)


def shown() -> Asset:
    """The page's photo; what was wrong with the last upload is said."""
    wrong = assets.error()
    if wrong:
        st.error(wrong, icon=":material/error:")
    return assets.shown()


def _sample() -> None:
    place = choice(STRIP, len(SAMPLES))
    if place is not None:
        assets.take_sample(SAMPLES[place].name)
        play()


def _upload(part: str, key: str) -> None:
    """The photo, or why it cannot be read, is seen behind what was opened to choose it."""
    before = st.session_state.get(state.OWN_PHOTO)
    if st.session_state.get(key) is not None:
        close(OPENED)
    assets.take_upload(part, key)
    if st.session_state.get(state.OWN_PHOTO) != before:
        play()
