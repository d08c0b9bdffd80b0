"""Self-critical training of captions (Rennie et al. 2017): the model draws several itself, and CIDEr says which of them were better.

Cross-entropy asks for the very words that someone wrote; here a caption that says the same in other words is rewarded too.
A little cross-entropy stays beside it: without it the probabilities sharpen, and a beam finds no more than greedy search does.
Hard attention looks as it will when it decodes, at the likeliest cell: where to look it has learnt before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from seq2seq_core.inputs.tokenizer import BOS, EOS, PAD
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.training.captions import CaptionData
from seq2seq_core.training.metrics import Cider
from seq2seq_core.training.readers import Batch, Example, collate_grids

LONGEST = 20  # tokens of a drawn caption


class Drawn(NamedTuple):
    """Captions the model drew: the batch to go through again with gradients, and how much better each was."""

    batch: Batch  # P photos, and as many targets for each as were drawn
    advantage: Tensor  # [P draws]


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
        """Each photo once with one of its captions; `seed` decides which of them, and which view of it."""
        return self.data.photos(seed)

    @torch.no_grad()
    def draw(self, model: Seq2Seq, photos: Sequence[Example], batch: Batch) -> Drawn:
        drawn = [_until_end(row) for row in self._draw(model.eval(), batch).tolist()]
        rewards = torch.from_numpy(self._rewards(photos, drawn)).float().view(len(photos), self.draws)
        others = (rewards.sum(1, keepdim=True) - rewards) / (self.draws - 1)
        return Drawn(collate_grids(batch.source, drawn), (rewards - others).flatten())

    def _draw(self, model: Seq2Seq, batch: Batch) -> Tensor:
        """[P, S, C] -> drawn tokens [P draws, T]"""
        memory = model.encode(batch.source, batch.lengths).repeated(self.draws)
        count = len(memory.mask)
        state, token = model.start(memory), torch.full((count, 1), BOS)
        said, ended = [], torch.zeros(count, dtype=torch.bool)
        for _ in range(LONGEST):
            output = model.step(token, state, memory)
            token = drawn_tokens(output.logits[:, -1]).masked_fill(ended.unsqueeze(1), PAD)
            state = output.state
            said.append(token)
            ended |= token.squeeze(1) == EOS
            if bool(ended.all()):
                break
        return torch.cat(said, 1)

    def _rewards(self, photos: Sequence[Example], drawn: Sequence[Sequence[int]]) -> np.ndarray:
        texts = [self.data.target_tokenizer.decode(row) for row in drawn]
        return self.cider.each(texts, [self.data.train.captions[int(photo.source[1])] for photo in photos for _ in range(self.draws)])


def drawn_tokens(logits: Tensor) -> Tensor:
    """[B, V] -> [B, 1], each from its own distribution, by one uniform number a row: `torch.multinomial` draws one for every word."""
    below = logits.float().softmax(-1).cumsum(-1)
    return torch.searchsorted(below, torch.rand(len(below), 1) * below[:, -1:], right=True)


def _until_end(row: Sequence[int]) -> tuple[int, ...]:
    return tuple(row[: row.index(EOS)] if EOS in row else row)
