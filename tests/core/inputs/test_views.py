"""The views of training photos, and the grids of many photos, made once and kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.views import degraded, encode_files, view_of
from seq2seq_core.inputs.vision import GridEncoder

skimage_data = pytest.importorskip("skimage.data")


@pytest.fixture(scope="module")
def encoder() -> GridEncoder:
    return GridEncoder()


def test_many_files_are_encoded_once_and_kept(encoder: GridEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / "cat.png", tmp_path / "coffee.jpg"]
    for path, picture in zip(paths, (skimage_data.chelsea(), skimage_data.coffee()), strict=True):
        Image.fromarray(picture).save(path)
    grids = encode_files(encoder, paths, tmp_path / "cache")
    mirrored = encode_files(encoder, paths, tmp_path / "cache", view=1)
    assert grids.shape == mirrored.shape == (2, 100, encoder.channels)
    assert grids.dtype == np.float16
    with Image.open(paths[1]) as photo:
        assert np.allclose(grids[1], encoder(photo)[0], atol=0.01)
        assert np.allclose(mirrored[1], encoder(ImageOps.mirror(photo))[0], atol=0.01)
    monkeypatch.setattr(GridEncoder, "__call__", None)
    assert np.array_equal(encode_files(encoder, paths, tmp_path / "cache"), grids)
    with pytest.raises(InputError, match="no photos to encode"):
        encode_files(encoder, [], tmp_path / "cache")


def test_encoding_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """What an interrupted run wrote stays, but for its last photo, which may be there in part; the result is that of one run."""
    encoder = GridEncoder("lite2", 64)
    paths = [tmp_path / f"{number}.png" for number in range(6)]
    for number, path in enumerate(paths):
        Image.fromarray(skimage_data.astronaut()).rotate(60 * number).save(path)
    whole = encode_files(encoder, paths, tmp_path / "whole", view=3, share=0.5)

    def stop_after_four(_: int) -> None:
        done.append(1)
        if len(done) == 4:
            raise KeyboardInterrupt

    done: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        encode_files(encoder, paths, tmp_path / "parts", view=3, advance=stop_after_four, share=0.5)
    assert not list((tmp_path / "parts").glob("*.npy"))
    rest: list[int] = []
    parts = encode_files(encoder, paths, tmp_path / "parts", view=3, advance=rest.append, share=0.5)
    assert len(rest) == 3
    assert np.array_equal(parts, whole)


def test_a_degraded_photo_is_the_same_photo_in_worse_order() -> None:
    photo = Image.fromarray(skimage_data.astronaut())
    known = np.asarray(photo.convert("L").resize((32, 32)), dtype=float)
    chance = np.random.default_rng(1)
    worse = [degraded(photo, chance) for _ in range(40)]
    shown = [np.asarray(one.convert("L").resize((32, 32)), dtype=float) for one in worse]
    assert all(np.corrcoef(known.ravel(), one.ravel())[0, 1] > 0.95 for one in shown)
    assert sum(np.abs(known - one).mean() > 0 for one in shown) > 30 and len({one.size for one in worse}) > 10
    assert min(min(one.size) for one in worse) >= 100
    assert np.array_equal(degraded(photo, np.random.default_rng(1)), worse[0])


@pytest.mark.parametrize("view", [0, 1])
def test_a_share_of_the_photos_is_degraded(encoder: GridEncoder, tmp_path: Path, view: int) -> None:
    paths = [tmp_path / f"{number}.png" for number in range(8)]
    for path in paths:
        Image.fromarray(skimage_data.chelsea()).save(path)
    plain, half = (encode_files(encoder, paths, tmp_path, view, share=share) for share in (0.0, 0.5))
    changed = [not np.array_equal(one, other) for one, other in zip(plain, half, strict=True)]
    assert 0 < sum(changed) < 8


def test_a_view_is_the_photo_its_mirror_image_or_a_piece_by_chance() -> None:
    rows, columns = np.mgrid[0:120, 0:200]
    photo = Image.fromarray(np.stack([columns, rows, 0 * rows], -1).astype(np.uint8))  # a pixel's colour says where it lies
    assert view_of(photo, 0, np.random.default_rng(0)) is photo
    assert np.array_equal(np.asarray(view_of(photo, 1, np.random.default_rng(0))), np.asarray(photo)[:, ::-1])
    for view, least, most in ((2, 0.49, 0.96), (3, 0.49, 0.96), (4, 0.02, 0.16)):
        chance = np.random.default_rng(view)
        pieces = [np.asarray(view_of(photo, view, chance)).astype(int) for _ in range(50)]
        for piece in pieces:
            assert (np.diff(piece[0, :, 0]) == (-1 if view == 3 else 1)).all() and (np.diff(piece[:, 0, 1]) == 1).all()
            assert least < piece[..., 0].size / (120 * 200) < most
        assert len({(piece[..., 0].min(), piece[..., 1].min()) for piece in pieces}) > 40
        again = np.random.default_rng(view)
        assert all(np.array_equal(np.asarray(view_of(photo, view, again)), piece) for piece in pieces)
