"""What is given that is no text: samples that may be shown, and uploads, checked before anything else is done with them."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from demo import state
from demo.errors import sentence_of
from demo.given import clips, recordings
from demo.query import Asset
from demo.tasks import TASKS
from demo.visitors import switches
from demo.visitors.kept import kept
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.photo import open_photo

if TYPE_CHECKING:
    from PIL.Image import Image

    from seq2seq_core.inputs.clip import Clip
    from seq2seq_core.inputs.sound import Sound

FOLDER = Path(__file__).parents[1] / "examples" / "photos"
UPLOADS_KEPT = 4  # of a session
IMAGES_KEPT = 8  # opened, of all visitors: at most 5 MB each
URLS_KEPT = 48  # the samples, and as many again in other sizes
PATIENCE_SECONDS = 10.0
SHOWN_SIDE, SMALL_SIDE = 900, 480  # pixels of the photo in a player
OWN = "upload-"  # begins the name of a visitor's own photo
OWNS = {  # by the field: where the session has the name of a visitor's own, and what it is
    state.PHOTO.key: (state.OWN_PHOTO, "photo"), state.RECORDING.key: (state.OWN_SOUND, "recording"),
    state.CLIP.key: (state.OWN_CLIP, "clip"), state.FILM.key: (state.OWN_FILM, "film"),
}  # fmt: skip
SEVERAL = ("steer", "compare", "how_it_works", "training_step")  # pages of more than one task

_opening = threading.BoundedSemaphore(os.cpu_count() or 2)


@dataclass(frozen=True, slots=True)
class Sample:
    """A photo that comes with the app."""

    name: str
    title: str
    credit: str  # who made it, and under which licence it is here
    note: str = ""  # what there is to see in the captions of it


SAMPLES = (  # the first is what the page opens on
    Sample("dog", "Dog", "Hans Kemperman, public domain"),
    Sample("band", "Band", "candyschwartz on Flickr, CC BY 2.0, made smaller"),
    Sample("mountains", "Mountains", "Aitzol Berasategi, CC BY 4.0, made smaller"),
    Sample("bear", "Bear", "photographer unknown, public domain"),
    Sample("cat", "Cat", "Stefan van der Walt, CC0"),
    Sample("astronaut", "Astronaut", "NASA, public domain"),
    Sample("coffee", "Coffee", "Rachel Michetti, CC0"),
    Sample("giraffes", "Giraffes", "Mike and Lara Wolfe, CC0"),
    Sample("motorcycle", "Motorcycle", "Scharstein et al. 2014, Middlebury stereo, CC0"),
    Sample("cow", "Cow", "Dohduhdah, public domain"),
    Sample("kitten", "Kitten", "GalgenTX, CC BY 2.0, made smaller"),
    Sample("sheep", "Sheep", "Rob Mitchell, public domain"),
    Sample("duck", "Duck", "Bernard Spragg, public domain"),
    Sample("panda", "Panda", "Aaron Logan, CC BY 1.0, made smaller"),
    Sample("scissors", "Scissors", "Modeha, CC BY 1.0"),
    Sample("city", "City", "photographer not named, public domain"),
    Sample("dogs", "Two dogs", "Aitzol Berasategi, CC BY 4.0, made smaller"),
    Sample("horses", "Horses", "Seth Zeigler, public domain"),
    Sample("tiger", "Tiger", "Pexels, CC0", "Hardly a caption it learnt from names a tiger: it takes the nearest word it knows."),
    Sample("temple", "Temple", "danielbuechele on Flickr, CC BY 2.0, made smaller"),
)


def shown() -> Asset:
    """A visitor's own photo if there is one, else the sample that the link names, else the first."""
    own = Asset("photo", str(st.session_state.get(state.OWN_PHOTO, "")))
    if own.name:
        try:
            image(own)
        except InputError:
            st.session_state[state.OWN_PHOTO] = ""
            st.warning("Your photo is no longer held here; choose it again.", icon=":material/image_not_supported:")
        else:
            return own
    chosen = state.current(state.PHOTO)
    return Asset("photo", next((sample.name for sample in SAMPLES if sample.name == chosen), SAMPLES[0].name))


def named(kind: str, name: str) -> Asset:
    """The one that a link or the page names; without a name, the first sample."""
    if kind == "sound":
        return recordings.named(name)
    if kind == "clip":
        return clips.named(name)
    if kind != "photo":
        raise InputError(f"There is no sample {kind} yet.")
    return Asset("photo", name or SAMPLES[0].name)


def image(asset: Asset) -> Image:
    """A photo, the spectrogram of a recording, the film strip of a clip. InputError when it is an upload that is no longer held."""
    if asset.kind == "sound":
        return recordings.picture(asset)
    if asset.kind == "clip":
        return clips.picture(asset)
    if not asset.name.startswith(OWN):
        return sample_image(asset.name)
    stored = _held().get(asset.name)
    if stored is None:
        raise InputError("The photo is no longer held here; choose it again.")
    return _opened(asset.name, stored)


def note(asset: Asset) -> str:
    """What the page says of a sample beside its caption; mostly nothing."""
    return next((sample.note for sample in SAMPLES if sample.name == asset.name), "")


def title(asset: Asset) -> str:
    """Nothing for a recording and a clip: their names say what is to be found out."""
    if asset.kind != "photo":
        return ""
    return next((sample.title for sample in SAMPLES if sample.name == asset.name), "your photo")


