"""Self-critical training of captions (Rennie et al. 2017): the model draws several itself, and CIDEr says which of them were better.

Cross-entropy asks for the very words that someone wrote; here a caption that says the same in other words is rewarded too.
Hard attention looks as it will when it decodes, at the likeliest cell: where to look it has learnt before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from seq2seq_core.captions import CaptionData
from seq2seq_core.data import Batch, Example
from seq2seq_core.metrics import Cider
from seq2seq_core.model import Seq2Seq
from seq2seq_core.tokenizer import BOS, EOS, PAD

LONGEST = 20  # tokens of a drawn caption


class Drawn(NamedTuple):
    """Captions the model drew: the batch to go through again with gradients, and how much better each was."""

    batch: Batch
    advantage: Tensor  # [B]


@dataclass(frozen=True, slots=True)
class Critic:
    """Draws several captions of each photo and compares them with each other."""

    data: CaptionData
    cider: Cider
    draws: int  # of one photo

    @classmethod
    def of(cls, data: CaptionData, draws: int) -> Critic:
        return cls(data, Cider(data.train.captions), draws)

    def examples(self, seed: int) -> list[Example]:
        """Each photo once; `seed` decides which view of it."""
        return self.data.photos(seed)

    @torch.no_grad()
    def draw(self, model: Seq2Seq, photos: Sequence[Example]) -> Drawn:
        several = [photo for photo in photos for _ in range(self.draws)]
        tokens = self._draw(model.eval(), self.data.batch(several))
        rewards = torch.from_numpy(self._rewards(several, tokens)).float().view(len(photos), self.draws)
        others = (rewards.sum(1, keepdim=True) - rewards) / (self.draws - 1)
        drawn = [Example(example.source, _until_end(row)) for example, row in zip(several, tokens.tolist(), strict=True)]
        return Drawn(self.data.batch(drawn), (rewards - others).flatten())

    def _draw(self, model: Seq2Seq, batch: Batch) -> Tensor:
        """[B, T] drawn tokens."""
        memory = model.encode(batch.source, batch.lengths)
        count = len(batch.lengths)
        state, token = model.start(memory), torch.full((count, 1), BOS)
        said, ended = [], torch.zeros(count, dtype=torch.bool)
        for _ in range(LONGEST):
            output = model.step(token, state, memory)
            token = torch.multinomial(output.logits[:, -1].float().softmax(-1), 1).masked_fill(ended.unsqueeze(1), PAD)
            state = output.state
            said.append(token)
            ended |= token.squeeze(1) == EOS
            if bool(ended.all()):
                break
        return torch.cat(said, 1)

    def _rewards(self, examples: Sequence[Example], tokens: Tensor) -> np.ndarray:
        words = self.data.target_tokenizer
        texts = [words.decode(_until_end(row)) for row in tokens.tolist()]
        return self.cider.each(texts, [self.data.train.captions[int(example.source[1])] for example in examples])


def _until_end(row: Sequence[int]) -> tuple[int, ...]:
    return tuple(row[: row.index(EOS)] if EOS in row else row)
