"""A model as a zip file: what Download makes can be loaded again; anything else is refused in one sentence and costs no memory."""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.store.package import FILES, MAX_BYTES, pack_model, unpack_model
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
    with pytest.raises(InputError, match="not the zip file of a model"):
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
    monkeypatch.setitem(MAX_BYTES, "weights.safetensors", 2000)
    refused(files, tmp_path, "weights.safetensors has more than 0.002 MB; only small models")


def packed_as(files: Mapping[str, bytes], kind: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", kind) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def damaged(packed: bytes, name: str) -> bytes:
    """The compressed bytes of a file overwritten."""
    place = packed.index(name.encode()) + len(name) + 5
    return packed[:place] + b"\xff" * 40 + packed[place + 40 :]


def weights_with_header(header: bytes) -> bytes:
    return len(header).to_bytes(8, "little") + header


def hostile(files: dict[str, bytes]) -> dict[str, bytes]:
    """Packages that are damaged, nested or huge, by what is wrong with them."""
    good = zipped(files)
    header = weights_with_header(
        b"{" + b",".join(b'"%d":{"dtype":"I8","shape":[0],"data_offsets":[0,0]}' % i for i in range(200_000)) + b"}"
    )
    card = json.loads(files["model.json"]) | {"sha256": hashlib.sha256(header).hexdigest()}
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as archive:
        for number in range(30_000):
            archive.writestr(str(number), b"")
    return {
        "deflate": damaged(good, "model.json"),
        "version": good.replace(b"PK\1\2\x14\x03\x14\x00", b"PK\1\2\x14\x03\xff\x00", 1),
        "nested card": zipped(files | {"model.json": b"[" * 150_000}),
        "nested tokenizer": zipped(files | {"tokenizer.json": b"[" * 900_000}),
        "many lists": zipped(files | {"model.json": b"[" + b"[]," * 19_000_000 + b"[]]"}),
        "many objects": zipped(files | {"tokenizer.json": b"[" + b"{}," * 4_500_000 + b"{}]"}),
        "as many as fit": zipped(files | {"tokenizer.json": b"[" + b"{}," * 330_000 + b"{}]"}),
        "huge weights": zipped(files | {"weights.safetensors": bytes(300_000_000)}),
        "a long header": zipped(files | {"weights.safetensors": header, "model.json": json.dumps(card).encode()}),
        "lzma": packed_as(files, zipfile.ZIP_LZMA),
        "bzip2": packed_as(files, zipfile.ZIP_BZIP2),
        "many entries": many.getvalue(),
        "zip64": good.replace(b"PK\5\6", b"PK\6\7" + bytes(16) + b"PK\5\6"),
        "digits": zipped(files | {"model.json": b'{"schema": ' + b"1" * 100_000 + b"}"}),
    }


def test_whatever_is_wrong_is_one_sentence_and_takes_little_memory(files: dict[str, bytes]) -> None:
    for name, packed in hostile(files).items():
        tracemalloc.start()
        with pytest.raises(InputError) as found:
            unpack_model(packed)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 50e6, name
        assert len(str(found.value)) <= 200 and tempfile.gettempdir() not in str(found.value), name
