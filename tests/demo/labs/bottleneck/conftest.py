"""Models with stored results."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo import resources
from seq2seq_core.__main__ import main
from tests.demo.tiny_models import GERMAN, HINDI

SET = "Our dev"


@pytest.fixture(scope="module")
def scored_models(tiny_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny models with stored results, as `evaluate --record` writes them."""
    root = tmp_path_factory.mktemp("scored") / "models"
    shutil.copytree(tiny_models, root)
    pairs, words = root.parent / "pairs.tsv", root.parent / "words.tsv"
    pairs.write_text("".join(f"{source}\t{target}\n" for source, target in GERMAN))
    words.write_text("".join(f"{native}\t{roman}\t1\n" for roman, native in HINDI))
    patch = pytest.MonkeyPatch()
    patch.setenv("SEQ2SEQ_MODELS", str(root))
    for variant in ("additive", "none", "multi-head"):
        assert main(["evaluate", f"translation/{variant}", "--pairs", str(pairs), "--record", SET, "--json"]) == 0
    assert main(["evaluate", "transliteration/additive", "--lexicon", str(words), "--record", "Our words", "--json"]) == 0
    patch.undo()
    return root


@pytest.fixture
def scored(models: Path, scored_models: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(scored_models))
    resources.shelf.clear()
    yield scored_models
    resources.shelf.clear()
