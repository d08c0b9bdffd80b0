"""A photo: the samples, a file, the camera."""

from __future__ import annotations

import streamlit as st

from demo import state
from demo.blocks.player import play
from demo.blocks.taking import opener, say_wrong, taken
from demo.components.events import choice
from demo.components.photo_strip.mount import Thumb, photo_strip
from demo.given import photos
from demo.given.assets import forget_edits
from demo.given.photos import SAMPLES
from demo.query import Asset
from demo.visitors import switches

UPLOAD, CAMERA = "photo_file", "photo_camera"
OPENED, WRONG, STRIP = "photo_opened", "photo_wrong", "photo_strip"
THUMB = 112  # pixels of a sample to choose: two for each of the screen
MAX_MEGABYTES = 8


def choices() -> None:
    """The way in for an own photo, and the samples."""
    ways = [part for part in ("upload", "camera") if switches.on(part)]
    if ways:
        with opener(OPENED, "Your photo", ":material/add_a_photo:"):
            if "upload" in ways:
                st.file_uploader(
                    "A JPEG, PNG or WebP file", key=UPLOAD, max_upload_size=MAX_MEGABYTES, on_change=upload, args=("upload", UPLOAD)
                )
            if "camera" in ways and st.toggle("Use the camera", key="camera_on"):
                st.camera_input("Camera", key=CAMERA, on_change=upload, args=("camera", CAMERA))
            st.caption("It is read here, kept in memory for as long as you look at it, and sent nowhere.")
    shown = photos.shown().name
    thumbs = [Thumb(sample.title, sample.credit, photos.url(Asset("photo", sample.name), THUMB)) for sample in SAMPLES]
    names = [sample.name for sample in SAMPLES]
    with st.container(width="stretch"):
        photo_strip(thumbs, key=STRIP, chosen=names.index(shown) if shown in names else None, on_choose=_choose)


def shown() -> Asset:
    """The page's photo; what was wrong with the last upload is said."""
    say_wrong(WRONG)
    return photos.shown()


def take_sample(name: str) -> None:
    """In a callback: this sample is the page's photo."""
    _take("")
    state.remember(state.PHOTO, name)


def _take(own: str) -> None:
    st.session_state[state.OWN_PHOTO] = own
    forget_edits()


def _choose() -> None:
    place = choice(STRIP, len(SAMPLES))
    if place is not None:
        take_sample(SAMPLES[place].name)
        play()


def upload(part: str, key: str) -> None:
    """Callback of the upload box and the camera. The photo, or why it cannot be read, is seen behind what was opened to choose it."""
    file = st.session_state.get(key)
    if file is not None and (own := taken(lambda: photos.hold(file.getvalue(), part), opened=OPENED, wrong=WRONG)):
        _take(own)
        play()
