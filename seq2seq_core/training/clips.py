"""Clips for training and evaluation: rendered ones with sentences, filmed ones with a kind; what the eyes make of each is kept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from seq2seq_core.inputs import eyes
from seq2seq_core.inputs.animation import read_clip
from seq2seq_core.inputs.clip import SHAPES, Clip, frame_names, strip
from seq2seq_core.inputs.events import Story, a_story, film
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.inputs.tokenizer import CharacterTokenizer, Tokenizer
from seq2seq_core.training.readers import Batch, Example, collate_grids, held_out, read_pairs

if TYPE_CHECKING:
    from seq2seq_core.pipeline import Pipeline
    from seq2seq_core.training.recipe import DataSource

Advance = Callable[[int], object]  # told how many clips are done
DEV, TRAIN = 0, 1  # what seeds of clips begin with
SEEDS = {"": 0, "pair": 1, "order": 2}  # and what follows, by what is never trained
TOLD_WAYS = {"to the right": (1, 0), "to the left": (-1, 0), "up": (0, -1), "down": (0, 1)}
WAY = re.compile(rf"moves ({'|'.join(TOLD_WAYS)})\b")
APART = 10_000_000  # clips between the seeds of one set and those of the next


def rendered(seed: int, unseen: str, index: int) -> tuple[Story, int]:
    """The story number so many of a set, and the seed that it is filmed with."""
    return a_story(np.random.default_rng((seed, SEEDS[unseen], index)), unseen), (3 * seed + SEEDS[unseen]) * APART + index


def told(count: int, unseen: str = "") -> list[tuple[str, ...]]:
    """What happens in the held-out clips."""
    return [(rendered(DEV, unseen, index)[0].told(),) for index in range(count)]


class Rendered(Sequence[Grid]):
    """The held-out clips as a model sees them, rendered when they are asked for."""

    def __init__(self, pipeline: Pipeline, count: int, unseen: str = "") -> None:
        self._pipeline, self._count, self._unseen = pipeline, count, unseen

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        return self._pipeline.look(film(*rendered(DEV, self._unseen, index)))


@dataclass(frozen=True, slots=True)
class Watched:
    """Clips as the eyes see them, and what is to be said of each."""

    features: np.ndarray  # [N, S, C] in float16, memory-mapped
    outputs: tuple[str, ...]

    @property
    def channels(self) -> int:
        return int(self.features.shape[2])

    @classmethod
    def rendered(cls, count: int, seed: int, unseen: str, cache: Path, advance: Advance = lambda _: None) -> Watched:
        stories = [rendered(seed, unseen, index) for index in range(count)]
        outputs = tuple(story.told() for story, _ in stories)
        weights = hashlib.sha256(eyes.WEIGHTS.read_bytes()).hexdigest()
        what = [weights, seed, unseen, *outputs]
        return cls(_kept(what, count, lambda index: film(*stories[index]), "clip", cache, advance), outputs)

    @classmethod
    def filmed(cls, rows: Sequence[tuple[str, str]], folder: Path, task: str, cache: Path, advance: Advance = lambda _: None) -> Watched:
        """From pairs of a clip's path under `folder` and what is said of it."""

        def opened(index: int) -> Clip:
            return read_clip(folder / rows[index][0], *SHAPES[task])

        what = [eyes.FilmEyes.SIDE, eyes.FilmEyes.PARTS, *(clip for clip, _ in rows)]
        return cls(_kept(what, len(rows), opened, task, cache, advance), tuple(said for _, said in rows))


def _kept(what: Sequence[object], count: int, clip: Callable[[int], Clip], task: str, cache: Path, advance: Advance) -> np.ndarray:
    """Made once, then read from the folder `cache`; `what` says what it is made of."""
    frames = SHAPES[task][0]
    file = cache / f"clips-{hashlib.sha256(repr((task, frames, *what)).encode()).hexdigest()[:16]}.npy"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        look, unfinished = eyes.eyes_of(task).look, file.with_suffix(".unfinished")
        first = look(clip(0)).features
        array = np.lib.format.open_memmap(unfinished, "w+", np.float16, (count, *first.shape))
        for index in range(count):
            array[index] = look(clip(index)).features.numpy()
            advance(1)
        array.flush()
        unfinished.replace(file)
    return np.load(file, mmap_mode="r")  # type: ignore[no-any-return]


