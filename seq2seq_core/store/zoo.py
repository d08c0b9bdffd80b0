"""The shipped models under models/<task>/<variant>: listing them, and finding one by name or folder."""

from __future__ import annotations

import difflib
import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seq2seq_core.config import ATTENTIONS, ModelConfig, from_dict
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.known_words import known_words
from seq2seq_core.store.card import CARD, read_card
from seq2seq_core.tasks import TASKS, task_of

if TYPE_CHECKING:
    from seq2seq_core.pipeline import ImageGrid, Pipeline
    from seq2seq_core.store.checkpoint import Checkpoint


_log = logging.getLogger(__name__)
_named: set[str] = set()  # damaged models, each written to the log once


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that is there, read from its model.json alone; no weights are loaded."""

    id: str
    folder: Path
    card: dict[str, Any]

    @property
    def task(self) -> str:
        return task_of(self.id)

    @property
    def variant(self) -> str:
        return self.id.split("/")[-1]

    @property
    def attention(self) -> str:
        return str(self.card["config"]["attention"])

    @property
    def language(self) -> str:
        """As its training data says, for example "Hindi"."""
        data = self.card.get("data")
        return str(data.get("language", "")) if isinstance(data, dict) else ""


def models_folder() -> Path:
    """Where the shipped models are: SEQ2SEQ_MODELS, or models/ beside the package."""
    return Path(os.environ.get("SEQ2SEQ_MODELS") or Path(__file__).resolve().parents[2] / "models")


def list_models(root: Path | None = None) -> list[ModelInfo]:
    """Every model, by task, then none, every-step and the attention variants, then whatever else; damaged ones are left out."""
    return look_through(root)[0]


def look_through(root: Path | None = None) -> tuple[list[ModelInfo], list[str]]:
    """The models that are there, and the ids of those whose model.json cannot be read."""
    root = root or models_folder()
    found, damaged = [], []
    for path in root.glob(f"*/*/{CARD}"):
        folder = path.parent
        name = f"{folder.parent.name}/{folder.name}"
        try:
            card = read_card(folder)
            from_dict(ModelConfig, card["config"])
        except (InputError, TypeError) as error:
            damaged.append(name)
            if name not in _named:
                _named.add(name)
                _log.warning("The model %s is left out: %s", name, error)
        else:
            found.append(ModelInfo(name, folder, card))
    _named.intersection_update(damaged)
    return sorted(found, key=_place), sorted(damaged)


def _place(info: ModelInfo) -> tuple[int, int, str]:
    task = list(TASKS).index(info.task) if info.task in TASKS else len(TASKS)
    variant = ATTENTIONS.index(info.variant) if info.variant in ATTENTIONS else len(ATTENTIONS)
    return task, variant, info.variant


def find(name: str, root: Path | None = None) -> Path:
    """The folder of `task/variant`, or of a path to a model folder."""
    root = root or models_folder()
    if "\0" not in name:
        if Path(name).is_absolute() or name.startswith("."):
            if _holds_card(Path(name)):
                return Path(name)
        else:
            for folder in (root / name, Path(name)):
                if ".." not in folder.parts and _holds_card(folder):
                    return folder
    known = [info.id for info in list_models(root)]
    near = difflib.get_close_matches(name[:80], known, n=3, cutoff=0.4) or known[:3]
    hint = f"the nearest are {', '.join(near)}" if near else f"no models are installed under {root.name}/"
    raise InputError(f"There is no model {name[:80]!r}; {hint}. `python -m seq2seq_core models` lists them all.")


def _holds_card(folder: Path) -> bool:
    try:
        return (folder / CARD).is_file()
    except OSError:  # a name longer than file systems take, or a folder that may not be looked into
        return False


def load(model: str | Path) -> Pipeline:
    """The pipeline of a shipped model, or of a model folder. Listing models needs no torch; this does."""
    from seq2seq_core.store import checkpoint

    folder = find(str(model))
    return ready(checkpoint.load(folder), f"{folder.parent.name}/{folder.name}")


def load_moments(model: str | Path) -> dict[int, Pipeline]:
    """A model as it was at every moment of its training that is kept, by its step."""
    from seq2seq_core.store import checkpoint, moments

    folder = find(str(model))
    final = checkpoint.load(folder)
    kept, differences = moments.read_list(folder / moments.FOLDER)
    files = {moment.step: folder / moments.FOLDER / moment.file for moment in kept}
    return {step: ready(moments.at(final, file, differences=differences), f"{model} after step {step}") for step, file in files.items()}


def ready(loaded: Checkpoint, name: str, image_encoder: ImageGrid | None = None) -> Pipeline:
    """What every way to a model ends in: one that will not be trained further, to decode with.

    Without another `image_encoder` pictures are photos.
    """
    from seq2seq_core.pipeline import Pipeline

    eyes = None
    if loaded.model.config.source == "image":
        from seq2seq_core.inputs.vision import GridEncoder

        eyes = image_encoder or GridEncoder(taught=loaded.model.config.eyes == "everyday")
    frames = None
    if loaded.model.config.source == "clip":
        from seq2seq_core.inputs.eyes import eyes_of

        frames = eyes_of(loaded.model.config.task).look
    language = str(loaded.card.get("data", {}).get("language", ""))
    known = known_words(language) if loaded.model.config.task == "transliteration" else None
    return Pipeline(
        name, loaded.model.pack(), loaded.source_tokenizer, loaded.target_tokenizer, loaded.card, eyes, loaded.romaniser, frames, known
    )
