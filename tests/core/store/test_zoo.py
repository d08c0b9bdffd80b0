"""Models are found by name or folder; a wrong name is answered with the nearest ones."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.store import checkpoint, moments, zoo
from seq2seq_core.store.checkpoint import weights_of
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


@pytest.mark.parametrize(
    "name",
    ["translation/aditive", "translation", "../..", "", "\0", "/etc", "a" * 5000, "." + "/b" * 5000, "translation/../translation/none"],
)
def test_a_wrong_name_is_answered_with_the_nearest(root: Path, name: str) -> None:
    with pytest.raises(InputError, match="There is no model"):
        zoo.find(name, root)


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"schema": 1, "config": {"hidden": "wide"}}', b"[" * 200_000, b" " * 2_000_000, b"\xff"]
)
def test_a_damaged_model_is_left_out_and_named_once(root: Path, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    (root / "translation/none/model.json").write_bytes(content)
    for _ in range(3):
        found, damaged = zoo.look_through(root)
    assert [info.variant for info in found] == ["additive", "multi-head", "additive-lstm", "dot"]
    assert damaged == ["translation/none"]
    assert [record.getMessage().count("translation/none is left out") for record in caplog.records] == [1]
    with pytest.raises(InputError, match="There is no model"):
        zoo.find("translation/nones", root)
    save_tiny_model(root / "translation/none")
    assert len(zoo.list_models(root)) == 5


def test_the_nearest_name_comes_first(root: Path) -> None:
    with pytest.raises(InputError, match="the nearest are translation/additive"):
        zoo.find("translation/aditive", root)


@pytest.mark.parametrize("differences", [False, True])
def test_a_model_is_opened_as_it_was_at_every_moment(tmp_path: Path, differences: bool) -> None:
    folder = tmp_path / "translation" / "tiny"
    final = weights_of(save_tiny_model(folder))
    then = {step: {name: weight * (0.5 + step) for name, weight in final.items()} for step in (0, 1)}
    moments_folder = folder / moments.FOLDER
    moments_folder.mkdir()
    base = final if differences else None
    paths = {step: moments.write_moment(moments_folder, step, weights, base) for step, weights in then.items()}
    moments.write_list(moments_folder, [moments.Moment(step, path.name, {}) for step, path in paths.items()], differences)
    found = zoo.load_moments(str(folder))
    assert list(found) == [0, 1]
    for step, pipeline in found.items():
        for name, weight in weights_of(pipeline.model).items():
            assert torch.allclose(weight, then[step][name], atol=2e-3), name
        assert pipeline.decode("abc").model_id == f"{folder} after step {step}"


def test_a_moment_leaves_the_model_it_is_of_as_it_is(tmp_path: Path) -> None:
    save_tiny_model(tmp_path / "model")
    loaded = checkpoint.load(tmp_path / "model")
    before = {name: weight.clone() for name, weight in weights_of(loaded.model).items()}
    path = moments.write_moment(tmp_path, 3, {name: weight + 1 for name, weight in before.items()})
    then = moments.at(loaded, path)
    assert all(torch.equal(weight, before[name]) for name, weight in weights_of(loaded.model).items())
    assert not any(torch.equal(weight, before[name]) for name, weight in weights_of(then.model).items())
    assert then.target_tokenizer is loaded.target_tokenizer
