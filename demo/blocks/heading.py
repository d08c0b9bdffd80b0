"""A page's title and, on the same line, what it offers to begin with: examples, or the sample photos."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from demo import state
from demo.blocks.player import play
from demo.blocks.taking import close, opener
from demo.components.events import choice
from demo.components.photo_strip.mount import Thumb, photo_strip
from demo.examples import Example
from demo.fields import Field
from demo.given import assets
from demo.given.assets import SAMPLES
from demo.query import Asset
from demo.tasks import TaskRow
from demo.visitors import switches
from demo.wording import plain, shortened

UPLOAD, CAMERA = "photo_file", "photo_camera"
OPENED, STRIP = "photo_opened", "photo_strip"
THUMB = 112  # pixels of a sample to choose: two for each of the screen
MAX_MEGABYTES = 8


def heading(title: str, row: TaskRow, offered: Sequence[Example] | None = None, field: Field[str] | None = None) -> None:
    """`offered` and `field`: other examples than those of the task, and the text that they fill."""
    examples = row.examples() if offered is None else offered
    field = field or row.prompt or next(iter(row.fields))
    with titled(title):
        if offered is None and any(slot.kind != "text" for slot in row.core.reads):
            photo_row()
        else:
            example_row(examples, field, row)


@contextmanager
def titled(title: str) -> Iterator[None]:
    """What is drawn inside stands behind the title."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.title(title, anchor=False, width="content")
        yield


def example_row(offered: Sequence[Example], field: Field[str], row: TaskRow | None = None) -> None:
    """Each fills the field, and of a row what is read with it, and plays."""
    with st.container(horizontal=True, wrap=False, width="stretch", gap="small"):  # on a phone the examples scroll sideways
        for i, example in enumerate(offered):
            label = plain(shortened(example.text)) or "nothing"
            st.button(label, key=f"example_{i}", type="tertiary", help=plain(example.shows), on_click=take, args=(field, example, row))


def take(field: Field[str], example: Example, row: TaskRow | None = None) -> None:
    """Callback of an example."""
    state.assign(field, example.text)
    if row is not None and example.given:
        state.assign(next(iter(row.fields)), example.given)
    if example.drawn and state.SEARCH.key in st.session_state:  # where the page has a search to choose
        state.assign(state.SEARCH, "sample")
        state.assign(state.SEED, (state.current(state.SEED) + 1) % state.SEED.high)
    play()


def photo_row() -> None:
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
