"""A model as a zip file: what Download makes can be loaded again; anything else is refused in one sentence and costs no memory."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.store.package import FILES, pack_model, unpack_model
from tests.core.tiny import save_tiny_model


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    save_tiny_model(tmp_path / "model")
    return {name: (tmp_path / "model" / name).read_bytes() for name in FILES}


def zipped(files: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def with_config(files: dict[str, bytes], **changes: object) -> dict[str, bytes]:
    card = json.loads(files["model.json"])
    card["config"] |= changes
    return files | {"model.json": json.dumps(card).encode()}


def test_what_was_packed_is_loaded_again(tmp_path: Path) -> None:
    model = save_tiny_model(tmp_path / "model")
    loaded = unpack_model(pack_model(tmp_path / "model"))
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), loaded.model.parameters(), strict=True))


def refused(files: Mapping[str, bytes], tmp_path: Path, said: str) -> None:
    with pytest.raises(InputError, match=said) as found:
        unpack_model(zipped(files))
    assert tempfile.gettempdir() not in str(found.value)


def test_other_files_are_refused(files: dict[str, bytes], tmp_path: Path) -> None:
    refused(
        files | {"run.py": b"print()"}, tmp_path, "holds 'run.py'; a model is weights.safetensors, model.json, tokenizer.json and nothing"
    )
    refused(files | {"../../tokenizer.json": b"{}"}, tmp_path, "each once")
    refused({"model.json": files["model.json"]}, tmp_path, "each once; it holds model.json")
    with pytest.raises(InputError, match="not a zip file"):
        unpack_model(b"PK and nothing else")


def test_altered_files_are_refused(files: dict[str, bytes], tmp_path: Path) -> None:
    refused(files | {"weights.safetensors": files["weights.safetensors"][:-4]}, tmp_path, "does not match the sha256")
    refused(files | {"model.json": b"{"}, tmp_path, "not valid JSON")
    refused(files | {"model.json": b"[]"}, tmp_path, "one JSON object")
    refused(files | {"tokenizer.json": b"{}"}, tmp_path, "not a tokenizer file")
    refused(with_config(files, hidden="many"), tmp_path, "hidden is 'many'")
    refused(with_config(files, cell=["gru"]), tmp_path, "cell is|does not describe a model")
    refused(with_config(files, source="image"), tmp_path, "reads photos")
    refused(with_config(files, hidden=12), tmp_path, "does not fit its config")


def test_a_config_that_names_a_huge_model_takes_no_memory(files: dict[str, bytes], tmp_path: Path) -> None:
    huge = with_config(files, hidden=2048, embedding=2048, target_vocab=100_000, source_vocab=100_000)
    refused(huge, tmp_path, r"weights cannot be in it")


def test_a_zip_that_unpacks_to_too_much_is_refused(files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seq2seq_core.store.package.MAX_BYTES", 2000)
    refused(files, tmp_path, "larger than 0 MB|only small ones")
