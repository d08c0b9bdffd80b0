"""Rendered scenes of two coloured shapes on a grid, with their sentence: pictures that are made on the spot, and their encoder."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from PIL import Image, ImageDraw
from torch import Tensor

from seq2seq_core.errors import InputError

COLOURS = {"red": (200, 40, 40), "blue": (40, 90, 200), "green": (40, 150, 80), "yellow": (235, 190, 20)}
SHAPES = ("circle", "square", "triangle")
RELATIONS = ("left of", "above")
SIDE = 4  # cells in a row and in a column
CELL = 48  # pixels
PATCH = 8  # a cell is averaged to so many pixels a side before the network sees it
SIZES, SHIFTS = (30, 36), (-3, 0, 3)
BACKGROUND = (244, 244, 242)
CHANNELS = 3 * PATCH * PATCH + 2 * SIDE  # the cell's colours, and one-hot its row and its column
LOOKS = len(SHAPES) * len(COLOURS) * len(SIZES) * len(SHIFTS) ** 2  # how many different drawings of one cell there are
_WRITTEN = re.compile(
    rf"an? ({'|'.join(COLOURS)}) ({'|'.join(SHAPES)}) ({'|'.join(RELATIONS)}) an? ({'|'.join(COLOURS)}) ({'|'.join(SHAPES)})\.?"
)


@dataclass(frozen=True, slots=True)
class Thing:
    """One drawing in one cell."""

    look: int  # which of LOOKS
    cell: int  # row by row

    @property
    def place(self) -> tuple[int, int]:
        return divmod(self.cell, SIDE)

    @property
    def name(self) -> str:
        kind = self.look // (LOOKS // (len(SHAPES) * len(COLOURS)))
        return f"{list(COLOURS)[kind % len(COLOURS)]} {SHAPES[kind // len(COLOURS)]}"


Scene = tuple[Thing, Thing]


def sentence(scene: Scene) -> str:
    """The thing further left in a row, or further up in a column, is named first."""
    (row, column), (other_row, other_column) = scene[0].place, scene[1].place
    sideways = abs(column - other_column) > abs(row - other_row)
    first, second = scene if (column < other_column if sideways else row < other_row) else scene[::-1]
    return f"a {first.name} {'left of' if sideways else 'above'} a {second.name}"


def make_scene(rng: random.Random) -> Scene:
    """Two things in one row or in one column, so that the relation is beyond doubt."""
    while True:
        cells = rng.randrange(SIDE**2), rng.randrange(SIDE**2)
        (row, column), (other_row, other_column) = (divmod(cell, SIDE) for cell in cells)
        if (row == other_row) != (column == other_column):
            return Thing(rng.randrange(LOOKS), cells[0]), Thing(rng.randrange(LOOKS), cells[1])


def scene_of(text: str, seed: int = 0) -> Scene:
    """A scene that has this sentence."""
    found = _WRITTEN.fullmatch(" ".join(text.lower().split()))
    if found is None:
        raise InputError(
            f"{text[:80]!r} describes no scene; write for example 'a red circle left of a blue square', with "
            f"{', '.join(COLOURS)}, {', '.join(SHAPES)}, and 'left of' or 'above'."
        )
    wanted = f"a {found[1]} {found[2]} {found[3]} a {found[4]} {found[5]}"
    rng = random.Random(seed)
    ways = LOOKS // (len(SHAPES) * len(COLOURS))
    looks = [(SHAPES.index(found[n + 1]) * len(COLOURS) + list(COLOURS).index(found[n])) * ways for n in (1, 4)]
    while True:
        scene = make_scene(rng)
        things = tuple(Thing(look + rng.randrange(ways), thing.cell) for look, thing in zip(looks, scene, strict=True))
        if sentence((things[0], things[1])) == wanted:
            return things[0], things[1]


@cache
def drawing(look: int) -> Image.Image:
    """One cell with a shape in it."""
    rest, shift_y = divmod(look, len(SHIFTS))
    rest, shift_x = divmod(rest, len(SHIFTS))
    kind, size = divmod(rest, len(SIZES))
    shape, colour = divmod(kind, len(COLOURS))
    finer = 4  # drawn larger and reduced: smooth edges
    image = Image.new("RGB", (CELL * finer, CELL * finer), BACKGROUND)
    half, x, y = (finer * value for value in (SIZES[size] // 2, CELL // 2 + SHIFTS[shift_x], CELL // 2 + SHIFTS[shift_y]))
    box, fill = (x - half, y - half, x + half, y + half), list(COLOURS.values())[colour]
    draw = ImageDraw.Draw(image)
    if SHAPES[shape] == "circle":
        draw.ellipse(box, fill)
    elif SHAPES[shape] == "square":
        draw.rectangle(box, fill)
    else:
        draw.polygon([(x, y - half), (x + half, y + half), (x - half, y + half)], fill)
    return image.reduce(finer)


def render(scene: Scene) -> Image.Image:
    image = Image.new("RGB", (SIDE * CELL, SIDE * CELL), BACKGROUND)
    for thing in scene:
        row, column = thing.place
        image.paste(drawing(thing.look), (column * CELL, row * CELL))
    return image


def _colours(image: Image.Image) -> Tensor:
    """A picture of whole cells as numbers around 0: [cells, 3 PATCH PATCH]."""
    small = image.reduce(CELL // PATCH)
    columns, rows = small.width // PATCH, small.height // PATCH
    pixels = torch.frombuffer(bytearray(small.tobytes()), dtype=torch.uint8).float().view(rows, PATCH, columns, PATCH, 3)
    pixels = (pixels - torch.tensor(BACKGROUND)) / 256
    return pixels.permute(0, 2, 1, 3, 4).reshape(rows * columns, -1)


@cache
def _places() -> Tensor:
    """Row and column of every cell, one-hot: [cells, 2 SIDE]."""
    eye = 4 * torch.eye(SIDE)  # weighs about as much as the colours of a cell do
    return torch.cat([eye.repeat_interleave(SIDE, 0), eye.repeat(SIDE, 1)], 1)


@cache
def _all_looks() -> Tensor:
    return torch.cat([_colours(drawing(look)) for look in range(LOOKS)])  # [LOOKS, 3 PATCH PATCH]


def features(scenes: Sequence[Scene]) -> Tensor:
    """What the network sees of many scenes, without drawing each: [B, cells, CHANNELS]."""
    grids = torch.zeros(len(scenes), SIDE**2, CHANNELS)
    grids[:, :, -2 * SIDE :] = _places()
    rows = torch.arange(len(scenes))
    for place in (0, 1):
        cells = torch.tensor([scene[place].cell for scene in scenes])
        grids[rows, cells, : -2 * SIDE] = _all_looks()[[scene[place].look for scene in scenes]]
    return grids


class SceneEncoder:
    """A picture as grid features, for a Pipeline; any picture is squashed to the size of a scene."""

    def __call__(self, image: Image.Image) -> tuple[Tensor, tuple[int, int]]:
        size = (SIDE * CELL, SIDE * CELL)
        image = image.convert("RGB")
        return torch.cat([_colours(image if image.size == size else image.resize(size)), _places()], 1), (SIDE, SIDE)
