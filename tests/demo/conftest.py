"""The models that the tests of pages decode with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner

from demo import assets, examples, resources

Install = Callable[[Path], Path]


@pytest.fixture(scope="session", autouse=True)
def packages_are_looked_through_once() -> Iterator[None]:
    """Every AppTest asks all installed packages for components of theirs: nine tenths of the time in which a page opens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
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
    for cached in (resources.pipeline, resources.installed, assets._opened):
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
def language_models(all_models: Path, tmp_path: Path, install: Install) -> Path:
    """Language models and translation, no captioning."""
    root = tmp_path / "language-models"
    root.mkdir()
    for task in ("language", "translation"):
        (root / task).symlink_to(all_models / task)
    return install(root)
