"""Opening a recording: bytes in, the first seconds of it as one channel at 16 kHz or one clear sentence out."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.sound import Samples, Sound, resampled

if TYPE_CHECKING:
    from soundfile import SoundFile

FORMATS = {"WAV", "WAVEX", "RF64", "FLAC", "OGG", "MP3"}
MAX_BYTES = 16 * 1024 * 1024
MAX_SECONDS, MIN_SECONDS = 20, 0.1
MIN_RATE, MAX_RATE = 6_000, 192_000
MAX_CHANNELS = 8
SILENT = 1e-4  # the largest sample of a recording in which nothing is heard: 80 dB below full
AGAIN = "save it as WAV, FLAC, OGG or MP3 and choose that."


def open_recording(data: bytes) -> Sound:
    """Decode an upload. WAV, FLAC, OGG or MP3 of any usual rate; channels are mixed; what follows the first 20 seconds is left out."""
    if not data:
        raise InputError(f"The file is empty (0 bytes); choose a recording: {AGAIN}")
    if len(data) > MAX_BYTES:
        raise InputError(
            f"The file has {len(data) / 2**20:.1f} MB; at most {MAX_BYTES >> 20} MB are allowed, so cut it: 20 seconds are read."
        )
    try:
        from soundfile import SoundFile
    except (ImportError, OSError):
        raise InputError("Recordings cannot be read here: the package soundfile is not installed (see requirements.txt).") from None
    try:
        file = SoundFile(io.BytesIO(data))
    except Exception as error:  # a damaged header can make the library raise almost anything
        raise InputError(_what_it_is(data)) from error
    with file:
        _check(file)
        samples = _mixed(file)
        seconds = max(file.frames, len(samples)) / file.samplerate if file.frames < 1 << 40 else len(samples) / file.samplerate
        return Sound(_heard(resampled(samples, file.samplerate)), seconds)


def read_recording(path: Path) -> Sound:
    """A sound file, checked."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); check that the file is there.") from None
    return open_recording(data)


def _check(file: SoundFile) -> None:
    if file.format not in FORMATS:
        raise InputError(f"The file is a {file.format} sound, which is not read here; {AGAIN}")
    if not MIN_RATE <= file.samplerate <= MAX_RATE:
        raise InputError(f"The recording has {file.samplerate:,} samples a second; between {MIN_RATE:,} and {MAX_RATE:,} can be read.")
    if not 1 <= file.channels <= MAX_CHANNELS:
        raise InputError(f"The recording has {file.channels} channels; at most {MAX_CHANNELS} can be mixed, so save it with one.")


def _mixed(file: SoundFile) -> Samples:
    """The first seconds as one channel, a second at a time, so that no more than that is ever held in full."""
    blocks: list[Samples] = []
    try:
        for _ in range(MAX_SECONDS):
            block: np.ndarray[Any, Any] = file.read(file.samplerate, dtype="float32", always_2d=True)
            blocks.append(np.nan_to_num(block, nan=0.0, posinf=0.0, neginf=0.0).clip(-1e3, 1e3).mean(1, dtype=np.float32))
            if len(block) < file.samplerate:
                break
    except Exception as error:
        if not blocks:
            raise InputError(f"The recording is damaged; open it in a player, {AGAIN}") from error
    return np.concatenate(blocks)


def _heard(samples: Samples) -> Samples:
    """Without a constant part, from -1 to 1; not too short, and not silent."""
    if len(samples) < MIN_SECONDS * 16_000:
        raise InputError(f"The recording lasts {len(samples) / 16_000:.2f} s, or ends too early; at least {MIN_SECONDS:g} s are needed.")
    samples = samples - samples.mean()
    peak = float(np.abs(samples).max())
    if peak < SILENT:
        raise InputError("The recording is silent: nothing in it is louder than 80 dB below the loudest. Is the microphone on?")
    return samples / max(peak, 1.0)


def _what_it_is(data: bytes) -> str:
    if data[4:8] == b"ftyp":
        return f"The file is an M4A or MP4 recording, which cannot be read here; {AGAIN}"
    if data.startswith(b"\x1a\x45\xdf\xa3"):
        return f"The file is a WebM recording, which cannot be read here; {AGAIN}"
    if data.startswith((b"RIFF", b"RF64", b"fLaC", b"OggS", b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2")):
        return f"The recording's header is damaged, or it is compressed in an unusual way; open it in a player, {AGAIN}"
    return f"The file is not a WAV, FLAC, OGG or MP3 recording, whatever its name says; {AGAIN}"
