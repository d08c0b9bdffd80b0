"""What is saved is what is loaded; what was altered is refused in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.store import checkpoint
from tests.core.tiny import LETTERS, save_tiny_model, tiny_model


def test_a_model_comes_back_as_it_was(tmp_path: Path) -> None:
    model = save_tiny_model(tmp_path / "m", attention="multi-head")
    loaded = checkpoint.load(tmp_path / "m")
    assert loaded.model.config == model.config
    assert loaded.card["name"] == "tiny"
    assert not loaded.model.training
    assert loaded.target_tokenizer.decode(LETTERS.encode("cab").ids) == "cab"
    for name, weight in checkpoint.weights_of(model).items():
        assert torch.equal(weight, checkpoint.weights_of(loaded.model)[name])


@pytest.mark.parametrize(("storage", "error"), [("float16", 1e-3), ("int8", 1 / 127)])
def test_small_storage_stays_close(storage: checkpoint.Storage, error: float) -> None:
    weights = checkpoint.weights_of(tiny_model(share_embeddings=True))
    back = checkpoint.unpack(checkpoint.pack(weights, storage))
    assert back.keys() == weights.keys()
    for name, weight in weights.items():
        largest = weight.abs().amax(-1, keepdim=True) if weight.dim() == 2 else weight.abs()
        assert ((back[name] - weight).abs() <= largest * error + 1e-6).all(), name


def test_a_tied_weight_is_stored_once() -> None:
    names = checkpoint.weights_of(tiny_model(share_embeddings=True)).keys()
    assert sum("embedding" in name or "output.weight" in name for name in names) == 1


def flip_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def change_card(folder: Path, **changes: object) -> None:
    card = json.loads((folder / "model.json").read_text())
    card["config"] |= changes.pop("config", {})
    (folder / "model.json").write_text(json.dumps(card | changes))


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (lambda f: flip_a_byte(f / "weights.safetensors"), "does not match the sha256"),
        (lambda f: (f / "weights.safetensors").unlink(), "weights.safetensors cannot be read"),
        (lambda f: (f / "tokenizer.json").write_text("{"), "tokenizer"),
        (lambda f: (f / "model.json").write_text("not json"), "is not valid JSON"),
        (lambda f: (f / "model.json").write_text("[]"), "must hold one JSON object"),
        (lambda f: change_card(f, schema=99), "has schema 99; this version reads schema 1"),
        (lambda f: change_card(f, config={"hidden": 16}), "has shape .* expected"),
        (lambda f: change_card(f, config={"attention": "none"}), "is not part of such a model"),
        (lambda f: change_card(f, config={"encoder_layers": 2}), "is missing"),
        (lambda f: change_card(f, config={"source_vocab": 5}), "has 13 source tokens; its model.json expects 5"),
        (lambda f: change_card(f, config={"hidden": "wide"}), "hidden is 'wide'"),
    ],
)
def test_an_altered_folder_is_refused(tmp_path: Path, harm: object, sentence: str) -> None:
    save_tiny_model(tmp_path)
    harm(tmp_path)  # type: ignore[operator]
    with pytest.raises(InputError, match=sentence):
        checkpoint.load(tmp_path)


def test_weights_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    model = tiny_model()
    weights = checkpoint.weights_of(model)
    weights["decoder.bridge.bias"][0] = float("nan")
    checkpoint.save(tmp_path, model.config, weights, (LETTERS, LETTERS), {}, "float32")
    with pytest.raises(InputError, match=r"not finite in 'decoder\.bridge\.bias'"):
        checkpoint.load(tmp_path)


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    checkpoint.write_atomically(path, b"old")
    monkeypatch.setattr(checkpoint.os, "fsync", lambda _: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        checkpoint.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
