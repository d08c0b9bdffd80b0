"""The photo on the Caption page: samples that may be shown, and uploads, checked before anything else is done with them."""

from __future__ import annotations

import base64
import hashlib
import io
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from demo import state
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.photo import open_photo

if TYPE_CHECKING:
    from PIL.Image import Image

FOLDER = Path(__file__).parent / "examples" / "photos"
UPLOADS_KEPT = 16  # of all visitors; at most 5 MB each
SHOWN_SIDE, SMALL_SIDE = 900, 480  # pixels of the photo in a player
OWN = "upload-"  # begins the name of a visitor's own photo

_opening = threading.Lock()  # one upload is decoded at a time: that is what takes memory


@dataclass(frozen=True, slots=True)
class Sample:
    """A photo that comes with the app."""

    name: str
    title: str
    credit: str  # who made it, and under which licence it is here


SAMPLES = (  # first what the models were trained for, then what they have never seen
    Sample("dog", "Dog", "Hans Kemperman, public domain"),
    Sample("band", "Band", "candyschwartz on Flickr, CC BY 2.0, made smaller"),
    Sample("mountains", "Mountains", "Aitzol Berasategi, CC BY 4.0, made smaller"),
    Sample("bear", "Bear", "photographer unknown, public domain"),
    Sample("cat", "Cat", "Stefan van der Walt, CC0"),
    Sample("astronaut", "Astronaut", "NASA, public domain"),
    Sample("coffee", "Coffee", "Rachel Michetti, CC0"),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """The photo that is to be described; `name` stands for its content."""

    name: str
    image: Image
    credit: str


def shown() -> Shown:
    """A visitor's own photo if there is one, else the sample that the link names, else the first."""
    own = str(st.session_state.get(state.OWN_PHOTO, ""))
    if own:
        try:
            return Shown(own, _kept(own, None), "your photo: it stays on this computer")
        except InputError:
            st.session_state[state.OWN_PHOTO] = ""
            st.warning("Your photo is no longer held here; choose it again.", icon=":material/image_not_supported:")
    chosen = state.current(state.PHOTO)
    sample = next((sample for sample in SAMPLES if sample.name == chosen), SAMPLES[0])
    return Shown(sample.name, sample_image(sample.name), sample.credit)


@st.cache_resource(show_spinner=False)
def sample_image(name: str) -> Image:
    return open_photo((FOLDER / f"{name}.jpg").read_bytes()).image


@st.cache_resource(max_entries=UPLOADS_KEPT, show_spinner=False)
def _kept(name: str, _data: bytes | None) -> Image:  # noqa: ARG001  the name stands for the content
    if _data is None:
        raise InputError("The photo is no longer held here; choose it again.")
    with _opening:
        return open_photo(_data).image


def take_sample(name: str) -> None:
    """Callback of a sample."""
    st.session_state[state.OWN_PHOTO] = ""
    state.remember(state.PHOTO, name)
    forget_edits()


def take_upload(key: str) -> None:
    """Callback of the upload box and the camera. What cannot be read is said in one sentence, and the photo before stays."""
    file = st.session_state.get(key)
    if file is None:
        return
    data = file.getvalue()
    name = OWN + hashlib.sha256(data).hexdigest()[:40]
    try:
        _kept(name, data)
    except InputError as error:
        st.session_state[state.PHOTO_ERROR] = str(error)
        return
    st.session_state[state.OWN_PHOTO] = name
    forget_edits()


def forget_edits() -> None:
    """Another photo: what was painted on the last one does not hold for it, nor do the nodes of its tree."""
    state.remember(state.EDITS, "")
    state.remember(state.NODE, state.NODE.default)


def error() -> str:
    """What was wrong with the last upload, said once."""
    return str(st.session_state.pop(state.PHOTO_ERROR, ""))


@st.cache_data(max_entries=2 * UPLOADS_KEPT, show_spinner=False)
def data_url(name: str, side: int, _image: Image) -> str:  # noqa: ARG001  the name stands for the content
    """The photo as a JPEG in a data URL, for a player."""
    small = _image.copy()
    small.thumbnail((side, side))
    file = io.BytesIO()
    small.save(file, "JPEG", quality=88)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()
