"""A model folder as one zip file, to take along and to bring back. What comes back may be anybody's, so it is checked before it is used."""

from __future__ import annotations

import io
import struct
import tempfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

import torch

from seq2seq_core.config import ModelConfig, from_dict
from seq2seq_core.errors import InputError
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store.card import CARD, read_card, title
from seq2seq_core.store.checkpoint import TOKENIZER, WEIGHTS, Checkpoint, load

FILES = (WEIGHTS, CARD, TOKENIZER)
MAX_BYTES = {WEIGHTS: 24_000_000, CARD: 200_000, TOKENIZER: 1_000_000}  # unpacked: small models have a tenth of it
DIRECTORY_BYTES = 10_000  # of the list of what is in the zip file: three names take 200
HEADER_BYTES = 200_000  # of the list of the weights
SCENES = "scenes"  # the only pictures that a model from elsewhere may read


def pack_model(folder: Path) -> bytes:
    """The three files of a model folder."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in FILES:
            archive.write(folder / name, f"model/{name}")
    return file.getvalue()


def unpack_model(data: bytes) -> Checkpoint:
    """Check a zip file and load the model in it; every reason to refuse it is a sentence."""
    with tempfile.TemporaryDirectory(prefix="model-") as folder:
        _unpack(data, Path(folder))
        return _load_checked(Path(folder))


def unpack_own(data: bytes) -> Checkpoint:
    """What this program packed itself a moment ago: of any size, and not looked at again."""
    with tempfile.TemporaryDirectory(prefix="model-") as folder, zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in _entries(archive):
            (Path(folder) / PurePosixPath(entry.filename).name).write_bytes(archive.read(entry))
        return load(Path(folder))


def _unpack(data: bytes, folder: Path) -> None:
    """Write the three files; sizes are looked at first, and what the zip file says of one is not believed either."""
    with _opened(data) as archive:
        entries = {PurePosixPath(entry.filename).name: entry for entry in _entries(archive)}
        for name, entry in entries.items():
            _check_size(name, entry.file_size)
            try:
                with archive.open(entry) as packed, (folder / name).open("wb") as file:
                    size = 0
                    while piece := packed.read(1 << 16):
                        size += len(piece)
                        _check_size(name, size)
                        file.write(piece)
            except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, ValueError) as error:
                if isinstance(error, InputError):
                    raise
                raise InputError(f"{name} in the zip file cannot be read; it is damaged or encrypted.") from None
            except OSError:
                raise InputError(f"{name} cannot be unpacked; there is no room for it on the disk of this computer.") from None


def _opened(data: bytes) -> zipfile.ZipFile:
    end = data.rfind(b"PK\5\6")  # the record that says how long the list of entries is; a million of them would be read
    if end < 0 or int.from_bytes(data[end + 12 : end + 16], "little") > DIRECTORY_BYTES or b"PK\6\7" in data[end - 20 : end]:
        raise InputError("The file is not the zip file of a model; give the one that Download made.")
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, struct.error):
        raise InputError("The file is not a zip file; give the one that Download made.") from None


def _entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    names = [PurePosixPath(entry.filename).name for entry in entries]
    for name in names:
        if name not in FILES:
            raise InputError(f"The zip file holds {name[:60]!r}; a model is {', '.join(FILES)} and nothing else.")
    if sorted(names) != sorted(FILES):
        raise InputError(f"The zip file must hold {', '.join(FILES)}, each once; it holds {', '.join(names) or 'nothing'}.")
    if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries):
        raise InputError("The zip file is packed in an unusual way; give the one that Download made.")
    return entries


def _check_size(name: str, size: int) -> None:
    if size > MAX_BYTES[name]:
        raise InputError(f"{name} has more than {MAX_BYTES[name] / 1e6:g} MB; only small models can be loaded here.")


def _load_checked(folder: Path) -> Checkpoint:
    try:
        card = read_card(folder)
        config = from_dict(ModelConfig, card["config"])
        if config.source == "image" and card.get("pictures") != SCENES:
            raise InputError("The model reads photos; only models that read rendered scenes or text can be loaded here.")
        with (folder / WEIGHTS).open("rb") as file:
            if int.from_bytes(file.read(8), "little") > HEADER_BYTES:
                raise InputError(f"{WEIGHTS} is not a safetensors file.")
        with torch.device("meta"):  # takes no memory, whatever sizes the config names
            count = Seq2Seq(config).parameter_count
        if count > (folder / WEIGHTS).stat().st_size:
            raise InputError(f"{WEIGHTS} does not fit its config: {count:,} weights cannot be in it.")
        return load(folder)
    except InputError as error:
        raise InputError(error.whole.replace(f"{title(folder)}/", "").replace(title(folder), "the zip file")) from None
    except (TypeError, ValueError, KeyError, RecursionError):  # a value of a kind that no setting has
        raise InputError(f"{CARD} does not describe a model; it was altered.") from None
