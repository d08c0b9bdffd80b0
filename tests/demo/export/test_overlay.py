"""The overlay lies where the photo's cells are: upright, turned, tall and wide; and the files made of it can be opened."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from demo.blocks.eyes import changed
from demo.export.overlay import animation, contact_sheet, overlay
from seq2seq_core.inputs.grid import GridGeometry
from seq2seq_core.inputs.photo import open_photo
from tests.demo.traces import image_source, make_trace

ROWS = COLUMNS = 10


@pytest.mark.parametrize("orientation", [1, 3, 6])
@pytest.mark.parametrize("size", [(400, 300), (300, 400)])
@pytest.mark.parametrize("cell", [0, 37, 99])
def test_the_spotlight_falls_on_the_object_in_the_upright_photo(size: tuple[int, int], orientation: int, cell: int) -> None:
    width, height = size  # of the upright photo
    stored = size if orientation != 6 else (height, width)
    upright = Image.new("RGB", size, (90, 90, 90))
    box = GridGeometry(width, height, ROWS, COLUMNS).box(cell)
    upright.paste((250, 250, 250), tuple(map(round, (box.left, box.top, box.right, box.bottom))))
    turned = {1: upright, 3: upright.rotate(180), 6: upright.rotate(90, expand=True)}[orientation]
    assert turned.size == stored
    exif, out = Image.Exif(), io.BytesIO()
    exif[0x0112] = orientation
    turned.save(out, "PNG", exif=exif)
    photo = open_photo(out.getvalue()).image
    assert photo.size == size
    row = [float(place == cell) for place in range(ROWS * COLUMNS)]
    lit = np.asarray(overlay(photo, row, ROWS, COLUMNS, strength=1.0, smooth=False).convert("L"))
    bright = np.argwhere(lit > 200)
    assert len(bright) == pytest.approx((width // COLUMNS) * (height // ROWS), rel=0.02)
    assert bright.min(0).tolist() == [round(box.top), round(box.left)]
    smooth = np.asarray(overlay(photo, row, ROWS, COLUMNS, strength=1.0).convert("L"))
    y, x = np.unravel_index(smooth.argmax(), smooth.shape)
    assert GridGeometry(width, height, ROWS, COLUMNS).cell_at(float(x), float(y)) == cell


def test_no_strength_shows_the_photo_itself_and_heat_colours_it() -> None:
    photo = Image.new("RGB", (60, 60), (200, 120, 40))
    row = [1.0, 0.0, 0.0, 0.0]
    assert np.asarray(overlay(photo, row, 2, 2, strength=0.0)).tolist() == np.asarray(photo).tolist()
    heat = np.asarray(overlay(photo, row, 2, 2, paint="heat", strength=1.0, smooth=False))
    assert heat[5, 5].tolist() == [24, 104, 240]
    assert np.ptp(heat[50, 50]) < 40  # grey where nothing is looked at


def test_the_sheet_and_the_animation_have_one_picture_per_word() -> None:
    source = image_source(3, 4, (160, 120))
    trace = make_trace([" a", " dog", " runs", "</s>"], source, task="captioning")
    photo = Image.new("RGB", (160, 120), (120, 160, 90))
    sheet = Image.open(io.BytesIO(contact_sheet(photo, trace)))
    assert sheet.format == "PNG" and sheet.width > 4 * 100
    moving = Image.open(io.BytesIO(animation(photo, trace)))
    assert moving.format == "GIF" and moving.n_frames == 5  # the photo, three words, the whole caption


@pytest.mark.parametrize(
    ("before", "after", "parts"),
    [
        ("a dog runs", "a cat runs", ("dog", "cat")),
        ("a dog runs", "a dog runs fast", ("", "fast")),
        ("a dog", "a dog", ("", "")),
        ("a dog sits", "the dog lies", ("a dog sits", "the dog lies")),
    ],
)
def test_what_changed_is_whole_words(before: str, after: str, parts: tuple[str, str]) -> None:
    begin, (one, other) = changed(before, after)
    assert (before[begin:one].strip(), after[begin:other].strip()) == parts
