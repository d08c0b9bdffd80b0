"""Opening a photo: bytes in, an upright RGB picture or one clear sentence out."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from seq2seq_core.errors import InputError

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
MAX_BYTES = 8 * 1024 * 1024
MAX_PIXELS = 25_000_000  # at most 215 MB while decoding (a progressive CMYK JPEG)
MAX_PIXELS_WEBP = 13_000_000  # its decoder takes 16 bytes a pixel: 215 MB
MAX_SCANS, MAX_SEGMENTS = 100, 5_000  # of a progressive JPEG: cameras write about ten, and each goes over the whole picture
BAND_PIXELS = 1_000_000  # of a large picture of an unusual mode that are converted at once
MIN_SIDE = 16
WORKING_SIDE = 1280  # larger photos are reduced to this: enough for the screen, four times what the encoder sees
EXIF_ORIENTATION = 0x0112
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
SIDEWAYS = (Image.Transpose.TRANSPOSE, Image.Transpose.ROTATE_270, Image.Transpose.TRANSVERSE, Image.Transpose.ROTATE_90)
MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")  # in a JPEG; what follows 0xff within a scan is none of these
END_OF_IMAGE, START_OF_SCAN = b"\xff\xd9", b"\xff\xda"
SIGNATURES = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"RIFF")


@dataclass(frozen=True, slots=True)
class Photo:
    """An upright RGB picture of at most 1280 pixels a side, and the upright size of the original."""

    image: Image.Image
    original_size: tuple[int, int]  # width, height


def open_photo(data: bytes) -> Photo:
    """Decode an upload. JPEG, PNG, WebP or GIF (first frame); turned upright by its EXIF; transparency over white."""
    if not data:
        raise InputError("The file is empty (0 bytes); choose a JPEG, PNG, WebP or GIF picture.")
    if len(data) > MAX_BYTES:
        raise InputError(f"The file has {len(data) / 2**20:.1f} MB; at most 8 MB are allowed, so save it smaller or with more compression.")
    image = _identify(data)
    if image.format == "JPEG":
        _check_scans(data)
    width, height = image.size
    _check_size(width, height, MAX_PIXELS_WEBP if image.format == "WEBP" else MAX_PIXELS)
    try:
        image.draft(None, (WORKING_SIDE, WORKING_SIDE))  # JPEG only: decode at a half, quarter or eighth, if that is large enough
        image.load()
        turn = _turn(image)
        upright = _to_rgb(_reduced(image))
        if turn is not None:
            upright = upright.transpose(turn)
    except Exception as error:  # a damaged file can make the decoders raise almost anything
        raise InputError("The picture is damaged or ends too early; open it in a picture viewer, save it again and upload that.") from error
    return Photo(upright, (height, width) if turn in SIDEWAYS else (width, height))


def read_photo(path: Path) -> Image.Image:
    """A picture file, upright and checked."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); check that the file is there.") from None
    return open_photo(data).image


def _identify(data: bytes) -> Image.Image:
    """Read the header alone: which format, how many pixels."""
    try:
        return Image.open(io.BytesIO(data), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        pixels = re.search(r"\((\d+) pixels\)", str(error))
        raise InputError(_too_many(int(pixels.group(1)) if pixels else 2 * MAX_PIXELS, MAX_PIXELS)) from error
    except UnidentifiedImageError as error:
        raise InputError(_what_it_is(data)) from error
    except Exception as error:  # a damaged header can make the readers raise almost anything
        raise InputError("The picture's header is damaged; open it in a picture viewer, save it again and upload that.") from error


def _what_it_is(data: bytes) -> str:
    again = "save it as JPEG or PNG and upload that."
    start = data[:1024].lower()
    if b"<svg" in start:
        return f"The file is an SVG drawing, not a photo; {again}"
    if data[4:8] == b"ftyp":
        return f"The file is an HEIC or AVIF picture, which cannot be read here; {again}"
    if data.startswith(SIGNATURES):
        return "The picture's header is damaged; open it in a picture viewer, save it again and upload that."
    return f"The file is not a JPEG, PNG, WebP or GIF picture, whatever its name says; {again}"


def _too_many(pixels: int, limit: int, size: str = "") -> str:
    return f"The picture has {pixels:,} pixels{size}; at most {limit:,} are allowed, so make it smaller."


def _check_size(width: int, height: int, limit: int) -> None:
    if width * height > limit:
        raise InputError(_too_many(width * height, limit, f" ({width:,} x {height:,})"))
    if min(width, height) < MIN_SIDE:
        raise InputError(f"The picture is {width:,} x {height:,} pixels; it must have at least {MIN_SIDE} on each side.")


def _check_scans(data: bytes) -> None:
    """A scan of a few bytes costs 3 ms on a large progressive picture, so that a small file could keep the decoder busy for minutes."""
    place, scans = 2, 0
    for _ in range(MAX_SEGMENTS):
        found = MARKER.search(data, place)
        if found is None or found[0] == END_OF_IMAGE:
            return
        scans += found[0] == START_OF_SCAN
        if scans > MAX_SCANS:
            break
        place = found.end() + int.from_bytes(data[found.end() : found.end() + 2], "big")
    raise InputError(f"The picture is stored in more than {MAX_SCANS} passes, as no camera does; save it again and upload that.")


def _reduced(image: Image.Image) -> Image.Image:
    """At most WORKING_SIDE a side. A large photo is reduced before it is converted, so that no second copy of full size is made."""
    scale = WORKING_SIDE / max(image.size)
    if scale >= 1:
        return image
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    if image.mode in ("RGB", "L", "CMYK") and not image.has_transparency_data:
        return image.resize(size, Image.Resampling.BICUBIC, reducing_gap=3.0)
    return _halved(image).resize(size, Image.Resampling.BICUBIC, reducing_gap=3.0)


def _halved(image: Image.Image) -> Image.Image:
    """Any mode to RGB at a half, a third .. of its size, a band of rows at a time: a second copy of full size would take 100 MB.

    Palette numbers and transparent colours must not be averaged, so each band is converted first.
    """
    factor = max(1, max(image.size) // (2 * WORKING_SIDE) + 1)
    width, height = -(-image.width // factor), -(-image.height // factor)
    whole = Image.new("RGB", (width, height))
    rows = max(1, BAND_PIXELS // image.width // factor) * factor
    for top in range(0, image.height, rows):
        band = image.crop((0, top, image.width, min(top + rows, image.height)))
        band.info = image.info
        whole.paste(_to_rgb(band).reduce(factor), (0, top // factor))
    return whole


def _to_rgb(image: Image.Image) -> Image.Image:
    """Any mode to 8-bit RGB; transparent parts become white."""
    if image.mode.startswith("I"):  # 16-bit grey: keep the upper 8 bits
        upper = np.asarray(image) >> 8
        return Image.fromarray(upper.clip(0, 255).astype(np.uint8)).convert("RGB")
    if image.has_transparency_data:
        layered = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", layered.size, "white"), layered).convert("RGB")
    return image.convert("RGB")


def _turn(image: Image.Image) -> Image.Transpose | None:
    """What the EXIF orientation asks for; an EXIF block that cannot be read is ignored, because the photo is fine without it."""
    try:
        return TURNS.get(image.getexif().get(EXIF_ORIENTATION, 1))
    except Exception:  # noqa: BLE001 - a broken block can raise almost anything
        return None
