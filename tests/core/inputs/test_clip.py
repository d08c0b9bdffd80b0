"""Clips: their film strip, what eyes make of frames, and animations as people upload them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.animation import MAX_FRAMES, open_clip, open_strip, read_clip
from seq2seq_core.inputs.clip import FRAMES, SIDE, Clip, evenly, frame_names, strip
from seq2seq_core.inputs.events import Event, Story, film, stage
from seq2seq_core.inputs.eyes import CHANNELS, FEATURES, FINE, the_eyes
from seq2seq_core.inputs.grid import GridGeometry
from seq2seq_core.inputs.part import Part
from seq2seq_core.inputs.rendering import Thing

STORY = Story((Event("vanish", Thing("large", "plain", "red", "circle")),))


def animated(count: int, size: tuple[int, int] = (SIDE, SIDE), form: str = "GIF") -> bytes:
    """Frame `i` is all of grey `i`, as far as there are greys."""
    frames = [Image.new("L", size, 8 * place % 256) for place in range(count)]
    file = io.BytesIO()
    frames[0].save(file, form, save_all=True, append_images=frames[1:], duration=40)
    return file.getvalue()


def test_the_frame_of_an_event_lies_under_the_position_of_its_attention() -> None:
    """A frame that is all white is where the strip's cell of its position is, as the player and the painter draw it."""
    for event in (0, 7, 8, 13, FRAMES - 1):
        frames = np.zeros((FRAMES, SIDE, SIDE, 3), np.uint8)
        frames[event] = 255
        clip = Clip(frames)
        rows, columns = strip(FRAMES)
        part = Part.of_grid("clip", (rows, columns), clip.size, frame_names(FRAMES))
        assert part.positions == FRAMES and part.labels[event] == f"frame {event + 1}"
        box = GridGeometry(*clip.size, rows, columns).box(event)
        picture = np.asarray(clip.picture().convert("L")) > 0
        assert picture[int(box.top) : int(box.bottom), int(box.left) : int(box.right)].all() and picture.sum() == SIDE * SIDE


def test_the_frame_of_an_event_is_the_position_whose_features_change() -> None:
    """The same with the eyes: what vanishes is in the features up to its frame, and no longer."""
    for seed in range(3):
        (time,) = stage(STORY, seed).frames
        found = the_eyes().look(film(STORY, seed))
        assert found.features.shape == (FRAMES, FEATURES) and found.shape == strip(FRAMES)
        red = found.features.view(FRAMES, 2, CHANNELS, FINE)[:, 0, 1].sum(1)  # how much that is red
        assert red[:time].min() > 2 * red[time:].max()


def test_an_animation_keeps_the_order_of_its_frames() -> None:
    for form in ("GIF", "WEBP", "PNG"):
        clip = open_clip(animated(24, form=form))
        greys = clip.frames.mean((1, 2, 3))
        assert clip.frames.shape == (FRAMES, SIDE, SIDE, 3) and clip.taken_of == 24
        assert np.abs(greys - 8 * np.arange(24)).max() < 8
    few, many = open_clip(animated(2)), open_clip(animated(30, (40, 60)))
    assert (np.diff(few.frames.mean((1, 2, 3))) >= 0).all() and few.frames.shape == many.frames.shape
    assert evenly(24, 24) == list(range(24)) and evenly(48, 3) == [8, 24, 40]


def test_frames_of_a_folder_are_read_by_name(tmp_path: Path) -> None:
    frames = film(STORY, 1).frames
    for place, frame in enumerate(frames):
        Image.fromarray(frame).save(tmp_path / f"{place:02}.png")
    assert np.array_equal(read_clip(tmp_path).frames, frames)
    with pytest.raises(InputError, match="cannot be read"):
        read_clip(tmp_path / "none")
    for file in list(tmp_path.iterdir())[1:]:
        file.unlink()
    with pytest.raises(InputError, match="1 frames"):
        read_clip(tmp_path)


def test_what_is_no_clip_gets_one_sentence() -> None:
    whole = animated(5)
    for data, said in (
        (b"", "empty"),
        (b"hello", "not a GIF"),
        (b"\x00\x00\x00\x18ftypmp42" + bytes(50), "film"),
        (whole[:20], "damaged|one picture"),
        (animated(1), "one picture"),
        (animated(2, (8, 8)), "at least 16"),
        (b"GIF89a\xff\xff\xff\xff" + whole[10:], "larger than 4,000,000|at most"),
        (bytes(9 * 2**20), "at most 8 MB"),
    ):
        with pytest.raises(InputError, match=said):
            open_clip(data)
    with pytest.raises(InputError, match="give it a clip"):
        the_eyes().look("text")
    with pytest.raises(InputError, match="96 x 96"):
        the_eyes().look(Clip(np.zeros((2, 50, 50, 3), np.uint8)))


def test_a_film_strip_is_cut_into_its_frames() -> None:
    """As the camera of the page makes it: five frames in a row, each squashed to a square."""
    picture = Image.new("L", (800, 360))
    for place in range(15):
        picture.paste(16 * place, (160 * (place % 5), 120 * (place // 5), 160 * (place % 5) + 160, 120 * (place // 5) + 120))
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=95)
    clip = open_strip(file.getvalue(), 15, 120)
    assert clip.frames.shape == (15, 120, 120, 3) and clip.taken_of == 15
    for place, frame in enumerate(clip.frames):
        assert np.abs(frame.astype(int) - 16 * place).max() <= 3
    for data, said in ((b"", "empty"), (b"hello", "not a JPEG"), (file.getvalue()[:300], "damaged")):
        with pytest.raises(InputError, match=said):
            open_strip(data, 15, 120)
    file = io.BytesIO()
    picture.resize((60, 60)).save(file, "PNG")
    with pytest.raises(InputError, match="60 x 60 pixels, too few for 15 frames"):
        open_strip(file.getvalue(), 15, 120)


def test_thousands_of_frames_are_read_up_to_a_limit() -> None:
    assert open_clip(animated(MAX_FRAMES + 400, (16, 16))).taken_of <= MAX_FRAMES
    large = open_clip(animated(40, (1500, 1500)))
    assert large.taken_of < 40  # so many pixels, and then it ends


def test_a_frame_beyond_the_first_is_refused_before_it_is_decoded() -> None:
    """Pillow makes the whole picture as large as the largest frame."""
    whole = bytearray(animated(3))
    second = whole.index(b",\0\0\0\0", whole.index(b",\0\0\0\0") + 1)
    whole[second + 5 : second + 9] = b"\xff\x2f\xff\x2f"
    with pytest.raises(InputError, match="12,287 x 12,287"):
        open_clip(bytes(whole))


def test_eyes_see_a_frame_alike_alone_and_among_others() -> None:
    frames = torch.from_numpy(film(STORY, 2).frames)
    with torch.inference_mode():
        np.testing.assert_allclose(the_eyes().features(frames)[3:4], the_eyes().features(frames[3:4]), atol=1e-4)