def filmed_in(folder: Path, table: str, part: str) -> list[tuple[str, str]]:
    """The path of each clip under `folder`, and what is said of it; `part`: nine tenths by the hash of the clip's name, or the last."""
    rows = read_pairs(folder / table)[1:]  # after the header
    return [(f"{Path(table).parent}/{clip}", said) for clip, said in rows if part == "all" or held_out(clip) == (part == "held-out")]


def turned(output: str, turn: int) -> tuple[str, int]:
    """What happens in the same clip mirrored and turned (1: left and right, 2: top and bottom, 4: columns and rows trade places).

    What falls always falls down, so of that only left and right change. The turn that was made is told too.
    """
    turn = turn & 1 if output.startswith("fall") else turn
    found = WAY.search(output)
    if found is None:
        return output, turn
    x, y = TOLD_WAYS[found[1]]
    x, y = (-x if turn & 1 else x), (-y if turn & 2 else y)
    way = {(y, x) if turn & 4 else (x, y)}.pop()
    return output[: found.start(1)] + next(told for told, one in TOLD_WAYS.items() if one == way) + output[found.end(1) :], turn


def turned_features(features: np.ndarray, turn: int) -> np.ndarray:
    """What the eyes make of the frames of such a clip [S, C]: of each property its columns, then its rows."""
    parts = features.reshape(len(features), 2, -1, eyes.FINE)
    columns, rows = parts[:, 0, :, :: -1 if turn & 1 else 1], parts[:, 1, :, :: -1 if turn & 2 else 1]
    return np.stack((rows, columns) if turn & 4 else (columns, rows), 1).reshape(features.shape)


@dataclass(frozen=True, slots=True)
class ClipData:
    """A recipe's clips. The source of an example is (split, row, turn): the features stay on the disk until a batch wants them."""

    train: Watched
    dev: Watched
    target_tokenizer: Tokenizer
    turns: bool = False  # whether an epoch sees each clip mirrored and turned by chance
    source_tokenizer: None = None

    @classmethod
    def of(
        cls, told: DataSource, held: DataSource, task: str, folder: Path, tokenizer: Tokenizer | None, cache: Path, advance: Advance
    ) -> ClipData:
        """Rendered clips, or the filmed ones of a table."""

        def watched(one: DataSource, seed: int) -> Watched:
            if one.rendered:
                return Watched.rendered(one.rendered, seed, one.unseen, cache, advance)
            return Watched.filmed(filmed_in(folder, one.clips, one.part), folder, task, cache, advance)

        train, dev = watched(told, TRAIN), watched(held, DEV)
        return cls(train, dev, tokenizer or CharacterTokenizer.train(train.outputs, "word"), turns=bool(told.rendered))

    def examples(self, seed: int) -> list[Example]:
        count = len(self.train.outputs)
        return self._encode(TRAIN, np.random.default_rng(seed).integers(8, size=count).tolist() if self.turns else [0] * count)

    def dev_examples(self) -> list[Example]:
        return self._encode(DEV, [0] * len(self.dev.outputs))

    def batch(self, examples: list[Example]) -> Batch:
        rows = []
        for split, row, turn in (example.source for example in examples):
            found = (self.train if split == TRAIN else self.dev).features[row]
            rows.append(turned_features(found, turn) if turn else found)
        return collate_grids(torch.from_numpy(np.stack(rows)), [example.target for example in examples])

    def dev_inputs(self, limit: int) -> tuple[list[Grid], list[tuple[str, ...]], list[str]]:
        """About `limit` clips, spread over all of them, with what is to be said."""
        rows = range(0, len(self.dev.outputs), max(1, len(self.dev.outputs) // limit))
        return [as_grid(self.dev.features[row]) for row in rows], [(self.dev.outputs[row],) for row in rows], []

    def _encode(self, split: int, turns: Sequence[int]) -> list[Example]:
        outputs = (self.train if split == TRAIN else self.dev).outputs
        told = [turned(output, turn) if turn else (output, 0) for output, turn in zip(outputs, turns, strict=True)]
        targets = self.target_tokenizer.encode_many([output for output, _ in told])
        return [Example((split, row, told[row][1]), tuple(target)) for row, target in enumerate(targets)]


def as_grid(features: np.ndarray) -> Grid:
    """Stored features [S, C], as a pipeline takes them."""
    count = len(features)
    return Grid(torch.from_numpy(np.array(features, dtype=np.float32)), strip(count), labels=frame_names(count))
