"""What a step may be given to write its intermediates into, by name. Modules keep nothing themselves; without a record nothing is kept."""

from __future__ import annotations

import torch
from torch import Tensor


class Record:
    """Notes [B, T, ..] by name, as they were computed; what was computed in several goes is joined along T."""

    def __init__(self, notes: dict[str, list[Tensor]] | None = None, place: str = "") -> None:
        self._notes = {} if notes is None else notes
        self._place = place

    def add(self, **values: Tensor) -> None:
        for name, value in values.items():
            self._notes.setdefault(self._place + name, []).append(value)

    def under(self, place: str) -> Record:
        """The same record, with this before every name."""
        return Record(self._notes, f"{self._place}{place}/")

    def parts(self, name: str) -> list[Tensor]:
        """The notes as they were made, so that a gradient can be asked for at each."""
        return self._notes[self._place + name]

    def whole(self, name: str) -> Tensor:
        """[B, T, ..] with all steps."""
        return torch.cat(self.parts(name), 1)

    def names(self) -> list[str]:
        """What stands in this place, in order."""
        return [name.removeprefix(self._place) for name in self._notes if name.startswith(self._place)]
