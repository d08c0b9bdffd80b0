"""What rows of held-out data name instead of saying it: photos and recordings, opened when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.animation import read_clip
from seq2seq_core.inputs.clip import SHAPES
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.inputs.photo import read_photo
from seq2seq_core.inputs.recording import read_recording
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.tasks import Slot
from seq2seq_core.training.captions import Captioned, as_grid


class Photos(Sequence[Grid]):
    """Photos as grids, made when they are asked for: one by one, or from the folder `cache`."""

    def __init__(self, pipeline: Pipeline, photos: Captioned, cache: Path | None = None) -> None:
        self._pipeline = pipeline
        self._paths = photos.photos
        self._stored = photos.grids(pipeline.image_encoder(), cache) if cache and pipeline.model.reads else None

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: Any) -> Any:
        return as_grid(self._stored[index]) if self._stored is not None else self._pipeline.look(read_photo(self._paths[index]))


class Recordings(Sequence[Grid]):
    """Sound files as spectrograms, made when they are asked for."""

    def __init__(self, pipeline: Pipeline, paths: Sequence[Path]) -> None:
        self._pipeline, self._paths = pipeline, paths

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: Any) -> Any:
        return self._pipeline.look(read_recording(self._paths[index]))


class Clips(Sequence[Grid]):
    """Folders of frames, or animations, as what the eyes make of each frame, when they are asked for."""

    def __init__(self, pipeline: Pipeline, paths: Sequence[Path]) -> None:
        self._pipeline, self._paths = pipeline, paths

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: Any) -> Any:
        return self._pipeline.look(read_clip(self._paths[index], *SHAPES[self._pipeline.task]))


def inputs_of(pipeline: Pipeline, slot: Slot, given: Sequence[str], files: Path | None, cache: Path | None) -> Sequence[Any]:
    """What fills one slot in every row: the texts themselves, or the files that they name."""
    if slot.kind == "text":
        return given
    if slot.kind == "photo":
        return Photos(pipeline, Captioned(tuple((files or Path()) / name for name in given), ((),) * len(given)), cache)
    if slot.kind == "sound":
        return Recordings(pipeline, [(files or Path()) / name for name in given])
    if slot.kind == "clip":
        return Clips(pipeline, [(files or Path()) / name for name in given])
    raise InputError(f"{pipeline.model_id} reads a {slot.name}, and there is no reader of {slot.kind} files.")
