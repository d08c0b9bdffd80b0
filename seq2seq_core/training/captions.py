"""Captioned photos for training and evaluation: each photo is its grid of features, computed once and kept in a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from seq2seq_core.config import Eyes, Precision
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.inputs.tokenizer import Tokenizer
from seq2seq_core.training.metrics import caption_words
from seq2seq_core.training.readers import Batch, Example, collate_grids

if TYPE_CHECKING:
    from seq2seq_core.inputs.vision import GridEncoder

Advance = Callable[[int], object]  # told how many photos are done
DEV = 0  # the array of the held-out photos; the views of the training photos follow


@dataclass(frozen=True, slots=True)
class Captioned:
    """Photos and what people wrote about each."""

    photos: tuple[Path, ...]
    captions: tuple[tuple[str, ...], ...]

    @classmethod
    def gather(cls, pairs: Sequence[tuple[str, str]], folder: Path) -> Captioned:
        """From pairs of a photo's path under `folder` and one caption."""
        found: dict[str, list[str]] = {}
        for photo, caption in pairs:
            found.setdefault(photo, []).append(caption)
        return cls(tuple(folder / photo for photo in found), tuple(map(tuple, found.values())))

    def grids(
        self, encoder: GridEncoder, cache: Path, view: int = 0, advance: Advance = lambda _: None, degraded: float = 0.0
    ) -> np.ndarray:
        """[N, S, C] in float16, memory-mapped; computed when the folder `cache` does not hold them yet. `degraded`: the share that is."""
        from seq2seq_core.inputs.views import encode_files

        return encode_files(encoder, self.photos, cache, view, advance, degraded)


def image_encoder(precision: Precision, eyes: Eyes) -> GridEncoder:
    """The network that photos are encoded with for a training."""
    from seq2seq_core.inputs.vision import GridEncoder
    from seq2seq_core.training.loop import half_precision

    return GridEncoder(precision=torch.bfloat16 if half_precision(precision) else torch.float32, taught=eyes == "everyday")


def caption_text(caption: str) -> str:
    """What a model learns to say: the words that captions are scored by, in lower case and without punctuation."""
    return " ".join(caption_words(caption))


@dataclass(frozen=True, slots=True)
class CaptionData:
    """A recipe's captioned photos. The source of an example is (array, row): the grids stay on the disk until a batch wants them."""

    train: Captioned
    dev: Captioned
    arrays: tuple[np.ndarray, ...]  # grids of DEV, then of each view of the training photos
    target_tokenizer: Tokenizer
    scrambled: float = 0.0  # the share of training photos whose features trade places: far from all photos, and still a caption is due
    source_tokenizer: None = None

    def examples(self, seed: int) -> list[Example]:
        """Every caption of every photo; `seed` decides which view of each this epoch sees."""
        return self._encode(self.train, self._places(seed))

    def photos(self, seed: int) -> list[Example]:
        """Every photo once, with one of its captions; `seed` decides which."""
        chance = np.random.default_rng(seed)
        one = tuple((str(chance.choice(texts)),) for texts in self.train.captions)
        return self._encode(Captioned(self.train.photos, one), self._places(seed))

    def _places(self, seed: int) -> list[tuple[int, int]]:
        """(array, row) of every photo in an epoch."""
        chosen = np.random.default_rng(seed).integers(DEV + 1, len(self.arrays), len(self.train.photos))
        return [(int(array), row) for row, array in enumerate(chosen)]

    def dev_examples(self) -> list[Example]:
        return self._encode(self.dev, [(DEV, row) for row in range(len(self.dev.photos))])

    def batch(self, examples: list[Example]) -> Batch:
        places = [example.source for example in examples]
        grids = torch.from_numpy(np.stack([self.arrays[array][row] for array, row in places]))
        if self.scrambled and places[0][0] != DEV:
            for at in (torch.rand(len(grids)) < self.scrambled).nonzero().flatten():
                grids[at] = grids[at][:, torch.randperm(grids.shape[2])]
        return collate_grids(grids, [example.target for example in examples])

    def dev_inputs(self, limit: int) -> tuple[list[Grid], list[tuple[str, ...]], list[str]]:
        """About `limit` photos, spread over all of them, with their captions."""
        rows = range(0, len(self.dev.photos), max(1, len(self.dev.photos) // limit))
        return [as_grid(self.arrays[DEV][row]) for row in rows], [self.dev.captions[row] for row in rows], []

    def _encode(self, photos: Captioned, places: Sequence[tuple[int, int]]) -> list[Example]:
        pairs = [(place, caption_text(text)) for place, texts in zip(places, photos.captions, strict=True) for text in texts]
        targets = self.target_tokenizer.encode_many([text for _, text in pairs])
        return [Example(place, tuple(target)) for (place, _), target in zip(pairs, targets, strict=True)]


def as_grid(features: np.ndarray) -> Grid:
    """A stored square grid [S, C], as a pipeline takes it."""
    side = round(len(features) ** 0.5)
    if side * side != len(features):
        raise InputError(f"A stored grid has {len(features)} cells; it must be square.")
    return Grid(torch.from_numpy(np.array(features, dtype=np.float32)), (side, side))
