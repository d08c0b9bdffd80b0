"""Writes numbers put together of spoken digits, for `evaluate --data`: python tools/spoken_numbers.py DIGITS.tsv OUT --as telephone

OUT gets a WAV file for each, and numbers.tsv with `file TAB number in words`. The same seed writes the same files.
studio: as recorded, with natural pauses; anywhere: rooms, noise, devices and lines as in training; telephone: 8 kHz, narrow and noisy.
"""

from __future__ import annotations

import argparse
import sys
import wave
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core.inputs.sound import RATE, Samples
from seq2seq_core.training.spoken import Recordings, a_number, heard, in_words

CONDITIONS = ("studio", "anywhere", "telephone")
NOISE_DB = (8.0, 25.0)  # of a telephone: how far the noise is below the voice


def telephone(said: Samples, chance: np.random.Generator) -> Samples:
    """What is left at 8,000 samples a second between 300 and 3,400 Hz, with white noise."""
    noise = chance.standard_normal(len(said)).astype(np.float32)
    said = said + noise * np.sqrt((said**2).mean() * 10 ** (-chance.uniform(*NOISE_DB) / 10))
    spectrum = np.fft.rfft(said)
    hertz = np.fft.rfftfreq(len(said), 1 / RATE)
    spectrum[(hertz < 300) | (hertz > 3400)] = 0
    return np.fft.irfft(spectrum, len(said)).astype(np.float32)[::2]


def write(path: Path, samples: Samples, rate: int) -> None:
    scaled = samples / max(float(np.abs(samples).max()), 1e-6) * 0.7 * 32767
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, len(samples), "NONE", ""))
        file.writeframes(scaled.astype("<i2").tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("digits", type=Path, help="a table `split TAB file TAB speaker TAB digit`, beside the recordings")
    parser.add_argument("out", type=Path)
    parser.add_argument("--as", dest="condition", choices=CONDITIONS, default="studio")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--longest", type=int, default=8)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    voices = Recordings.read(given.digits, given.split)
    given.out.mkdir(parents=True, exist_ok=True)
    lines = []
    for index in range(given.count):
        chance = np.random.default_rng((given.seed, index))
        digits = a_number(chance, 1, given.longest)
        said = voices.say(digits, chance, natural=0.5)
        if given.condition == "anywhere":
            said = heard(said, chance)
        narrow = given.condition == "telephone"
        name = f"{index:04}.wav"
        write(given.out / name, telephone(said, chance) if narrow else said, RATE // 2 if narrow else RATE)
        lines.append(f"{name}\t{in_words(digits)}\n")
    (given.out / "numbers.tsv").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
