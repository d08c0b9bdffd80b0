"""The models that the tests of pages decode with."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from PIL import Image
from streamlit.components.v2 import manifest_scanner
from torch import Tensor

from demo import examples, moments, resources
from demo.given import photos
from demo.labs.time_machine import view as time_machine
from seq2seq_core.inputs.vision import GridEncoder
from seq2seq_core.store import checkpoint
from seq2seq_core.store.moments import FOLDER, Moment, write_list, write_moment
from tests.demo.tiny_models import HINDI_MODELS

Install = Callable[[Path], Path]
WithMoments = Callable[[Mapping[int, float]], Path]


@pytest.fixture(scope="session", autouse=True)
def packages_are_looked_through_once() -> Iterator[None]:
    """Every AppTest asks all installed packages for components of theirs: nine tenths of the time in which a page opens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def photos_are_looked_at_once() -> Iterator[None]:
    """A dozen samples stand on the pages of a hundred tests: reading the image network and looking takes 0.1 s each time."""
    look, seen = GridEncoder.__call__, dict[tuple[str, int, bytes], tuple[Tensor, tuple[int, int]]]()

    def remembered(self: GridEncoder, image: Image.Image) -> tuple[Tensor, tuple[int, int]]:
        key = self.digest, self.side, hashlib.sha256(repr(image.size).encode() + image.tobytes()).digest()
        if key not in seen:
            seen[key] = look(self, image)
        return seen[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GridEncoder, "__call__", remembered)
        yield


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Make the models of a folder the installed ones, with nothing stored of any other."""

    def these(folder: Path) -> Path:
        monkeypatch.setenv("SEQ2SEQ_MODELS", str(folder))
        monkeypatch.setattr(examples, "FOLDER", tmp_path / "traces")
        _forget()
        return folder

    yield these
    _forget()


def _forget() -> None:
    for cached in (resources.pipeline, resources.shelf, resources.romaniser, photos._opened):
        cached.clear()
    resources.forget_answers()


@pytest.fixture
def models(tiny_models: Path, install: Install) -> Path:
    """Translation and transliteration alone."""
    return install(tiny_models)


@pytest.fixture
def every_model(all_models: Path, install: Install) -> Path:
    return install(all_models)


@pytest.fixture
def hindi_models(tiny_models: Path, tmp_path: Path, install: Install) -> Path:
    """Translation and transliteration, and Hindi and English both ways."""
    root = tmp_path / "hindi-models"
    root.mkdir()
    (root / "transliteration").symlink_to(tiny_models / "transliteration")
    shutil.copytree(tiny_models / "translation", root / "translation")
    shutil.copytree(HINDI_MODELS / "translation", root / "translation", dirs_exist_ok=True)
    return install(root)


@pytest.fixture
def language_models(all_models: Path, tmp_path: Path, install: Install) -> Path:
    """Language models and translation, no captioning."""
    root = tmp_path / "language-models"
    root.mkdir()
    for task in ("language", "translation"):
        (root / task).symlink_to(all_models / task)
    return install(root)


@pytest.fixture
def with_moments(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WithMoments:
    """The tiny models, the additive translator with moments of its training: after so many steps such a share of what it has learnt."""

    def put(shares: Mapping[int, float]) -> Path:
        root = tmp_path / "with-moments"
        shutil.copytree(models, root)
        folder = root / "translation" / "additive"
        final = checkpoint.weights_of(checkpoint.load(folder).model)
        (folder / FOLDER).mkdir()
        kept = []
        for step, share in shares.items():
            path = write_moment(folder / FOLDER, step, {name: share * weight for name, weight in final.items()}, final, "int8")
            kept.append(Moment(step, path.name, {"bleu": 50.0 * share}))
        write_list(folder / FOLDER, kept, differences=True)
        monkeypatch.setenv("SEQ2SEQ_MODELS", str(root))
        for cached in (resources.shelf, moments.pipelines, time_machine.traces, moments.has_moments):
            cached.clear()
        return folder

    return put
