"""Spoken numbers made of recordings of single digits: strings of one speaker, as said fast or slowly, in a room, over a telephone."""

from __future__ import annotations

import hashlib
import math
import wave
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.sound import BANDS, FEATURES, RATE, SCALE_DB, Samples, features
from seq2seq_core.inputs.tokenizer import BOS, EOS, CharacterTokenizer, Tokenizer
from seq2seq_core.training.readers import Batch, Example, pad_ids, read_lines

if TYPE_CHECKING:
    from seq2seq_core.training.recipe import DataSource

DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
HEADER = ["split", "file", "speaker", "digit"]
EDGE = RATE // 100  # samples: how slowly a recording comes and goes, so that its own noise makes no click
SPEAKING = 0.03  # of the loudest: where a word begins and ends
FRAME = 160
NEPER = SCALE_DB / 10 * math.log(10)  # a feature as the natural logarithm of a power
Chance = np.random.Generator
Numbers = NDArray[Any]  # of a spectrum: frequencies, powers, gains


@dataclass(frozen=True, slots=True)
class Recordings:
    """Where the recordings of each speaker's digits are: [speaker][digit]."""

    files: tuple[tuple[tuple[Path, ...], ...], ...]

    @classmethod
    def read(cls, table: Path, split: str) -> Recordings:
        """From lines `split TAB file TAB speaker TAB digit`; the files stand beside the table."""
        lines = read_lines(table)
        if not lines or lines[0].split("\t") != HEADER:
            raise InputError(f"{table}, line 1: the header must be {' TAB '.join(HEADER)}.")
        found: dict[str, list[list[Path]]] = {}
        for line in lines[1:]:
            part, file, speaker, digit = line.split("\t")
            if part == split:
                found.setdefault(speaker, [[] for _ in DIGITS])[int(digit)].append(table.parent / file)
        speakers = tuple(tuple(map(tuple, digits)) for _, digits in sorted(found.items()))
        if not speakers or not all(map(all, speakers)):
            raise InputError(f"{table} does not have recordings of all ten digits by each speaker of the split {split!r}.")
        return cls(speakers)

    def say(self, digits: Sequence[int], chance: Chance, natural: float = 1.0) -> Samples:
        """A number in one speaker's voice. `natural`: how far tempo, pitch, pauses and loudness may go from the recordings'."""
        speaker = self.files[int(chance.integers(len(self.files)))]
        tempo = float(np.exp(chance.normal(0.0, 0.11 * natural)))
        pause = float(chance.choice([0.0, 0.06, 0.15, 0.4], p=[0.3, 0.3, 0.25, 0.15])) + 0.02
        pieces: list[Samples] = []
        places: list[int] = []
        at = round(RATE * chance.uniform(0.0, 0.7) * chance.integers(2))
        for digit in digits:
            files = speaker[digit]
            word = trimmed(read_wave(files[int(chance.integers(len(files)))]), chance)
            word = respoken(word, tempo * float(np.exp(chance.normal(0.0, 0.04 * natural))))
            pieces.append(word * float(10 ** (chance.normal(0.0, 1.5 * natural) / 20)))
            places.append(at)
            gap = min(float(chance.exponential(pause)), 1.2) - 0.05 * float(chance.random())  # now and then one word runs into the next
            at += max(len(word) // 2, len(word) + round(RATE * gap))
        said = np.zeros(max(at, places[-1] + len(pieces[-1])) + round(RATE * chance.uniform(0.0, 0.5)), np.float32)
        for place, word in zip(places, pieces, strict=True):
            said[place : place + len(word)] += word
        said *= 0.5 / max(float(np.abs(said).max()), 1e-6)
        return said


def read_wave(path: Path) -> Samples:
    """A recording of one channel and 16 bits at 16 kHz, as the data has them."""
    with wave.open(str(path)) as file:
        if (file.getnchannels(), file.getsampwidth(), file.getframerate()) != (1, 2, RATE):
            raise InputError(f"{path} must have one channel of 16 bits at {RATE:,} Hz.")
        samples: Samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / np.float32(32768)
    return samples


def trimmed(word: Samples, chance: Chance) -> Samples:
    """Without most of the silence around it, and with soft edges."""
    frames = word[: len(word) // FRAME * FRAME].reshape(-1, FRAME)
    level = np.sqrt((frames**2).mean(1))
    spoken = np.flatnonzero(level > SPEAKING * level.max())
    before, after = (round(RATE * chance.uniform(0.02, 0.09)) for _ in range(2))
    word = word[max(0, int(spoken[0]) * FRAME - before) : (int(spoken[-1]) + 1) * FRAME + after].copy()
    edge = np.linspace(0, 1, EDGE, dtype=np.float32)
    word[:EDGE] *= edge
    word[-EDGE:] *= edge[::-1]
    return word


def respoken(word: Samples, tempo: float) -> Samples:
    """Faster and higher, or slower and lower."""
    count = max(2 * EDGE, round(len(word) / tempo))
    return np.interp(np.linspace(0, len(word) - 1, count), np.arange(len(word)), word).astype(np.float32)


def heard(said: Samples, chance: Chance, others: Samples | None = None) -> Samples:
    """What a microphone somewhere makes of it: a room, noise, the colour of a device, a narrow line, a rough codec, another level."""
    size = 1 << (len(said) + RATE // 2 - 1).bit_length()
    size = size if size * 3 // 4 < len(said) + RATE // 2 else size * 3 // 4
    hertz = np.fft.rfftfreq(size, 1 / RATE).astype(np.float32)
    spectrum = np.fft.rfft(said, size)
    if chance.random() < 0.6:
        spectrum *= np.fft.rfft(_room(chance), size)
    if chance.random() < 0.75:
        noise = np.fft.rfft(chance.standard_normal(len(said), np.float32), size) / np.maximum(hertz, 60) ** np.float32(chance.uniform())
        if others is not None and chance.random() < 0.25:
            noise = np.fft.rfft(np.resize(others, len(said)), size)
        spectrum += noise * np.float32(np.sqrt(_power(spectrum, hertz) / _power(noise, hertz)) * 10 ** (-chance.uniform(3.0, 40.0) / 20))
    if chance.random() < 0.7:
        spectrum *= _colour(hertz, chance)
    band = chance.random()
    if band < 0.25:
        spectrum *= _slope(hertz, chance.uniform(150, 400), 4) * _slope(hertz, chance.uniform(2800, 3800), -12)  # a telephone's line
    elif band < 0.5:
        spectrum *= _slope(hertz, chance.uniform(3000, 4000), -30)  # recorded at 8 kHz
    found = np.fft.irfft(spectrum, size)[: len(said)].astype(np.float32)
    found /= max(float(np.abs(found).max()), 1e-6)
    if chance.random() < 0.3:
        found = _codec(found, chance)
    return found * np.float32(10 ** (-chance.uniform(0.0, 30.0) / 20))


def _power(spectrum: Numbers, hertz: Numbers) -> float:
    """Between 100 and 3,900 Hz, which is what is heard."""
    inner = spectrum[slice(*np.searchsorted(hertz, (100, 3900)))]
    return float((inner.real**2 + inner.imag**2).sum()) + 1e-12


def _room(chance: Chance) -> Samples:
    """The direct sound, and an echo that dies away: noise under a falling exponential."""
    seconds = chance.uniform(0.08, 0.7)  # until the echo is 60 dB down
    count = round(RATE * min(seconds, 0.45))
    tail = chance.standard_normal(count, np.float32) * np.exp(-6.9 * np.arange(count) / (RATE * seconds))
    tail[: round(RATE * chance.uniform(0.001, 0.02))] = 0
    tail *= 10 ** (-chance.uniform(-2.0, 18.0) / 20) / max(float(np.sqrt((tail**2).sum())), 1e-6)
    tail[0] = 1.0
    echo: Samples = tail.astype(np.float32)
    return echo


def _colour(hertz: Numbers, chance: Chance) -> Numbers:
    """A smooth curve through a few gains, as devices have."""
    knots = np.array([0.0, 150, 400, 900, 1800, 3000, 4500, 8000])
    gains: Numbers = 10 ** (np.interp(hertz, knots, chance.normal(0.0, 5.0, len(knots))).astype(np.float32) / 20)
    return gains


def _slope(hertz: Numbers, corner: float, order: int) -> Numbers:
    """A high-pass of that order above 0, a low-pass below."""
    gains: Numbers = 1 / np.sqrt(1 + np.minimum((np.maximum(hertz, 1) / np.float32(corner)) ** np.float32(-2 * order), 1e12))
    return gains


def _codec(sound: Samples, chance: Chance) -> Samples:
    """Clipped, or in the 8 bits of a telephone (mu-law), or with a gain that follows the voice."""
    kind = chance.integers(3)
    if kind == 0:
        clipped: Samples = np.clip(sound * chance.uniform(1.0, 4.0), -0.9, 0.9).astype(np.float32)
        return clipped
    if kind == 1:
        curved = np.sign(sound) * np.log1p(255 * np.abs(sound)) / np.log(256)
        steps = 2 ** chance.integers(5, 8)
        curved = np.round(curved * steps) / steps
        straight: Samples = (np.sign(curved) * (256 ** np.abs(curved) - 1) / 255).astype(np.float32)
        return straight
    hop = RATE // 20
    level = np.sqrt((np.resize(sound, -(-len(sound) // hop) * hop).reshape(-1, hop) ** 2).mean(1)) + 0.01
    slow = np.convolve(np.pad(level, 5, mode="edge"), np.ones(11) / 11, "valid")
    gain = np.interp(np.arange(len(sound)), np.arange(len(slow)) * hop, slow ** -chance.uniform(0.3, 0.9))
    even: Samples = (sound * gain / float(np.abs(sound * gain).max())).astype(np.float32)
    return even


def a_number(chance: Chance, shortest: int, longest: int) -> tuple[int, ...]:
    """Digits by chance; one is now and then said again, as in telephone numbers."""
    digits = list(chance.integers(len(DIGITS), size=int(chance.integers(shortest, longest + 1))))
    for place in range(1, len(digits)):
        if chance.random() < 0.08:
            digits[place] = digits[place - 1]
    return tuple(map(int, digits))


def in_words(number: Sequence[int] | str) -> str:
    """Digits as they are said; a text may be in words already."""
    if isinstance(number, str):
        number = number.lower().strip()
        digits = number.replace(" ", "")
        if not (digits.isascii() and digits.isdigit()):
            return " ".join(number.split())
        number = tuple(map(int, digits))
    return " ".join(DIGITS[digit] for digit in number)


def a_recording(voices: Recordings, seed: Sequence[int], shortest: int, longest: int) -> tuple[tuple[int, ...], Samples]:
    """A number and how it was heard; the seed decides everything."""
    chance = np.random.default_rng(seed)
    digits = a_number(chance, shortest, longest)
    said = voices.say(digits, chance)
    others = voices.say(a_number(chance, 4, 8), chance)[::-1] if chance.random() < 0.1 else None
    return digits, heard(said, chance, others)


@dataclass(frozen=True, slots=True)
class Spoken:
    """Numbers and what a model reads of each, one after the other on the disk."""

    digits: tuple[tuple[int, ...], ...]
    ends: NDArray[np.int64]  # where the positions of each end
    positions: NDArray[np.float16]  # [sum of S, C]

    @classmethod
    def make(
        cls,
        voices: Recordings,
        seed: int,
        count: int,
        lengths: tuple[int, int],
        cache: Path,
        advance: Callable[[int], object] = lambda _: None,
    ) -> Spoken:
        """Made once, then read from the folder `cache`."""
        what = [voices.files, seed, count, lengths, FEATURES]
        place = cache / f"spoken-{hashlib.sha256(repr(what).encode()).hexdigest()[:16]}"
        if not place.with_suffix(".npz").exists():
            cache.mkdir(parents=True, exist_ok=True)
            digits, ends = [], [0]
            with place.with_suffix(".unfinished").open("wb") as file:
                for index in range(count):
                    number, sound = a_recording(voices, (seed, index), *lengths)
                    found = features(sound).numpy().astype(np.float16)
                    file.write(found.tobytes())
                    digits.append("".join(map(str, number)))
                    ends.append(ends[-1] + len(found))
                    advance(1)
            place.with_suffix(".unfinished").replace(place.with_suffix(".f16"))
            np.savez(place.with_suffix(".npz"), digits=np.array(digits), ends=np.array(ends[1:]))
        kept = np.load(place.with_suffix(".npz"))
        known = tuple(tuple(map(int, number)) for number in kept["digits"].tolist())
        positions = np.memmap(place.with_suffix(".f16"), np.float16, "r").reshape(-1, FEATURES)
        return cls(known, kept["ends"], positions)

    def features(self, row: int) -> Tensor:
        begin = int(self.ends[row - 1]) if row else 0
        return torch.from_numpy(self.positions[begin : int(self.ends[row])].astype(np.float32))

    def examples(self, split: int, tokenizer: Tokenizer) -> list[Example]:
        """The source of an example is (split, row)."""
        sizes = np.diff(self.ends, prepend=0).tolist()
        targets = tokenizer.encode_many([in_words(number) for number in self.digits])
        return [Example((split, row), tuple(target), size=size) for row, (target, size) in enumerate(zip(targets, sizes, strict=True))]


def disturbed(found: Tensor) -> Tensor:
    """The same positions [S, C] a little otherwise: a step higher or lower, more noise, a stripe that is not heard (Park et al. 2019)."""
    frames = found.view(-1, BANDS)
    step = int(torch.randint(-1, 2, ()))
    if step:
        frames = F.pad(frames[:, max(0, -step) : BANDS - max(0, step)], (max(0, step), max(0, -step)))
    if torch.rand(()) < 0.3:
        noise = torch.rand(()) * 1.2 + torch.randn(BANDS) * 0.1
        frames = torch.logaddexp(frames * NEPER, noise * NEPER) / NEPER
    if torch.rand(()) < 0.5:
        first, width = int(torch.randint(0, BANDS, ())), int(torch.randint(1, 7, ()))
        frames = frames.clone()
        frames[:, first : first + width] = 0
    return frames.reshape(-1, FEATURES)


@dataclass(frozen=True, slots=True)
class SpokenData:
    """A recipe's spoken numbers."""

    splits: tuple[Spoken, Spoken]  # for training, held out
    target_tokenizer: Tokenizer
    source_tokenizer: None = None

    @classmethod
    def of(
        cls, told: DataSource, held: DataSource, folder: Path, tokenizer: Tokenizer | None, cache: Path, advance: Callable[[int], object]
    ) -> SpokenData:
        train, dev = (
            Spoken.make(Recordings.read(folder / one.digits, one.split), seed, one.strings, (one.shortest, one.longest), cache, advance)
            for seed, one in ((1, told), (0, held))
        )
        return cls((train, dev), tokenizer or CharacterTokenizer.train([" ".join(DIGITS)], "word"))

    def examples(self, seed: int) -> list[Example]:
        """The numbers of an epoch, as the loop counts them in the last three digits of `seed`: short ones come first (Bengio et al. 2009).

        A model that has heard one digit and two finds where to look in eight; one that begins with all of them guesses for long.
        """
        longest = 2 ** (1 + seed % 1000 // 2)
        return [one for one in self.splits[0].examples(0, self.target_tokenizer) if len(one.target) <= longest]

    def dev_examples(self) -> list[Example]:
        return self.splits[1].examples(1, self.target_tokenizer)

    def batch(self, examples: list[Example]) -> Batch:
        rows = [self.splits[split].features(row) for split, row in (example.source for example in examples)]
        if not examples[0].source[0]:
            rows = [disturbed(row) for row in rows]
        targets = [example.target for example in examples]
        return Batch(
            source=pad_sequence(rows, batch_first=True),
            lengths=torch.tensor([len(row) for row in rows]),
            target_in=pad_ids([(BOS, *target) for target in targets]),
            target_out=pad_ids([(*target, EOS) for target in targets]),
        )
