"""What may be uploaded as a recording: the same sound whatever its form, and a sentence for what is none."""

from __future__ import annotations

import io

import numpy as np
import pytest
import soundfile

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.recording import MAX_BYTES, MAX_SECONDS, open_recording
from seq2seq_core.inputs.sound import RATE


def tone(seconds: float, rate: int, hertz: float = 1000.0) -> np.ndarray:
    return (0.3 * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


def written(samples: np.ndarray, rate: int, form: str = "WAV", **options: str) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, samples, rate, format=form, **options)
    return file.getvalue()


@pytest.mark.parametrize(
    ("form", "rate"),
    [
        ("WAV", 8_000),
        ("WAV", 16_000),
        ("WAV", 44_100),
        ("WAV", 192_000),
        ("FLAC", 48_000),
        ("OGG", 44_100),
        ("MP3", 48_000),
        ("WAV", 11_025),
    ],
)
def test_a_tone_is_the_same_in_every_form(form: str, rate: int) -> None:
    sound = open_recording(written(np.stack([tone(1.0, rate)] * 2, 1), rate, form))
    assert sound.seconds == pytest.approx(1.0, abs=0.06) and len(sound.samples) == pytest.approx(RATE, abs=0.06 * RATE)
    middle = sound.samples[RATE // 4 : 3 * RATE // 4]
    spectrum = np.abs(np.fft.rfft(middle))
    assert spectrum.argmax() * RATE / len(middle) == pytest.approx(1000, abs=2)
    assert np.abs(middle).max() == pytest.approx(0.3, rel=0.1)


def test_only_the_beginning_is_read() -> None:
    sound = open_recording(written(tone(61.0, 8_000), 8_000, "FLAC"))
    assert sound.seconds == pytest.approx(61.0) and len(sound.samples) == MAX_SECONDS * RATE


def test_what_is_not_finite_is_silence() -> None:
    samples = tone(0.5, RATE)
    samples[100:200], samples[300] = np.nan, np.inf
    sound = open_recording(written(samples, RATE, subtype="FLOAT"))
    assert np.isfinite(sound.samples).all() and np.abs(sound.samples).max() <= 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "0 bytes"),
        (b"three five nine, but typed", "not a WAV"),
        (b"\0\0\0\x20ftypM4A " + bytes(40), "M4A"),
        (b"\x1a\x45\xdf\xa3" + bytes(40), "WebM"),
        (b"RIFF" + bytes(60), "header"),
        (bytes(MAX_BYTES + 1), "16 MB"),
        (written(np.zeros(RATE, np.float32), RATE), "silent"),
        (written(np.full(RATE, 0.5, np.float32), RATE), "silent"),
        (written(tone(0.05, RATE), RATE), "0.05 s"),
        (written(tone(0.5, 4_000), 4_000), "4,000 samples"),
        (written(tone(0.5, RATE), RATE, "AIFF"), "AIFF"),
        (written(np.stack([tone(0.3, RATE)] * 12, 1), RATE), "12 channels"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        open_recording(data)
    assert str(error.value)[-1] in ".?"
