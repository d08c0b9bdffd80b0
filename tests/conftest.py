"""For every test: one thread, as in the app, and no time limits, which a busy machine would break; and models for tests of pages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.register_profile("project", deadline=None)
settings.load_profile("project")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--repeats", type=int, default=0, help="how often the browser tests repeat what they print the time of; 0: they are left out"
    )


@pytest.fixture(scope="session")
def repeats(request: pytest.FixtureRequest) -> int:
    count = int(request.config.getoption("--repeats"))
    if not count:
        pytest.skip("it prints times and asserts nothing: give --repeats")
    return count


@pytest.fixture(scope="session")
def all_models() -> Path:
    """A folder of tiny models for SEQ2SEQ_MODELS, of every task. Some variants are missing, as in an installation."""
    from tests.demo.tiny_models import MODELS

    return MODELS


@pytest.fixture(scope="session")
def tiny_models(all_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Those of translation and transliteration alone."""
    root = tmp_path_factory.mktemp("models")
    for task in ("translation", "transliteration"):
        (root / task).symlink_to(all_models / task)
    return root
