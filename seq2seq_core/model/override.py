"""What takes the place of the model's own way of looking: rows put in by a person, and the chance that hard attention draws with."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Rows:
    """Attention rows to use instead of the model's own: values [B, T, S] where replace [B, T] is True, for every head."""

    values: Tensor
    replace: Tensor


@dataclass(frozen=True, slots=True)
class Override:
    """Rows put in by a person, and for hard attention Gumbel noise [B, T, S] to sample with (none: the likeliest)."""

    rows: Rows | None = None
    noise: Tensor | None = None
    expected: bool = False  # hard attention: mix by the weights instead of choosing a position

    def at(self, t: int) -> Override:
        """The part that concerns step t."""
        if self is NOTHING:
            return self
        rows = None if self.rows is None else Rows(self.rows.values[:, t : t + 1], self.rows.replace[:, t : t + 1])
        return Override(rows, None if self.noise is None else self.noise[:, t : t + 1], self.expected)

    def within(self, start: int, end: int) -> Override:
        """What concerns the positions of one part: there a row is made to sum to 1, and where it has no weight the heads are free."""
        if self is NOTHING:
            return self
        rows = None
        if self.rows is not None:
            values = self.rows.values[:, :, start:end]
            sums = values.sum(-1)  # [B, T]
            rows = Rows(values / sums.clamp_min(1e-30).unsqueeze(-1), self.rows.replace & (sums > 0))
        return Override(rows, None if self.noise is None else self.noise[:, :, start:end], self.expected)


NOTHING = Override()


def gumbel(uniform: Tensor) -> Tensor:
    """Uniform numbers as the noise that turns the likeliest into a draw (Gumbel 1954); they are clamped in place."""
    return -torch.log(-torch.log(uniform.clamp_(1e-9, 1 - 1e-7)))
