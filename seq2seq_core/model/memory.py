"""What the decoder may look at: what was read, part by part, and what each attention map has made of it. Made once, never changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


class Reading(NamedTuple):
    """One part of what was given, as its encoder leaves it."""

    states: Tensor  # [B, S, E] h_1 .. h_S
    mask: Tensor  # [B, S] True where there is a position
    summary: Tensor  # [B, E] h_T, the whole part in one vector
    pieces: Tensor | None = None  # [B, S] of a text that may be copied from: the piece at each position

    def each(self, change: Callable[[Tensor], Tensor]) -> Reading:
        pieces = None if self.pieces is None else change(self.pieces)
        return Reading(change(self.states), change(self.mask), change(self.summary), pieces)


class Look(NamedTuple):
    """What one attention map looks at, projected once and not at every step."""

    keys: Tensor  # [B, K, S, A] what a query is compared with
    mixed: Tensor  # [B, K, S, E / K] what the weights mix


@dataclass(frozen=True, slots=True)
class Memory:
    """All parts in the order given: their positions are numbered through. Keys are values here, not state of a module."""

    parts: tuple[Reading, ...]
    looks: tuple[Look, ...]  # one for each attention map of the decoder
    full: bool  # every position is real, so nothing has to be masked

    @property
    def states(self) -> Tensor:
        """[B, S, E] of all parts."""
        return self.parts[0].states if len(self.parts) == 1 else torch.cat([part.states for part in self.parts], 1)

    @property
    def mask(self) -> Tensor:
        """[B, S] of all parts."""
        return self.parts[0].mask if len(self.parts) == 1 else torch.cat([part.mask for part in self.parts], 1)

    @property
    def summary(self) -> Tensor:
        """[B, E] side by side."""
        return self.parts[0].summary if len(self.parts) == 1 else torch.cat([part.summary for part in self.parts], 1)

    @property
    def pieces(self) -> Tensor:
        """[B, S] of all parts, which are texts that may be copied from."""
        found = [part.pieces for part in self.parts if part.pieces is not None]
        return found[0] if len(found) == 1 else torch.cat(found, 1)

    def places(self) -> Sequence[NDArray[np.int64] | None]:
        """Of each row where its positions stand [S], in a batch whose parts are each padded; None: at the beginning, in order."""
        if len(self.parts) == 1 or self.full:
            return [None] * len(self.mask)
        return [np.flatnonzero(row) for row in self.mask.numpy()]

    def each(self, change: Callable[[Tensor], Tensor]) -> Memory:
        """The same memory with every tensor changed; all of them begin with the rows [B, ..]."""
        parts = tuple(part.each(change) for part in self.parts)
        return Memory(parts, tuple(Look(*map(change, look)) for look in self.looks), self.full)

    def rows(self, index: Tensor | slice) -> Memory:
        return self.each(lambda values: values[index])

    def repeated(self, times: int) -> Memory:
        """Each row so many times, one after the other."""
        if times == 1:
            return self
        return self.each(lambda values: values.unsqueeze(1).expand(-1, times, *values.shape[1:]).flatten(0, 1))

    def hide(self, positions: Tensor) -> Memory:
        """The same memory with positions [B, S] masked out."""
        hidden = torch.split(positions, [part.mask.shape[1] for part in self.parts], 1)
        parts = tuple(part._replace(mask=part.mask & ~one) for part, one in zip(self.parts, hidden, strict=True))
        return replace(self, parts=parts, full=False)
