"""Moments of a training: the weights as they were after some steps, small enough to keep many. A folder of safetensors and one JSON list.

models/<task>/<variant>/moments/ holds moments.json, {"schema": 1, "base": "final" or null, "moments": [{"step", "file", ...}]}, and the
files it names. With the base "final" each file holds the difference from the model's own weights, as int8 rows with a float16 scale.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor

from seq2seq_core.errors import InputError
from seq2seq_core.store.card import read_json, title
from seq2seq_core.store.checkpoint import Checkpoint, Storage, fill, pack, unpack, weights_of

SCHEMA = 1
FOLDER, LIST = "moments", "moments.json"
FIRST = 25  # the step of the first moment after the beginning


@dataclass(frozen=True, slots=True)
class Moment:
    """One entry of the list: `about` is what was known then, for example the dev score."""

    step: int
    file: str
    about: Mapping[str, Any]


def file_name(step: int) -> str:
    return f"step-{step:07d}.safetensors"


def write_moment(
    folder: Path, step: int, weights: Mapping[str, Tensor], base: Mapping[str, Tensor] | None = None, storage: Storage = "float16"
) -> Path:
    """Write one moment's weights (its difference from `base`, where one is given), whole or not at all."""
    kept = weights if base is None else {name: weight - base[name] for name, weight in weights.items()}
    path = folder / file_name(step)
    beside = path.with_suffix(".new")
    beside.write_bytes(save_tensors(pack(kept, storage)))  # no flush to the disk: a moment that is lost in a crash is not missed
    beside.replace(path)
    return path


def read_moment(path: Path, base: Mapping[str, Tensor] | None = None) -> dict[str, Tensor]:
    try:
        weights = unpack(load_tensors(path.read_bytes()))
    except (OSError, SafetensorError, KeyError, ValueError):
        raise InputError(f"{path.name} cannot be read as a moment of a training; it is gone or was altered.") from None
    if base is None:
        return weights
    if weights.keys() != base.keys() or any(weights[name].shape != base[name].shape for name in base):
        raise InputError(f"{path.name} does not fit the model that it is a moment of.")
    return {name: weight + base[name] for name, weight in weights.items()}


def at(model: Checkpoint, path: Path, *, differences: bool = False) -> Checkpoint:
    """The model with the weights of a moment. `differences`: the file holds what they differ by from the model's own."""
    weights = read_moment(path, weights_of(model.model) if differences else None)
    then = copy.deepcopy(model.model)  # a copy draws no random numbers, unlike a new model
    fill(then, weights, path.name)
    return dataclasses.replace(model, model=then)


def write_list(folder: Path, moments: Sequence[Moment], differences: bool) -> None:
    entries = [{"step": moment.step, "file": moment.file, **moment.about} for moment in moments]
    document = {"schema": SCHEMA, "base": "final" if differences else None, "moments": entries}
    (folder / LIST).write_text(json.dumps(document, indent=1), encoding="utf-8")


def read_list(folder: Path) -> tuple[list[Moment], bool]:
    """The moments of a model folder in order, and whether they are differences from its own weights; none where it has no such folder."""
    if not (folder / LIST).exists():
        return [], False
    document = read_json(folder, LIST)
    if document.get("schema") != SCHEMA or document.get("base") not in (None, "final"):
        raise InputError(f"{title(folder, LIST)} has schema {document.get('schema')!r}; this version reads schema {SCHEMA}.")
    try:
        found = [
            Moment(int(entry["step"]), str(entry["file"]), {k: v for k, v in entry.items() if k not in ("step", "file")})
            for entry in document["moments"]
        ]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{title(folder, LIST)} must list moments with a step and a file each.") from None
    for moment in found:
        if moment.file != Path(moment.file).name:
            raise InputError(f"{title(folder, LIST)} names {moment.file!r}; a moment must lie in the same folder.")
    return sorted(found, key=lambda moment: moment.step), document["base"] == "final"


def geometric(steps: int, count: int) -> tuple[int, ...]:
    """So many steps from 0 to the last, each about as many times the one before: the beginning of a training changes most."""
    first = min(FIRST, steps)
    between = (round(first * (steps / first) ** (place / (count - 2))) for place in range(count - 2))
    return tuple(sorted({0, *between, steps}))


class Album:
    """A fixed choice of moments of a long training, with what was known at each. Going on after a break finds the earlier ones."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder = folder
        self.count = count
        self.found: dict[int, Moment] = {moment.step: moment for moment in read_list(folder)[0]}

    def wants(self, step: int, steps: int) -> bool:
        """The last step is left to the end, when the weights are final."""
        return step < steps and step in geometric(steps, self.count)

    def add(self, step: int, weights: Mapping[str, Tensor], about: Mapping[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.found[step] = Moment(step, write_moment(self.folder, step, weights).name, dict(about))
        write_list(self.folder, [self.found[each] for each in sorted(self.found)], differences=False)


def copy_as_differences(folder: Path, out: Path, final: Mapping[str, Tensor]) -> None:
    """Write a run's moments anew, as what they differ by from the weights of the model they are shipped with; nothing where it has none."""
    shutil.rmtree(out, ignore_errors=True)
    moments, _ = read_list(folder)
    if not moments:
        return
    out.mkdir(parents=True)
    for moment in moments:
        write_moment(out, moment.step, read_moment(folder / moment.file), final, "int8")
    write_list(out, moments, differences=True)


class Keeper:
    """Writes moments as a training goes on and keeps at most so many: when there are too many, every second one goes."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder = folder
        self.most = max(4, most)
        self.steps: list[int] = []
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, step: int, weights: Mapping[str, Tensor]) -> None:
        write_moment(self.folder, step, weights)
        self.steps.append(step)
        if len(self.steps) > self.most:
            kept = [*self.steps[:-1:2], self.steps[-1]]
            for gone in set(self.steps) - set(kept):
                (self.folder / file_name(gone)).unlink(missing_ok=True)
            self.steps = kept
