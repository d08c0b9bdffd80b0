"""Questions about photos for training: of each photo its grid of features, of each question what one of the people who were asked said."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from seq2seq_core.inputs.grid import Grid
from seq2seq_core.inputs.tokenizer import SubwordTokenizer
from seq2seq_core.training.captions import Captioned, as_grid
from seq2seq_core.training.readers import Batch, Example, Row, collate, collate_grids

DEV, TRAIN = 0, 1  # of the arrays


@dataclass(frozen=True, slots=True)
class QuestionData:
    """A recipe's questions. The source of an example is (array, row): the grids stay on the disk until a batch wants them."""

    train: tuple[Row, ...]
    dev: tuple[Row, ...]
    arrays: tuple[
        np.ndarray, ...
    ]  # grids of the photos of dev and of train, as `photos_of` lists them; none for a model that sees no photo
    target_tokenizer: SubwordTokenizer
    source_tokenizer: None = None

    def examples(self, seed: int) -> list[Example]:
        """Every question with the answer of one of the people: over the epochs each answer comes as often as it was given.

        What is not one token was said by few: it is learnt only where nobody said anything else.
        """
        chance = random.Random(seed)
        whole = {answer for row in self.train for answer in row.right if len(self.target_tokenizer.encode_whole(answer)) == 1}
        usual = ([answer for answer in row.right if answer in whole] or row.right for row in self.train)
        return self._encode(self.train, TRAIN, [chance.choice(answers) for answers in usual])

    def dev_examples(self) -> list[Example]:
        return self._encode(self.dev, DEV, [row.right[0] for row in self.dev])

    def batch(self, examples: list[Example]) -> Batch:
        if not self.arrays:
            return collate(examples)
        grids = torch.from_numpy(np.stack([self.arrays[array][row] for array, row in (example.source for example in examples)]))
        return collate_grids(grids, [example.target for example in examples], [example.given for example in examples])

    def dev_inputs(self, limit: int) -> tuple[list[Grid | tuple[()]], list[tuple[str, ...]], list[str]]:
        """About `limit` questions, spread over all of them: their photos, what people answered, and the questions."""
        rows = range(0, len(self.dev), max(1, len(self.dev) // limit))
        sources = self._sources(self.dev, DEV)
        seen: list[Grid | tuple[()]] = [as_grid(self.arrays[DEV][sources[row][1]]) if self.arrays else () for row in rows]
        return seen, [self.dev[row].right for row in rows], [self.dev[row].prompt for row in rows]

    def _sources(self, rows: Sequence[Row], array: int) -> list[tuple[int, ...]]:
        place = {photo: number for number, photo in enumerate(photos_of(rows))}
        return [(array, place[row.given[0]]) if self.arrays else () for row in rows]

    def _encode(self, rows: Sequence[Row], array: int, answers: Sequence[str]) -> list[Example]:
        questions = self.target_tokenizer.encode_many([row.prompt for row in rows])
        return [
            Example(source, (*question, *self.target_tokenizer.encode_whole(answer)), len(question))
            for source, question, answer in zip(self._sources(rows, array), questions, answers, strict=True)
        ]


def photos_of(rows: Sequence[Row]) -> list[str]:
    """Each photo once, those that most is asked about first."""
    return [photo for photo, _ in Counter(row.given[0] for row in rows).most_common()]


def as_captioned(rows: Sequence[Row], folder: Path) -> Captioned:
    """The photos of questions, for those who encode them."""
    photos = photos_of(rows)
    return Captioned(tuple(folder / photo for photo in photos), ((),) * len(photos))


def vocabulary(rows: Sequence[Row], size: int, wholes: int) -> SubwordTokenizer:
    """Pieces of questions and answers, in small letters; so many answers that are most often the first are pieces as they are."""
    first = Counter(row.right[0] for row in rows)
    pieces = SubwordTokenizer.train([text for row in rows for text in (row.prompt, row.right[0])], size, lower=True)
    return pieces.with_wholes(answer for answer, _ in first.most_common(wholes))
