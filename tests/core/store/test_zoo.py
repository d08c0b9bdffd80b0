"""Models are found by name or folder; a wrong name is answered with the nearest ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from seq2seq_core.errors import InputError
from seq2seq_core.store import zoo
from tests.core.tiny import save_tiny_model


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for variant in ("additive", "none", "multi-head", "additive-lstm"):
        save_tiny_model(tmp_path / "translation" / variant)
    save_tiny_model(tmp_path / "transliteration" / "dot")
    return tmp_path


def test_models_are_listed_in_the_order_of_the_lectures(root: Path) -> None:
    assert [info.id for info in zoo.list_models(root)] == [
        "translation/none",
        "translation/additive",
        "translation/multi-head",
        "translation/additive-lstm",
        "transliteration/dot",
    ]


def test_a_model_is_found_by_name_and_by_folder(root: Path) -> None:
    assert zoo.find("translation/none", root) == root / "translation/none"
    assert zoo.find(str(root / "transliteration/dot"), root) == root / "transliteration/dot"


@pytest.mark.parametrize("name", ["translation/aditive", "translation", "../..", "", "\0", "/etc", "translation/../translation/none"])
def test_a_wrong_name_is_answered_with_the_nearest(root: Path, name: str) -> None:
    with pytest.raises(InputError, match="There is no model"):
        zoo.find(name, root)


def test_the_nearest_name_comes_first(root: Path) -> None:
    with pytest.raises(InputError, match="the nearest are translation/additive"):
        zoo.find("translation/aditive", root)
