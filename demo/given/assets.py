"""What is given that is no text: one door to photos, recordings and clips for whoever does not care which it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import streamlit as st

from demo import state
from demo.given import clips, photos, recordings
from demo.query import Asset
from demo.tasks import TASKS
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

    from seq2seq_core.inputs.clip import Clip
    from seq2seq_core.inputs.sound import Sound

SHOWN_SIDE, SMALL_SIDE = 900, 480  # pixels of the photo in a player
OWNS = {  # by the field: where the session has the name of a visitor's own, and what it is
    state.PHOTO.key: (state.OWN_PHOTO, "photo"), state.RECORDING.key: (state.OWN_SOUND, "recording"),
    state.CLIP.key: (state.OWN_CLIP, "clip"), state.FILM.key: (state.OWN_FILM, "film"),
}  # fmt: skip
SEVERAL = ("steer", "compare", "how_it_works", "training_step")  # pages of more than one task


class Room(Protocol):
    """What a module of this folder does for every thing of its kind."""

    def named(self, name: str, /) -> Asset: ...

    def credit(self, asset: Asset, /) -> str: ...

    def picture(self, asset: Asset, /) -> Image: ...


ROOMS: Mapping[str, Room] = {"photo": photos, "sound": recordings, "clip": clips}  # by the kind


def named(kind: str, name: str) -> Asset:
    """The one that a link or the page names; without a name, the first sample."""
    if kind not in ROOMS:
        raise InputError(f"There is no sample {kind} yet.")
    return ROOMS[kind].named(name)


def image(asset: Asset) -> Image:
    """A photo, the spectrogram of a recording, the film strip of a clip. InputError when it is an upload that is no longer held."""
    return ROOMS[asset.kind].picture(asset)


def title(asset: Asset) -> str:
    """Nothing for a recording and a clip: their names say what is to be found out."""
    return photos.title(asset) if asset.kind == "photo" else ""


def credit(asset: Asset) -> str:
    """Who made it, or that it is the visitor's own."""
    return ROOMS[asset.kind].credit(asset)


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


def forget_edits() -> None:
    """Another photo: what was painted on the last one does not hold for it, nor do the nodes of its tree."""
    state.remember(state.EDITS, "")
    state.remember(state.NODE, state.NODE.default)


def url(asset: Asset | None, side: int) -> str | None:
    """What a player shows of it; nothing of no photo."""
    if asset is None:
        return None
    if asset.kind == "photo":
        return photos.url(asset, side)
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
