"""A model folder as one zip file, to take along and to bring back. What comes back may be anybody's, so it is checked before it is used."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

import torch

from seq2seq_core.config import ModelConfig, from_dict
from seq2seq_core.errors import InputError
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store.card import CARD, read_card
from seq2seq_core.store.checkpoint import TOKENIZER, WEIGHTS, Checkpoint, load

FILES = (WEIGHTS, CARD, TOKENIZER)
MAX_BYTES = 64_000_000  # unpacked
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


def _unpack(data: bytes, folder: Path) -> None:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except zipfile.BadZipFile:
        raise InputError("The file is not a zip file; give the one that Download made.") from None
    names = [PurePosixPath(entry.filename).name for entry in entries]
    for name in names:
        if name not in FILES:
            raise InputError(f"The zip file holds {name[:60]!r}; a model is {', '.join(FILES)} and nothing else.")
    if sorted(names) != sorted(FILES):
        raise InputError(f"The zip file must hold {', '.join(FILES)}, each once; it holds {', '.join(names) or 'nothing'}.")
    room = MAX_BYTES
    for name, entry in zip(names, entries, strict=True):
        try:
            with archive.open(entry) as file:
                content = file.read(room + 1)  # what the zip file says of a size is not believed
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError):
            raise InputError(f"{name} in the zip file cannot be read; it is damaged or encrypted.") from None
        room -= len(content)
        if room < 0:
            raise InputError(f"The model is larger than {MAX_BYTES // 1_000_000} MB; only small ones can be loaded here.")
        (folder / name).write_bytes(content)


def _load_checked(folder: Path) -> Checkpoint:
    try:
        card = read_card(folder)
        config = from_dict(ModelConfig, card["config"])
        if config.source == "image" and card.get("pictures") != SCENES:
            raise InputError("The model reads photos; only models that read rendered scenes or text can be loaded here.")
        with torch.device("meta"):  # takes no memory, whatever sizes the config names
            count = Seq2Seq(config).parameter_count
        if count > (folder / WEIGHTS).stat().st_size:
            raise InputError(f"{WEIGHTS} does not fit its config: {count:,} weights cannot be in it.")
        return load(folder)
    except InputError as error:
        raise InputError(str(error).replace(f"{folder}/", "").replace(str(folder), "the zip file")) from None
    except (TypeError, ValueError, KeyError):  # a value of a kind that no setting has
        raise InputError(f"{CARD} does not describe a model; it was altered.") from None
