"""A recording: its samples at one rate, and the spectrogram that a model reads, four frames to a position."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.inputs.part import POSITION_SECONDS

Samples = NDArray[np.float32]

RATE = 16_000  # samples a second: whatever comes is brought to it
HOP, WINDOW, FFT = 160, 400, 512  # samples: a frame every 10 ms, each of 25 ms
BANDS, LOWEST, HIGHEST = 40, 60.0, 3900.0  # Hz: what a telephone at 8 kHz still carries, so that one model hears both
FRAMES = round(POSITION_SECONDS * RATE / HOP)  # of a position: 4
FEATURES = BANDS * FRAMES
FLOOR_DB, SCALE_DB = -60.0, 30.0  # so far below the loud frames is silence, 0; features are about 1 large
LOUD = 0.99  # the frame louder than so many of them: the level of a recording, whatever a click in it does
SHAPE = (1200, 400)  # width and height of a spectrogram as a picture, however long the recording
QUIETEST = 1e-10  # power: digital silence


@dataclass(frozen=True, slots=True)
class Sound:
    """One channel at 16 kHz, and how long the recording was of which it is the beginning."""

    samples: Samples  # between -1 and 1
    seconds: float


@cache
def times(positions: int) -> tuple[str, ...]:
    """What the positions are called: when they begin."""
    return tuple(f"{place * POSITION_SECONDS:.2f} s" for place in range(positions))


def resampled(samples: Samples, rate: int) -> Samples:
    """To 16 kHz, through the spectrum: exact for what both rates can carry. Padded to whole seconds, so that the transforms are quick."""
    taken = usual(rate)
    if taken == RATE or not len(samples):
        return samples
    seconds = -(-len(samples) // taken)
    spectrum = np.fft.rfft(samples, seconds * taken)
    found = np.fft.irfft(spectrum[: seconds * min(taken, RATE) // 2 + 1], seconds * RATE) * (RATE / taken)
    return found[: math.ceil(len(samples) * RATE / max(rate, taken))].astype(np.float32)


@cache
def usual(rate: int) -> int:
    """The nearest rate that is a product of 2, 3, 5 and 7, as every rate that recorders have: at most a hundredth beside it.

    The transform of 20 s at 191,999 samples a second, a prime, took 600 MB.
    """
    return min(
        (other for other in range(rate - rate // 50, rate + rate // 50 + 1) if _is_smooth(other)), key=lambda other: abs(other - rate)
    )


def _is_smooth(number: int) -> bool:
    for prime in (2, 3, 5, 7):
        while number % prime == 0:
            number //= prime
    return number == 1


def decibels(samples: Samples) -> Tensor:
    """The log-mel spectrogram [F, BANDS] in dB, a frame every 10 ms and the first around the first sample."""
    window = torch.hann_window(WINDOW)
    spectrum = torch.stft(torch.from_numpy(samples), FFT, HOP, WINDOW, window, center=True, pad_mode="constant", return_complex=True)
    power = spectrum.abs().square().t() @ mel_bands()  # [F, FFT / 2 + 1] @ [FFT / 2 + 1, BANDS]
    return 10 * power.clamp_min(QUIETEST).log10()


def features(samples: Samples) -> Tensor:
    """What a model reads [S, FRAMES * BANDS]: decibels below the recording's own level, so that loud and quiet ones look alike."""
    found = decibels(samples)
    level = torch.quantile(torch.logsumexp(found * (math.log(10) / 10), 1), LOUD) * (10 / math.log(10))
    heard = (found - level - FLOOR_DB).clamp_min(0) / SCALE_DB
    return F.pad(heard, (0, 0, 0, -len(heard) % FRAMES)).view(-1, FEATURES)


def as_grid(given: object) -> Grid:
    """As a pipeline takes it: one row, a cell for each position."""
    if not isinstance(given, Sound):
        raise InputError("This model listens; give it a recording.")
    found = features(given.samples)
    return Grid(found, (1, len(found)), SHAPE, times(len(found)))


@cache
def mel_bands() -> Tensor:
    """Triangles of equal width on the mel scale (O'Shaughnessy 1987): [FFT / 2 + 1, BANDS]."""
    corners = _hertz(torch.linspace(_mel(LOWEST), _mel(HIGHEST), BANDS + 2, dtype=torch.float64))
    lines = torch.arange(FFT // 2 + 1, dtype=torch.float64)[:, None] * RATE / FFT
    rising = (lines - corners[:-2]) / (corners[1:-1] - corners[:-2])
    falling = (corners[2:] - lines) / (corners[2:] - corners[1:-1])
    return torch.minimum(rising, falling).clamp_min(0).float()


def _mel(hertz: float) -> float:
    return 2595 * math.log10(1 + hertz / 700)


def _hertz(mel: Tensor) -> Tensor:
    return 700 * (10 ** (mel / 2595) - 1)
