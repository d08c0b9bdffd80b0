"""The plan a search follows: the steering of a batch, and hard attention's way of looking, as tensors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from seq2seq_core.config import MAX_STEPS, DecodeSettings, ModelConfig
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.override import NOTHING, Override, Rows, gumbel
from seq2seq_core.trace.nodes import Ints
from seq2seq_core.trace.steering import Steering, visible

DEFAULTS = DecodeSettings()


class Plan:
    """The steering of a batch of sentences, and hard attention's way of looking, made ready for the loop."""

    def __init__(self, config: ModelConfig, settings: DecodeSettings, steering: Sequence[Steering], width: int) -> None:
        """`width`: the memory's positions, padding included."""
        self._steering = steering
        self._width = width
        self._forced = self._forced_table()
        self._has_rows = any(one.rows for one in steering)
        hard = config.attention == "hard"
        self._expected = hard and settings.glimpse == "expected"
        self._noise = gumbel_noise(settings.seed, width) if hard and settings.glimpse == "sample" else None
        self._plain = not self._has_rows and not self._expected and self._noise is None

    def _forced_table(self) -> Ints:
        """[T, B] token ids, -1 where the model is free."""
        forced = [one.forced() for one in self._steering]
        table = np.full((max((max(one, default=-1) for one in forced), default=-1) + 1, len(forced)), -1, dtype=np.int64)
        for sentence, one in enumerate(forced):
            for step, token in one.items():
                table[step, sentence] = token
        return table

    def seen(self, memory: Memory) -> Memory:
        """The memory without what a person hid in it."""
        if not any(one.hidden for one in self._steering):
            return memory
        hidden = torch.zeros(len(self._steering), self._width, dtype=torch.bool)
        for sentence, one in enumerate(self._steering):
            hidden[sentence, list(one.hidden)] = True
        return memory.hide(hidden)

    def forced(self, step: int, sentence: Ints) -> Ints | None:
        """The token forced on each row, -1 where it is free; None when all are. `sentence`: the sentence of each row."""
        if step >= len(self._forced):
            return None
        tokens = self._forced[step, sentence]
        return tokens if (tokens >= 0).any() else None

    def look(self, step: int, sentence: Ints) -> Override:
        if self._plain:
            return NOTHING
        rows = self._rows(step, sentence) if self._has_rows else None
        noise = None if self._noise is None else self._noise[step].expand(len(sentence), 1, -1)  # [R, 1, S]
        return Override(rows, noise, self._expected)

    def look_at_all(self, steps: int, sentence: Ints) -> Override:
        """How to look at every one of so many steps at once, for teacher forcing."""
        if self._plain:
            return NOTHING
        looks = [self.look(step, sentence) for step in range(steps)]
        found = [look.rows for look in looks if look.rows is not None]
        rows = Rows(torch.cat([one.values for one in found], 1), torch.cat([one.replace for one in found], 1)) if found else None
        noises = [look.noise for look in looks if look.noise is not None]
        return Override(rows, torch.cat(noises, 1) if noises else None, self._expected)

    def _rows(self, step: int, sentence: Ints) -> Rows:
        values = np.zeros((len(self._steering), self._width), dtype=np.float32)
        replace = np.zeros(len(self._steering), dtype=np.bool_)
        for place, one in enumerate(self._steering):
            row = one.row_at(step)
            if row is not None:
                values[place, : len(row.weights)] = visible(row, one.hidden)
                replace[place] = True
        return Rows(torch.from_numpy(values[sentence])[:, None], torch.from_numpy(replace[sentence])[:, None])  # [R, 1, S], [R, 1]


def steered(
    config: ModelConfig, memory: Memory, steering: Steering, steps: int, settings: DecodeSettings = DEFAULTS
) -> tuple[Memory, Override]:
    """One source as the steering shows it, and how each of so many steps looks at it: rows and hidden positions, in one call of `step`."""
    plan = Plan(config, settings, [Steering(rows=steering.rows, hidden=steering.hidden)], memory.mask.shape[1])
    return plan.seen(memory), plan.look_at_all(steps, np.zeros(1, dtype=np.int64))


def uniform_draws(seed: int, count: int) -> Tensor:
    """Uniform numbers of a generator of its own: a longer list begins with the shorter one."""
    return torch.rand(count, generator=torch.Generator().manual_seed(seed))


def gumbel_noise(seed: int, width: int) -> Tensor:
    """[MAX_STEPS, S] for all steps at once, so that a second run, and every hypothesis, meets the same noise.

    Position by position: a sentence has the same noise whether padded or not.
    """
    return gumbel(uniform_draws(seed, width * MAX_STEPS)).view(width, MAX_STEPS).T.contiguous()
