"""Work that is spread over machines gives what it gives here, and models go where they are needed, once."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from seq2seq_core import machines
from seq2seq_core.__main__ import main
from seq2seq_core.config import DecodeSettings
from seq2seq_core.machines import Travelling, arrived, travelling
from seq2seq_core.store.package import pack_model
from seq2seq_core.store.zoo import load
from seq2seq_core.training.evaluation import SENTENCES, Over, evaluate_rows
from seq2seq_core.training.readers import Row
from tests.core.tiny import save_tiny_model

WORDS = ["abc", "hgf edc", "bad cafe", "face", "a", "dead beef", "fed", "beg", "cab", "egg"] * 8
ROWS = [Row((word,), "", (word[::-1],)) for word in WORDS]
SETTINGS = DecodeSettings(beam_size=2, max_length=8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_tiny_model(tmp_path / "translation" / "own", seed=3)
    return tmp_path / "translation" / "own"


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A cluster of this process: what is put is what is got."""
    fetched: list[Any] = []

    def get(held: Any) -> Any:
        fetched.append(held)
        return held

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(get=get, put=lambda thing: thing))
    monkeypatch.setattr(machines, "connect", lambda: None)
    monkeypatch.setattr(machines, "_sent", {})
    monkeypatch.setattr(machines, "_there", {})
    return fetched


def by_post(model: Travelling) -> Over:
    """The work is done by the model that travelled, with nothing that this process holds."""

    def over(work: Callable[[Any, Any], Any], pieces: Iterable[Any]) -> Iterator[Any]:
        for piece in pieces:
            yield deepcopy(machines._worked(*deepcopy((model, work, piece))))

    return over


def without_time(scores: dict[str, Any]) -> dict[str, Any]:
    """All else, the statistics of each sentence as plain numbers."""
    plain = {name: (each.lengths, each.stats.tolist()) for name, each in scores.items() if name == SENTENCES}
    return {name: value for name, value in scores.items() if name != "seconds"} | plain


def test_scores_are_the_same_wherever_they_come_from(folder: Path, fetched: list[Any]) -> None:
    there = by_post(travelling(pack_model(folder), "translation/own"))
    pipeline = load(folder)
    found = evaluate_rows(pipeline, ROWS, SETTINGS, over=there)
    assert without_time(found) == without_time(evaluate_rows(pipeline, ROWS, SETTINGS))
    assert len(fetched) == 1, "its files are fetched once"


def test_so_is_perplexity(tmp_path: Path, fetched: list[Any]) -> None:
    save_tiny_model(tmp_path / "language" / "own", task="language", source="none", attention="none")
    pipeline = load(tmp_path / "language" / "own")
    there = by_post(travelling(pack_model(tmp_path / "language" / "own"), "language/own"))
    lines = [Row((), "", (word,)) for word in WORDS]
    assert without_time(evaluate_rows(pipeline, lines, SETTINGS, over=there)) == without_time(evaluate_rows(pipeline, lines, SETTINGS))


def test_a_model_is_known_by_its_content(folder: Path, tmp_path: Path, fetched: list[Any]) -> None:
    other = save_tiny_model(tmp_path / "other", seed=4)
    one, again, two = (travelling(pack_model(each), "own") for each in (folder, folder, tmp_path / "other"))
    assert one is again and one.hash != two.hash
    shutil.rmtree(folder)
    assert arrived(one) is arrived(one) is not arrived(two)
    assert len(fetched) == 2
    assert {name: value.tolist() for name, value in arrived(two).model.state_dict().items()} == {
        name: value.tolist() for name, value in other.pack().state_dict().items()
    }


def test_only_so_many_models_are_kept(tmp_path: Path, fetched: list[Any]) -> None:
    for seed in range(machines.MODELS_KEPT + 1):
        save_tiny_model(tmp_path / str(seed), seed=seed)
        arrived(travelling(pack_model(tmp_path / str(seed)), "own"))
    assert len(machines._there) == machines.MODELS_KEPT


def test_where_ray_is_missing_a_sentence_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    machines._join.cache_clear()
    for command in (
        ["evaluate", str(folder), "--data", "rows.tsv", "--engine", "ray"],
        ["queue", "one.toml", "--data", "data", "--out", "runs"],
    ):
        assert main(command) == 2
        assert "Ray is not installed here" in capsys.readouterr().err