def credit(asset: Asset) -> str:
    """Who made it, or that it is the visitor's own."""
    if asset.kind == "sound":
        return recordings.credit(asset)
    if asset.kind == "clip":
        return clips.credit(asset)
    return next((sample.credit for sample in SAMPLES if sample.name == asset.name), "your photo: it stays on this computer")


def not_in_link(page: str) -> str:
    """What a link to this page cannot carry: what a visitor brought, where it is shown."""
    row = TASKS.get(_task_of(page))
    for field in row.fields if row else ():
        held, thing = OWNS.get(field.key, ("", ""))
        if held and st.session_state.get(held):
            return f"Your {thing} is not in it: it stays on this computer. To pass it on, take Export, Player, one HTML file."
    return ""


def _task_of(page: str) -> str:
    """Whose source a page shows; empty where that is nothing a visitor could have brought."""
    if page == "language_model":
        return "captioning" if state.current(state.LANGUAGE_PART) == "condition" else ""
    if page == "watch":
        return "gesture" if state.current(state.TASK) == "gesture" else "clip"
    alone = {"caption": "captioning", "ask": "question", "listen": "speech"}
    return alone.get(page, state.current(state.TASK) if page in SEVERAL else "")


@kept(len(SAMPLES))
def sample_image(name: str) -> Image:
    if name not in [sample.name for sample in SAMPLES]:
        raise InputError(f"There is no sample photo {name[:40]!r}; there are {', '.join(sample.name for sample in SAMPLES)}.")
    return open_photo((FOLDER / f"{name}.jpg").read_bytes()).image


@kept(IMAGES_KEPT, by=lambda name, _: name)
def _opened(name: str, stored: bytes) -> Image:  # noqa: ARG001  the name stands for the content
    """A photo of a session, ready to be looked at."""
    return open_photo(stored).image


def _held() -> dict[str, bytes]:
    """The photos of this session, the newest last: each as a JPEG of at most 1280 pixels a side, some hundred kilobytes."""
    held: dict[str, bytes] = st.session_state.setdefault(state.PHOTOS, {})
    return held


def hold(data: bytes, part: str = "upload") -> str:
    """Check a photo and keep what the models and the page need of it for as long as the session lives; its name."""
    switches.demand(part)
    name = OWN + hashlib.sha256(data).hexdigest()[:40]
    held = _held()
    if name not in held:
        held[name] = _stored(data)
        while len(held) > UPLOADS_KEPT:
            held.pop(next(iter(held)))
    return name


def _stored(data: bytes) -> bytes:
    """As many at once as there are processors, since each may take 200 MB while it is opened; nobody waits for ever."""
    if not _opening.acquire(timeout=PATIENCE_SECONDS):
        raise InputError(f"Too many photos are being opened: none was done within {PATIENCE_SECONDS:g} s. Choose yours again.")
    try:
        file = io.BytesIO()
        open_photo(data).image.save(file, "JPEG", quality=95, subsampling=0)
    finally:
        _opening.release()
    return file.getvalue()


def take_sample(name: str) -> None:
    """Callback of a sample."""
    st.session_state[state.OWN_PHOTO] = ""
    state.remember(state.PHOTO, name)
    forget_edits()


def take_upload(part: str, key: str) -> None:
    """Callback of the upload box and the camera. What cannot be read is said in one sentence, and the photo before stays."""
    file, held = st.session_state.get(key), list[str]()
    if file is None:
        return
    wrong = sentence_of(lambda: held.append(hold(file.getvalue(), part)))
    if wrong:
        st.session_state[state.PHOTO_ERROR] = wrong
        return
    st.session_state[state.OWN_PHOTO] = held[0]
    forget_edits()


def forget_edits() -> None:
    """Another photo: what was painted on the last one does not hold for it, nor do the nodes of its tree."""
    state.remember(state.EDITS, "")
    state.remember(state.NODE, state.NODE.default)


def error() -> str:
    """What was wrong with the last upload, said once."""
    return str(st.session_state.pop(state.PHOTO_ERROR, ""))


def url(asset: Asset | None, side: int) -> str | None:
    """What a player shows of it; nothing of no photo."""
    if asset is None:
        return None
    if asset.kind == "photo":
        return photo_url(asset, side)
    return recordings.picture_url(asset) if asset.kind == "sound" else clips.picture_url(asset)


def sound_url(asset: Asset | None) -> str | None:
    """What a player plays."""
    return recordings.sound_url(asset) if asset is not None and asset.kind == "sound" else None


def wave_of(asset: Asset) -> bytes:
    """The same as a file; nothing of what is silent."""
    return recordings.as_wave(recordings.sound(asset).samples) if asset.kind == "sound" else b""


def thing(asset: Asset) -> Image | Sound | Clip:
    """What a model reads."""
    if asset.kind == "clip":
        return clips.clip(asset)
    return recordings.sound(asset) if asset.kind == "sound" else image(asset)


@kept(URLS_KEPT)
def photo_url(asset: Asset, side: int) -> str:
    """The photo as a JPEG in a data URL, so wide and high at most."""
    small = image(asset).copy()
    small.thumbnail((side, side))
    file = io.BytesIO()
    small.save(file, "JPEG", quality=88)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()
