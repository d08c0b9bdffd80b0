"""A clip: its frames, and how they lie as a film strip, a position to each frame."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from seq2seq_core.inputs.grid import Grid

if TYPE_CHECKING:
    from torch import Tensor

Frames = NDArray[Any]  # [S, height, width, 3] whole numbers from 0 to 255

FRAMES, SIDE = 24, 96  # of a clip that the lab renders; whatever else comes is brought to them
SHAPES = {"clip": (FRAMES, SIDE), "gesture": (15, 120)}  # of each task: frames, and their side in pixels
COLUMNS = 8  # a strip is cut into rows of so many frames, so that each can be seen


@dataclass(frozen=True, slots=True)
class Clip:
    """Frames of one size, and how many there were of which these were taken."""

    frames: Frames
    taken_of: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """Of the film strip as a picture: width, height."""
        rows, columns = strip(len(self.frames))
        return columns * self.frames.shape[2], rows * self.frames.shape[1]

    def grid(self, features: Tensor) -> Grid:
        """What was made of the frames [S, C], under the grid of the film strip."""
        return Grid(features, strip(len(self.frames)), self.size, frame_names(len(self.frames)))

    def picture(self) -> Image.Image:
        """The film strip: frames from left to right, row under row."""
        count, height, width = self.frames.shape[:3]
        rows, columns = strip(count)
        filled = np.zeros((rows * columns, height, width, 3), np.uint8)
        filled[:count] = self.frames
        return Image.fromarray(filled.reshape(rows, columns, height, width, 3).swapaxes(1, 2).reshape(rows * height, columns * width, 3))


def strip(count: int) -> tuple[int, int]:
    """Rows and columns of the strip of so many frames; every cell is one, so that a cell is a position."""
    columns = next((one for one in (COLUMNS, 10, 6, 5, 7, 9) if count % one == 0), count)
    return count // columns, columns


@cache
def frame_names(count: int) -> tuple[str, ...]:
    return tuple(f"frame {place + 1}" for place in range(count))


def evenly(count: int, wanted: int) -> list[int]:
    """So many of `count` frames, as far apart as they can be, in order; some twice where there are fewer."""
    return [min(count - 1, int((place + 0.5) * count / wanted)) for place in range(wanted)]
