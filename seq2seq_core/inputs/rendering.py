"""Drawing clips: coloured things that move, are hidden, come and go, under a camera that shakes. A seed decides all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seq2seq_core.inputs.clip import FRAMES, SIDE

Numbers = NDArray[Any]
Chance = np.random.Generator

COLOURS = {
    "red": (205, 38, 38), "green": (34, 140, 66), "blue": (40, 84, 214), "yellow": (240, 200, 24), "purple": (142, 58, 178),
    "orange": (242, 128, 22),
}  # fmt: skip
SHAPES = ("circle", "square", "triangle", "cross")
TEXTURES = ("plain", "striped", "dotted")
SIZES = {"small": 8.0, "large": 14.0}  # the radius in pixels
DARKER = 0.42  # what stripes and dots are of the thing's colour


@dataclass(frozen=True, slots=True)
class Thing:
    """What a thing looks like; it is named by what can be seen."""

    size: str
    texture: str
    colour: str
    shape: str

    @property
    def name(self) -> str:
        return " ".join(word for word in (self.size, self.texture, self.colour, self.shape) if word != "plain")

    @property
    def radius(self) -> float:
        return SIZES[self.size]


@dataclass(frozen=True, slots=True)
class Track:
    """Where a thing is in every frame, whether it is there, and from which frame on it has another colour."""

    thing: Thing
    places: Numbers  # [S, 2] x and y of its middle, in pixels
    there: Numbers  # [S] True where it is
    turns: tuple[int, str] | None = None

    def colours(self) -> list[str]:
        """Frame by frame."""
        frame, colour = self.turns or (FRAMES, "")
        return [self.thing.colour] * frame + [colour] * (FRAMES - frame)


def render(tracks: list[Track], seed: int) -> Numbers:
    """The frames [S, SIDE, SIDE, 3], later tracks in front of earlier ones."""
    chance = np.random.default_rng((seed, 1))
    frames = _background(chance)
    shake = chance.normal(0.0, chance.uniform(0.0, 0.9), (FRAMES, 2))
    for track in tracks:
        _draw(frames, track, shake)
    light, grain = chance.normal(1.0, 0.012, FRAMES).astype(np.float32), float(chance.uniform(1, 8))
    noise = grain * chance.standard_normal((2 * SIDE, 2 * SIDE, 3), np.float32)  # each frame takes another piece of it
    for frame, (left, top) in zip(range(FRAMES), chance.integers(SIDE, size=(FRAMES, 2)), strict=True):
        frames[frame] *= light[frame]
        frames[frame] += noise[top : top + SIDE, left : left + SIDE]
    return frames.clip(0, 255, out=frames).astype(np.uint8)


def coverage(thing: Thing, places: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """How much of each pixel a thing covers around its places [S, 2]: [S, W, W] from 0 to 1; how bright it is there; where W begins."""
    half = int(thing.radius) + 2
    corners = np.floor(places).astype(np.int64) - half
    steps = np.arange(2 * half + 1, dtype=np.float32)
    x = (corners[:, :1] + steps - places[:, :1]).astype(np.float32)[:, None, :]  # [S, 1, W] from the middle
    y = (corners[:, 1:] + steps - places[:, 1:]).astype(np.float32)[:, :, None]
    inner = _inside(thing.shape, x, y, thing.radius)
    return np.clip(inner + 0.5, 0, 1), _pattern(thing.texture, x, y), corners


def _inside(shape: str, x: Numbers, y: Numbers, radius: float) -> Numbers:
    """How many pixels inside the edge a point is; less than 0 outside."""
    found: Numbers
    if shape == "circle":
        found = radius - np.hypot(x, y)
    elif shape == "square":
        found = 0.88 * radius - np.maximum(np.abs(x), np.abs(y))
    elif shape == "triangle":
        found = np.minimum(0.75 * radius - y, (y + radius - 1.75 * np.abs(x)) / 2.0)
    else:
        arm = 0.36 * radius
        across = np.minimum(radius - np.abs(x), arm - np.abs(y))
        found = np.maximum(across, np.minimum(radius - np.abs(y), arm - np.abs(x)))
    return found


def _pattern(texture: str, x: Numbers, y: Numbers) -> Numbers:
    """1 where a point has the thing's colour, less where it is darker: [S, W, W]."""
    if texture == "striped":
        dark = np.mod(x + y, 6.0) < 2.6
    elif texture == "dotted":
        dark = np.hypot(np.mod(x + 2.5, 5.0) - 2.5, np.mod(y + 2.5, 5.0) - 2.5) < 1.5
    else:
        return np.ones(np.broadcast_shapes(x.shape, y.shape), np.float32)
    found: Numbers = np.where(dark, np.float32(DARKER), np.float32(1))
    return found


def _background(chance: Chance) -> Numbers:
    """A light wall, a little coloured, a little darker towards one side."""
    colour = chance.uniform(196, 244) + chance.normal(0, 5, 3)
    slope = chance.uniform(-16, 16, 2)
    from_middle = np.linspace(-0.5, 0.5, SIDE)
    wall = (slope[0] * from_middle[None, :] + slope[1] * from_middle[:, None])[..., None] + colour
    frames = np.empty((FRAMES, SIDE, SIDE, 3), np.float32)
    frames[:] = wall
    return frames


def _draw(frames: Numbers, track: Track, shake: Numbers) -> None:
    covered, pattern, corners = coverage(track.thing, track.places + shake)
    paint = np.array([COLOURS[colour] for colour in track.colours()], np.float32)
    width = covered.shape[1]
    for frame in np.flatnonzero(track.there):
        (y, x), window = _within(int(corners[frame, 0]), int(corners[frame, 1]), width)
        part = covered[frame][window][..., None]
        frames[frame, y, x] += part * (pattern[frame][window][..., None] * paint[frame] - frames[frame, y, x])


def _within(left: int, top: int, width: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Rows and columns of the picture under a square, and those of the square over the picture; empty where it is outside."""
    here = [(min(max(corner, 0), SIDE), min(max(corner + width, 0), SIDE)) for corner in (top, left)]
    rows, columns = (slice(begin, end) for begin, end in here)
    return (rows, columns), (slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left))


def seen(tracks: list[Track]) -> Numbers:
    """Which share of each thing is to be seen in each frame [things, S]: not hidden by another, within the picture, there at all."""
    owner = np.full((FRAMES, SIDE, SIDE), -1, np.int8)
    whole = np.zeros((len(tracks), FRAMES))
    for index, track in enumerate(tracks):
        covered, _, corners = coverage(track.thing, track.places)
        width = covered.shape[1]
        whole[index] = np.maximum((covered > 0.5).sum((1, 2)), 1)
        for frame in np.flatnonzero(track.there):
            (y, x), window = _within(int(corners[frame, 0]), int(corners[frame, 1]), width)
            owner[frame, y, x][covered[frame][window] > 0.5] = index
    counts = np.stack([(owner == index).sum((1, 2)) for index in range(len(tracks))])
    found: Numbers = counts / whole
    return found
