"""The spectrogram: where a sound is, how high it is, and that a model reads it alike alone and among others."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.sound import BANDS, FEATURES, POSITION_SECONDS, RATE, Sound, features, mel_bands, resampled, times, usual
from seq2seq_core.pipeline import Pipeline
from tests.core.tiny import LETTERS, tiny_model


def burst(seconds: float, at: float, lasting: float = 0.06, hertz: float = 900.0) -> np.ndarray:
    """Silence but for one tone."""
    samples = np.zeros(round(seconds * RATE), np.float32)
    begin, count = round(at * RATE), round(lasting * RATE)
    samples[begin : begin + count] = 0.5 * np.sin(2 * np.pi * hertz * np.arange(count) / RATE)
    return samples


@pytest.mark.parametrize("place", [0, 1, 10, 24, 49])
def test_a_burst_is_at_the_position_that_is_named_after_its_time(place: int) -> None:
    found = features(burst(2.0, place * POSITION_SECONDS, 0.03))
    assert int(found.sum(1).argmax()) == place
    assert times(len(found))[place] == f"{0.04 * place:.2f} s"


def test_bands_follow_the_pitch_and_loudness_does_not_matter() -> None:
    heights = [int(features(burst(1.0, 0.4, 0.2, hertz)).view(-1, BANDS).sum(0).argmax()) for hertz in (200, 500, 1000, 2000, 3500)]
    assert heights == sorted(set(heights))
    torch.testing.assert_close(features(burst(1.0, 0.4)), features(0.01 * burst(1.0, 0.4)), atol=0.02, rtol=0)
    assert (mel_bands().sum(0) > 0).all()


def test_a_telephone_s_rate_sounds_the_same() -> None:
    whole = burst(1.0, 0.3, 0.3, 1200.0) + burst(1.0, 0.3, 0.3, 2500.0)
    narrow = resampled(np.ascontiguousarray(whole[::2]), RATE // 2)  # nothing in it is above 4 kHz but the edges
    difference = (features(whole) - features(narrow)).abs()
    assert len(narrow) == len(whole) and float(difference.mean()) < 0.08


def test_a_rate_that_no_recorder_has_is_read_as_the_next_that_one_has(monkeypatch: pytest.MonkeyPatch) -> None:
    usuals = (8000, 11025, 22050, 32000, 44100, 48000, 96000, 192000)
    assert [usual(rate) for rate in usuals] == list(usuals)
    assert usual(44_056) == 44_100 and usual(191_999) == 192_000
    assert abs(usual(127) / 127 - 1) < 0.02
    lengths, transform = [], np.fft.rfft
    monkeypatch.setattr(np.fft, "rfft", lambda samples, length: (lengths.append(length), transform(samples, length))[1])
    prime = 12_007
    tone = np.sin(2 * np.pi * 900 * np.arange(prime) / prime).astype(np.float32)
    heard = resampled(tone, prime)
    assert [length % usual(prime) for length in lengths] == [0] and len(heard) <= RATE
    np.testing.assert_allclose(heard[:200], np.sin(2 * np.pi * 900 * np.arange(200) / RATE), atol=0.1)


def pipeline(**changes: str) -> Pipeline:
    model = tiny_model(3, task="speech", source="sound", source_vocab=FEATURES, **changes)
    return Pipeline("speech/tiny", model, None, LETTERS)


@pytest.mark.parametrize("wiring", ["input", "output"])
def test_a_recording_is_decoded_alike_alone_and_among_others(wiring: str) -> None:
    chance = np.random.default_rng(0)
    sounds = [Sound((0.1 * chance.standard_normal(round(RATE * s))).astype(np.float32), s) for s in (0.9, 0.31, 1.3)]
    model = pipeline(wiring=wiring)
    together = model.decode_batch(sounds)
    for one, among in zip(sounds, together, strict=True):
        alone = model.decode(one)
        assert alone.text() == among.text()
        np.testing.assert_allclose(alone.attention(), among.attention(), atol=1e-5)
        part = alone.parts[0]
        assert part.grid == (1, part.positions) and part.labels[1] == "0.04 s" and part.kind == "grid"


def test_what_is_no_recording_is_refused() -> None:
    with pytest.raises(InputError, match="give it a recording"):
        pipeline().decode("three five")
