"""Opening a clip: a GIF, a moving WebP or PNG, a folder of frames, a film strip; so many frames of one size out, or one sentence."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.clip import FRAMES, SIDE, Clip, evenly, strip
from seq2seq_core.inputs.photo import open_photo, read_photo

FORMATS = ("GIF", "WEBP", "PNG")
MAX_BYTES = 8 * 1024 * 1024
MAX_PIXELS = 4_000_000  # of a frame: at most 64 MB while decoding
MAX_FRAMES = 600
MOST_PIXELS = 60_000_000  # of all frames that are decoded; a second or two
MIN_SIDE = 16
PICTURES = {".jpg", ".jpeg", ".png", ".webp"}
AGAIN = "save it as a GIF of at least two frames and choose that."


def open_clip(data: bytes, count: int = FRAMES, side: int = SIDE) -> Clip:
    """Decode an upload: `count` of its frames, evenly apart, each squashed to a square. What is very long is read up to a limit."""
    if not data:
        raise InputError(f"The file is empty (0 bytes); {AGAIN}")
    if len(data) > MAX_BYTES:
        raise InputError(
            f"The file has {len(data) / 2**20:.1f} MB; at most {MAX_BYTES >> 20} MB are allowed, so make it shorter or smaller."
        )
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise InputError(f"The frames are larger than {MAX_PIXELS:,} pixels; make them smaller.") from None
    except UnidentifiedImageError:
        raise InputError(_what_it_is(data)) from None
    except Exception as error:  # a damaged header can make the readers raise almost anything
        raise InputError(f"The header of the clip is damaged; {AGAIN}") from error
    width, height = np.maximum(image.size, _extent(data)).tolist()
    if width * height > MAX_PIXELS:
        raise InputError(f"The frames have {width:,} x {height:,} pixels; at most {MAX_PIXELS:,} are allowed, so make them smaller.")
    if min(width, height) < MIN_SIDE:
        raise InputError(f"The frames are {width} x {height} pixels; they must have at least {MIN_SIDE} on each side.")
    found = _taken(_decoded(image, side), count)
    if found is None:
        raise InputError(f"The file holds one picture, and a clip needs at least two; {AGAIN}")
    return found


def open_strip(data: bytes, count: int, side: int) -> Clip:
    """A film strip of so many frames in one picture, as a browser makes it before a camera."""
    picture, (rows, columns) = open_photo(data).image, strip(count)
    width, height = picture.width // columns, picture.height // rows
    if min(width, height) < MIN_SIDE:
        raise InputError(f"The film strip has {picture.width} x {picture.height} pixels, too few for {count} frames; film it again.")
    corners = [(column * width, row * height) for row in range(rows) for column in range(columns)]
    frames = [_squashed(picture.crop((x, y, x + width, y + height)), side) for x, y in corners[:count]]
    return Clip(np.stack([np.asarray(frame) for frame in frames]), count)


def read_clip(path: Path, count: int = FRAMES, side: int = SIDE) -> Clip:
    """A folder of frames in the order of their names, or a file."""
    try:
        if not path.is_dir():
            return open_clip(path.read_bytes(), count, side)
        files = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURES)[:MAX_FRAMES]
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); check that the clip is there.") from None
    found = _taken((_squashed(read_photo(file), side) for file in files), count)
    if found is None:
        raise InputError(f"{path} holds {len(files)} frames (JPEG, PNG or WebP); a clip needs at least two.")
    return found


def _decoded(image: Image.Image, side: int) -> Iterator[Image.Image]:
    """Its frames one after the other, each small before the next is decoded; a clip that is damaged further on ends there."""
    limit = min(MAX_FRAMES, max(2, MOST_PIXELS // (image.width * image.height)))
    for place in range(limit):
        try:
            image.seek(place)
            if image.width * image.height > MAX_PIXELS:
                return
            frame = image.convert("RGBA")
        except EOFError:
            return
        except Exception as error:
            if place == 0:
                raise InputError(f"The clip is damaged or ends too early; {AGAIN}") from error
            return
        white = Image.new("RGBA", frame.size, "white")
        yield _squashed(Image.alpha_composite(white, frame), side)


def _extent(data: bytes) -> tuple[int, int]:
    """How far the frames of a GIF reach: one that is larger than the first makes all that follow as large, which would be decoded."""
    if not data.startswith(b"GIF8") or len(data) < 13:
        return 0, 0
    place, width, height = 13 + _table(data[10]), 0, 0
    while place + 10 < len(data) and data[place] != 0x3B:
        sign, place = data[place], place + 1
        if sign == 0x21:  # an extension: its kind, then blocks
            comment = data[place] == 0xFE
            place = _after_blocks(data, place + 1 if comment else place + 2 + data[place + 1])
        elif sign == 0x2C:
            left, top, wide, high = struct.unpack_from("<4H", data, place)
            width, height = max(width, left + wide), max(height, top + high)
            place = _after_blocks(data, place + 10 + _table(data[place + 8]))
    return width, height


def _table(flags: int) -> int:
    """Bytes of a table of colours."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _after_blocks(data: bytes, place: int) -> int:
    while place < len(data) and data[place]:
        place += 1 + data[place]
    return place + 1


def _squashed(frame: Image.Image, side: int) -> Image.Image:
    frame = frame.convert("RGB")
    return frame if frame.size == (side, side) else frame.resize((side, side), Image.Resampling.BICUBIC, reducing_gap=3.0)


def _taken(frames: Iterable[Image.Image], count: int) -> Clip | None:
    """Evenly apart; nothing of fewer than two."""
    found = [np.asarray(frame) for frame in frames]
    if len(found) < 2:
        return None
    return Clip(np.stack([found[place] for place in evenly(len(found), count)]), len(found))


def _what_it_is(data: bytes) -> str:
    if data[4:8] == b"ftyp" or data.startswith(b"\x1a\x45\xdf\xa3"):
        return f"The file is a film (MP4, MOV or WebM), which only a browser reads: take “An MP4 or WebM film” there, or {AGAIN}"
    if data.startswith((b"GIF8", b"RIFF", b"\x89PNG")):
        return f"The header of the clip is damaged; {AGAIN}"
    return f"The file is not a GIF, WebP or PNG, whatever its name says; {AGAIN}"
