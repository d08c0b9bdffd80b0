"""The models that the tests of pages decode with."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo import examples, resources
from tests.demo.tiny_models import make_language_models


@pytest.fixture
def models(tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The tiny models are the installed ones, and nothing is stored of any other."""
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(tiny_models))
    monkeypatch.setattr(examples, "FOLDER", tmp_path / "traces")
    _forget()
    yield tiny_models
    _forget()


@pytest.fixture(scope="session")
def language_folder(tiny_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tiny language models, and the translation models."""
    root = tmp_path_factory.mktemp("language")
    shutil.copytree(tiny_models / "translation", root / "translation")
    return make_language_models(root)


@pytest.fixture
def language_models(language_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """They are the installed ones."""
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(language_folder))
    monkeypatch.setattr(examples, "FOLDER", tmp_path / "traces")
    _forget()
    yield language_folder
    _forget()


def _forget() -> None:
    resources.pipeline.clear()
    resources.installed.clear()
    resources.forget_answers()
