"""Photos as a model in training sees them, whole or in part, clean or degraded; and the grids of many of them, kept in a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageEnhance, ImageFilter, ImageOps

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.photo import open_photo
from seq2seq_core.inputs.vision import JPEG_QUALITY, LONG_SIDE, SHORT_SIDE, GridEncoder, saved_as_jpeg

PIECE, CLOSE_UP = (0.5, 0.95), (0.03, 0.15)  # of a photo: the share of its area
FIRST_CLOSE_UP = 4  # this view and those after it
PIECE_SHAPE = 0.15  # how far its proportions may go from the photo's
KERNELS = (Image.Resampling.BOX, Image.Resampling.BILINEAR, Image.Resampling.BICUBIC, Image.Resampling.LANCZOS)
SMALL_SIDE = (100, 360)  # pixels: the short side of a photo that somebody reduced


def view_of(photo: Image.Image, view: int, chance: np.random.Generator) -> Image.Image:
    """A photo as a model in training may see it; the odd views are mirrored. 0 and 1: all of it; 2 and 3: most of it; above: close-ups."""
    if view > 1:
        share, shape = (
            np.sqrt(chance.uniform(*(PIECE if view < FIRST_CLOSE_UP else CLOSE_UP))),
            np.exp(chance.uniform(-PIECE_SHAPE, PIECE_SHAPE)),
        )
        width, height = min(1.0, share * shape), min(1.0, share / shape)
        x, y = chance.uniform(0, 1 - width), chance.uniform(0, 1 - height)
        corners = (x * photo.width, y * photo.height, (x + width) * photo.width, (y + height) * photo.height)
        photo = photo.crop(tuple(map(round, corners)))
    return ImageOps.mirror(photo) if view % 2 else photo


def degraded(photo: Image.Image, chance: np.random.Generator) -> Image.Image:
    """A photo after what happens to photos on their way: other light, a blur or a filter that sharpens, reduced, noisy, saved again."""
    photo = photo.convert("RGB")
    for change in (ImageEnhance.Brightness, ImageEnhance.Contrast, ImageEnhance.Color):
        if chance.random() < 0.3:
            photo = change(photo).enhance(float(np.exp(chance.uniform(-0.3, 0.3))))
    if chance.random() < 0.3:
        sharpen, radius = chance.random() < 0.5, float(chance.uniform(0.4, 1.6))
        photo = photo.filter(ImageFilter.UnsharpMask(radius, 120) if sharpen else ImageFilter.GaussianBlur(radius))
    if chance.random() < 0.5:
        scale = chance.uniform(*SMALL_SIDE) / min(photo.size)
        size = max(1, round(photo.width * scale)), max(1, round(photo.height * scale))
        photo = photo.resize(size, KERNELS[int(chance.integers(len(KERNELS)))]) if scale < 1 else photo
    if chance.random() < 0.2:
        values = np.asarray(photo, dtype=np.float32)
        photo = Image.fromarray((values + chance.normal(0, chance.uniform(1, 12), values.shape)).round().clip(0, 255).astype(np.uint8))
    return saved_as_jpeg(photo, int(chance.integers(30, 96))) if chance.random() < 0.5 else photo


def shown(path: Path, view: int, index: int, share: float) -> Image.Image:
    """The photo in this place of a training, in one view of it, by chance degraded; the same whenever it is asked for."""
    chance = np.random.default_rng((view, index))
    photo = view_of(open_photo(path.read_bytes()).image, view, chance)
    return degraded(photo, chance) if chance.random() < share else photo


def encode_files(
    encoder: GridEncoder,
    paths: Sequence[Path],
    cache: Path,
    view: int = 0,
    advance: Callable[[int], object] = lambda _: None,
    share: float = 0.0,
) -> np.ndarray:
    """The grids of one view of many photos, [N, S, C] in float16 and memory-mapped; computed once, then read from the folder `cache`.

    `share`: of the photos, how many are degraded first. What was interrupted goes on where it stopped.
    """
    if not paths:
        raise InputError("There are no photos to encode; name at least one.")
    form = f"{SHORT_SIDE} {LONG_SIDE} JPEG {JPEG_QUALITY} {encoder.precision}"
    what = [encoder.digest, str(encoder.side), form, f"view {view} {share}", *("/".join(path.parts[-2:]) for path in paths)]
    file = cache / f"grids-{hashlib.sha256(chr(0).join(what).encode()).hexdigest()[:16]}.npy"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        rows, columns = encoder.grid
        unfinished = file.with_suffix(".unfinished")
        grids = _open_grids(unfinished, (len(paths), rows * columns, encoder.channels))
        written = next((index for index in range(len(paths)) if not grids[index].any()), len(paths))
        for index in range(max(0, written - 1), len(paths)):  # the last one may be written in part
            grids[index] = encoder(shown(paths[index], view, index, share))[0].numpy()
            advance(1)
        grids.flush()
        unfinished.replace(file)
    return np.load(file, mmap_mode="r")  # type: ignore[no-any-return]


def _open_grids(file: Path, shape: tuple[int, int, int]) -> np.memmap:
    """An array on the disk: zeros, or what an interrupted run left in it."""
    try:
        found = np.load(file, mmap_mode="r+")
        if found.shape == shape:
            return found  # type: ignore[no-any-return]
    except (OSError, ValueError):
        pass
    return np.lib.format.open_memmap(file, "w+", np.float16, shape)
