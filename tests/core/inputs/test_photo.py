"""Uploads: every readable kind becomes upright RGB, everything else one clear sentence."""

from __future__ import annotations

import io
import random
import struct
import threading
import time
import zlib

import numpy as np
import pytest
from PIL import Image

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.grid import GridGeometry
from seq2seq_core.inputs.photo import MAX_BYTES, MAX_PIXELS, WORKING_SIDE, Photo, open_photo

EXIF_ORIENTATION = 0x0112
UNDO = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def saved(image: Image.Image, kind: str = "JPEG", orientation: int = 1, **options: object) -> bytes:
    """The bytes a camera would write: the sensor's picture, and how to turn it."""
    turn = UNDO[orientation]
    stored = image if turn is None else image.transpose(turn)
    if orientation != 1:
        exif = Image.Exif()
        exif[EXIF_ORIENTATION] = orientation
        options["exif"] = exif
    file = io.BytesIO()
    stored.save(file, kind, **options)
    return file.getvalue()


def quarters(width: int = 60, height: int = 40) -> Image.Image:
    """Red, green / blue, white: any turn shows."""
    image = Image.new("RGB", (width, height), (255, 255, 255))
    image.paste((255, 0, 0), (0, 0, width // 2, height // 2))
    image.paste((0, 255, 0), (width // 2, 0, width, height // 2))
    image.paste((0, 0, 255), (0, height // 2, width // 2, height))
    return image


def assert_quarters(image: Image.Image, tolerance: int = 12) -> None:
    width, height = image.size
    for x, y, expected in ((1, 1, (255, 0, 0)), (3, 1, (0, 255, 0)), (1, 3, (0, 0, 255)), (3, 3, (255, 255, 255))):
        pixel = image.getpixel((x * width // 4, y * height // 4))
        assert isinstance(pixel, tuple)
        assert max(abs(a - b) for a, b in zip(pixel, expected, strict=True)) <= tolerance


def refused(data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        open_photo(data)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_every_format_becomes_rgb(kind: str) -> None:
    options = {"lossless": True} if kind == "WEBP" else {}
    photo = open_photo(saved(quarters(), kind, **options))
    assert photo.image.mode == "RGB"
    assert photo.original_size == photo.image.size == (60, 40)
    assert_quarters(photo.image)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("size", [(60, 40), (40, 60), (48, 48), (3000, 40)])
def test_exif_orientation_is_undone(orientation: int, size: tuple[int, int]) -> None:
    photo = open_photo(saved(quarters(*size), orientation=orientation, quality=95, subsampling=0))
    assert photo.original_size == size
    assert_quarters(photo.image, 40)


def test_cmyk() -> None:
    assert_quarters(open_photo(saved(quarters().convert("CMYK"), quality=95)).image, 30)


def test_sixteen_bit_grey_keeps_its_upper_bits() -> None:
    values = np.linspace(0, 65535, 64 * 32, dtype=np.uint16).reshape(32, 64)
    image = open_photo(saved(Image.fromarray(values), "PNG")).image
    assert np.array_equal(np.asarray(image)[..., 0], values >> 8)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "L"])
def test_transparency_becomes_white(mode: str) -> None:
    image = Image.new("RGBA", (32, 32), (0, 0, 0, 0))
    image.paste((0, 0, 0, 255), (0, 0, 16, 32))
    options: dict[str, object] = {}
    if mode == "L":
        converted = Image.new("L", (32, 32), 7)
        converted.paste(0, (0, 0, 16, 32))
        options["transparency"] = 7
    elif mode == "P":
        converted = Image.new("P", (32, 32), 1)
        converted.putpalette([0, 0, 0, 200, 10, 10])
        converted.paste(0, (0, 0, 16, 32))
        options["transparency"] = 1
    else:
        converted = image.convert(mode)
    decoded = open_photo(saved(converted, "PNG", **options)).image
    assert decoded.getpixel((4, 4)) == (0, 0, 0)
    assert decoded.getpixel((28, 28)) == (255, 255, 255)


@pytest.mark.parametrize("mode", ["P", "RGBA", "I;16", "1", "LA"])
def test_large_pictures_of_unusual_modes_are_reduced(mode: str) -> None:
    image = Image.fromarray(np.full((1200, 3000), 40000, np.uint16)) if mode == "I;16" else quarters(3000, 1200).convert(mode)
    photo = open_photo(saved(image, "PNG"))
    assert photo.original_size == (3000, 1200)
    assert photo.image.size == (WORKING_SIDE, 512)
    if mode in ("P", "RGBA"):
        assert_quarters(photo.image)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_first_frame_of_an_animation(kind: str) -> None:
    others = [Image.new("RGB", (60, 40), color) for color in ("black", "gray")]
    options = {"lossless": True} if kind == "WEBP" else {}
    photo = open_photo(saved(quarters(), kind, save_all=True, append_images=others, duration=50, **options))
    assert_quarters(photo.image)


def test_large_jpeg_is_decoded_small() -> None:
    photo = open_photo(saved(quarters(4000, 3000)))
    assert photo.original_size == (4000, 3000)
    assert photo.image.size == (1280, 960)
    assert_quarters(photo.image)


def test_nothing() -> None:
    assert refused(b"") == "The file is empty (0 bytes); choose a JPEG, PNG, WebP or GIF picture."


def test_too_many_bytes() -> None:
    assert refused(bytes(9 * 2**20)).startswith("The file has 9.0 MB; at most 8 MB are allowed")
    padded = saved(quarters())
    assert open_photo(padded + bytes(MAX_BYTES - len(padded))).image.size == (60, 40)


def test_one_pixel() -> None:
    assert refused(saved(Image.new("RGB", (1, 1)), "PNG")) == "The picture is 1 x 1 pixels; it must have at least 16 on each side."


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_truncated(kind: str) -> None:
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 256, (200, 200, 3), dtype=np.uint8))
    data = saved(noise, kind)
    assert "damaged" in refused(data[: len(data) // 2])


def test_text_named_jpg() -> None:
    assert refused(b"Dear diary,\nthis is not a picture.\n").startswith("The file is not a JPEG, PNG, WebP or GIF picture")


def test_svg() -> None:
    data = b"<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>"
    assert refused(data).startswith("The file is an SVG drawing")


def test_heic() -> None:
    assert refused(b"\0\0\0\x18ftypheic" + bytes(40)).startswith("The file is an HEIC or AVIF picture")


def test_formats_that_are_not_offered() -> None:
    assert refused(saved(quarters(), "TIFF")).startswith("The file is not a JPEG")


def huge_png(width: int, height: int) -> bytes:
    """A valid header and almost no data."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("size", [(20_000, 20_000), (5001, 5000), (10_000, 10_000), (2**31 - 1, 2**31 - 1)])
def test_too_many_pixels_are_refused_before_decoding(size: tuple[int, int]) -> None:
    began = time.perf_counter()
    sentence = refused(huge_png(*size))
    assert time.perf_counter() - began < 0.5
    assert f"has {size[0] * size[1]:,} pixels" in sentence
    assert f"at most {MAX_PIXELS:,} are allowed" in sentence


def test_webp_has_a_lower_limit() -> None:
    data = saved(Image.new("RGB", (5000, 4000)), "WEBP", quality=1, method=0)
    assert "(5,000 x 4,000); at most 13,000,000 are allowed" in refused(data)


def test_two_uploads_at_once() -> None:
    data = [saved(quarters(900 + 10 * index, 600), orientation=index % 8 + 1) for index in range(8)]
    results: dict[int, Photo] = {}

    def work(index: int) -> None:
        results[index] = open_photo(data[index])

    threads = [threading.Thread(target=work, args=(index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index in range(8):
        assert results[index].original_size == (900 + 10 * index, 600)
        assert np.array_equal(np.asarray(results[index].image), np.asarray(open_photo(data[index]).image))


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Change, insert, delete, repeat or cut a few bytes; mostly near the start, where the structure is."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(min(len(changed), chance.choice((32, 200, len(changed)))))
        kind = chance.randrange(5)
        if kind == 0:
            changed[place] = chance.randrange(256)
        elif kind == 1:
            changed[place : place + 4] = chance.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff"))
        elif kind == 2:
            changed[place:place] = chance.randbytes(chance.randint(1, 8))
        elif kind == 3:
            del changed[place : place + chance.randint(1, 8)]
        else:
            del changed[max(place, 16) :]
        if not changed:
            break
    return bytes(changed)


@pytest.mark.filterwarnings("ignore")  # Pillow remarks on the damage
def test_a_thousand_mutated_files_give_a_picture_or_a_sentence() -> None:
    seeds = [
        saved(quarters(), orientation=6),
        saved(quarters().convert("CMYK")),
        saved(quarters(), progressive=True),
        saved(quarters(), "PNG"),
        saved(quarters().convert("P"), "PNG", transparency=3),
        saved(Image.fromarray(np.arange(1024, dtype=np.uint16).reshape(32, 32)), "PNG"),
        saved(quarters(), "WEBP"),
        saved(quarters(), "GIF", save_all=True, append_images=[Image.new("RGB", (60, 40))]),
    ]
    chance = random.Random(20)
    outcomes = {"picture": 0, "sentence": 0}
    for turn in range(1000):
        data = mutated(seeds[turn % len(seeds)], chance)
        try:
            photo = open_photo(data)
        except InputError as error:
            assert str(error).endswith(".")
            outcomes["sentence"] += 1
        else:
            assert photo.image.mode == "RGB"
            assert photo.original_size[0] * photo.original_size[1] <= MAX_PIXELS
            outcomes["picture"] += 1
    assert min(outcomes.values()) > 100


def test_geometry_covers_the_photo_once() -> None:
    geometry = GridGeometry(640, 427, 8, 10)
    area = 0.0
    for cell in range(geometry.cells):
        box = geometry.box(cell)
        area += (box.right - box.left) * (box.bottom - box.top)
        assert geometry.cell_at(*geometry.center(cell)) == cell
        assert geometry.cell_at(box.left + 0.01, box.top + 0.01) == cell
        assert geometry.cell_at(box.right - 0.01, box.bottom - 0.01) == cell
    assert area == pytest.approx(640 * 427)
    assert geometry.cell_at(-5, -5) == 0
    assert geometry.cell_at(640, 427) == geometry.cells - 1
    assert geometry.resized(1280, 854).box(11).right == 2 * geometry.box(11).right


def test_geometry_refuses_cells_it_does_not_have() -> None:
    with pytest.raises(InputError, match="must be between 0 and 63"):
        GridGeometry(10, 10, 8, 8).box(64)
    with pytest.raises(InputError, match="needs 64"):
        GridGeometry(10, 10, 8, 8).stretched([0.5])


@pytest.mark.parametrize("smooth", [True, False])
def test_stretched_weights_peak_in_their_cell(smooth: bool) -> None:
    geometry = GridGeometry(200, 120, 4, 5)
    for cell in range(geometry.cells):
        weights = [float(index == cell) for index in range(geometry.cells)]
        heat = np.asarray(geometry.stretched(weights, smooth))
        assert heat.shape == (120, 200)
        row, column = np.unravel_index(heat.argmax(), heat.shape)
        assert geometry.cell_at(float(column), float(row)) == cell
