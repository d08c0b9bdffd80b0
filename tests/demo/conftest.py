"""The models that the tests of pages decode with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from demo import examples, resources


@pytest.fixture
def models(tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The tiny models are the installed ones, and nothing is stored of any other."""
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(tiny_models))
    monkeypatch.setattr(examples, "FOLDER", tmp_path / "traces")
    _forget()
    yield tiny_models
    _forget()


def _forget() -> None:
    resources.pipeline.clear()
    resources.installed.clear()
    resources.forget_answers()
