"""Recordings to listen to: samples, and what a visitor uploads or says; as sound, as picture, and as a player in a browser takes them."""

from __future__ import annotations

import base64
import hashlib
import io
import wave
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from demo import state
from demo.given.held import Held
from demo.query import Asset
from demo.visitors import switches
from demo.visitors.kept import kept
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.inputs.sound import Samples, Sound

FOLDER = Path(__file__).parents[1] / "examples" / "recordings"
SOUNDS_KEPT, URLS_KEPT = 16, 16  # of all visitors: at most 1.3 MB each
OWN = "own-sound-"  # begins the name of a visitor's own recording
LOW, HIGH = (250, 249, 247), (26, 28, 34)  # of a spectrogram: silence, and what is loudest

HELD = Held[bytes](state.SOUNDS, most=4)  # each as a WAV file of what is read of it, at most 640 kB


@dataclass(frozen=True, slots=True)
class Sample:
    """A number that comes with the app, said by a free synthesiser."""

    name: str
    number: str
    credit: str


SPOKEN = "spoken by the synthesiser Flite (Carnegie Mellon University, free software of the BSD kind)"
SAMPLES = (  # the first is what the page opens on
    Sample("three-five-nine", "three five nine", f"voice slt, {SPOKEN}"),
    Sample("eight-six-five", "eight six five", f"voice awb, {SPOKEN}"),
    Sample("five-five-five-one", "five five five one", f"voice slt, {SPOKEN}"),
    Sample("six-one-nine", "six one nine", f"voice kal16, {SPOKEN}"),
)


def shown() -> Asset:
    """A visitor's own recording if there is one, else the sample that the link names, else the first."""
    own = HELD.own(state.OWN_SOUND, "Your recording is no longer held here; say or choose it again.", ":material/mic_off:")
    return named(own or state.current(state.RECORDING))


def named(name: str) -> Asset:
    """The one that a link or the page names; without a name that is known, the first sample."""
    known = name.startswith(OWN) or any(sample.name == name for sample in SAMPLES)
    return Asset("sound", name if known else SAMPLES[0].name)


def credit(asset: Asset) -> str:
    """Who said it, or that it is the visitor's own."""
    return next((sample.credit for sample in SAMPLES if sample.name == asset.name), "your recording: it stays on this computer")


def sound(asset: Asset) -> Sound:
    """InputError when it is one of a visitor's that is no longer held."""
    if not asset.name.startswith(OWN):
        return _opened(asset.name, (FOLDER / f"{named(asset.name).name}.wav").read_bytes())
    stored = HELD.get(asset.name)
    if stored is None:
        raise InputError("The recording is no longer held here; say or choose it again.")
    return _opened(asset.name, stored)


@kept(SOUNDS_KEPT, by=lambda name, _: name)
def _opened(name: str, stored: bytes) -> Sound:  # noqa: ARG001  the name stands for the content
    from seq2seq_core.inputs.recording import open_recording

    return open_recording(stored)


def hold(data: bytes, part: str) -> tuple[str, float]:
    """Check a recording and keep what is read of it for as long as the session lives: its name, and its length in seconds."""
    from demo.resources import my_turn
    from seq2seq_core.inputs.recording import open_recording

    switches.demand(part)
    name = OWN + hashlib.sha256(data).hexdigest()[:40]
    with my_turn():  # the largest file takes 130 MB while it is opened
        opened = open_recording(data)
    HELD.keep(name, as_wave(opened.samples))
    return name, opened.seconds


def as_wave(samples: Samples) -> bytes:
    """A WAV file of one channel and 16 bits."""
    from seq2seq_core.inputs.sound import RATE

    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((1, 2, RATE, len(samples), "NONE", ""))
        file.writeframes((samples.clip(-1, 1) * 32767).astype("<i2").tobytes())
    return out.getvalue()


def picture(asset: Asset) -> Image.Image:
    """The spectrogram as the model reads it, time to the right and pitch upwards; a position is as wide as a cell of its grid."""
    return spectrogram(sound(asset))


def spectrogram(heard: Sound) -> Image.Image:
    from seq2seq_core.inputs.sound import BANDS, SHAPE, features

    frames = features(heard.samples).view(-1, BANDS).numpy()  # [4 S, 40]
    loud = (frames.T[::-1] / max(float(frames.max()), 1e-6))[..., None]
    shades = np.array(LOW) + loud**1.3 * (np.array(HIGH) - np.array(LOW))
    return Image.fromarray(shades.round().astype(np.uint8)).resize(SHAPE, Image.Resampling.BILINEAR)


@kept(URLS_KEPT)
def picture_url(asset: Asset) -> str:
    file = io.BytesIO()
    picture(asset).save(file, "JPEG", quality=85)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()


@kept(URLS_KEPT)
def sound_url(asset: Asset) -> str:
    """As a WAV file in a data URL: what every browser plays."""
    return "data:audio/wav;base64," + base64.b64encode(as_wave(sound(asset).samples)).decode()
