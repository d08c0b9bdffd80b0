"""The grid under a picture: its features, and where its cells lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Grid:
    """What the image network made of a photo, kept so that it need not look twice."""

    features: Tensor  # [S, C], cells row by row
    shape: tuple[int, int]  # rows, columns
    image_size: tuple[int, int] = (1, 1)  # width, height
    labels: tuple[str, ...] = ()  # what the cells are called, where it is not by row and column


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels; right and bottom are just outside."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class GridGeometry:
    """Where the cells of a grid of features lie on a photo: the whole photo is squashed to a square, so a cell is a plain stretch of it.

    Cells are numbered row by row from the upper left, as in an attention row.
    """

    width: int
    height: int
    rows: int
    columns: int

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    def box(self, cell: int) -> Box:
        """The rectangle of a cell, in the pixels of the upright photo."""
        if not 0 <= cell < self.cells:
            raise InputError(f"The grid cell is {cell}; it must be between 0 and {self.cells - 1}.")
        row, column = divmod(cell, self.columns)
        wide, high = self.width / self.columns, self.height / self.rows
        return Box(column * wide, row * high, (column + 1) * wide, (row + 1) * high)

    def center(self, cell: int) -> tuple[float, float]:
        box = self.box(cell)
        return (box.left + box.right) / 2, (box.top + box.bottom) / 2

    def cell_at(self, x: float, y: float) -> int:
        """The cell under a point of the upright photo; a point outside belongs to the nearest cell at the edge."""
        column = min(max(int(x / self.width * self.columns), 0), self.columns - 1)
        row = min(max(int(y / self.height * self.rows), 0), self.rows - 1)
        return row * self.columns + column

    def resized(self, width: int, height: int) -> GridGeometry:
        """The same grid over the same photo at another size."""
        return GridGeometry(width, height, self.rows, self.columns)

    def stretched(self, weights: Sequence[float], smooth: bool = True) -> Image.Image:
        """One number per cell as a greyscale ("F") picture of the photo's size, smooth or in blocks."""
        if len(weights) != self.cells:
            raise InputError(f"There are {len(weights)} weights; a grid of {self.rows} x {self.columns} needs {self.cells}.")
        grid = np.asarray(weights, dtype=np.float32).reshape(self.rows, self.columns)
        method = Image.Resampling.BICUBIC if smooth else Image.Resampling.NEAREST
        return Image.fromarray(grid).resize((self.width, self.height), method)
