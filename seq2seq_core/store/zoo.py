"""The shipped models under models/<task>/<variant>: listing them, and finding one by name or folder."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seq2seq_core.config import ATTENTIONS
from seq2seq_core.errors import InputError
from seq2seq_core.store.card import CARD, read_card
from seq2seq_core.tasks import TASKS

if TYPE_CHECKING:
    from seq2seq_core.pipeline import ImageGrid, Pipeline
    from seq2seq_core.store.checkpoint import Checkpoint


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that is there, read from its model.json alone; no weights are loaded."""

    id: str
    folder: Path
    card: dict[str, Any]

    @property
    def task(self) -> str:
        return self.id.split("/")[0]

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
    """Every model, by task, then none, every-step and the attention variants, then whatever else."""
    root = root or models_folder()
    found = []
    for path in root.glob(f"*/*/{CARD}"):
        folder = path.parent
        found.append(ModelInfo(f"{folder.parent.name}/{folder.name}", folder, read_card(folder)))
    return sorted(found, key=_place)


def _place(info: ModelInfo) -> tuple[int, int, str]:
    task = list(TASKS).index(info.task) if info.task in TASKS else len(TASKS)
    variant = ATTENTIONS.index(info.variant) if info.variant in ATTENTIONS else len(ATTENTIONS)
    return task, variant, info.variant


def find(name: str, root: Path | None = None) -> Path:
    """The folder of `task/variant`, or of a path to a model folder."""
    root = root or models_folder()
    if "\0" not in name:
        if Path(name).is_absolute() or name.startswith("."):
            if (Path(name) / CARD).is_file():
                return Path(name)
        else:
            for folder in (root / name, Path(name)):
                if ".." not in folder.parts and (folder / CARD).is_file():
                    return folder
    known = [info.id for info in list_models(root)]
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.4) or known[:3]
    hint = f"the nearest are {', '.join(near)}" if near else f"no models are installed under {root.name}/"
    raise InputError(f"There is no model {name[:80]!r}; {hint}. `python -m seq2seq_core models` lists them all.")


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

        eyes = image_encoder or GridEncoder()
    return Pipeline(name, loaded.model.pack(), loaded.source_tokenizer, loaded.target_tokenizer, loaded.card, eyes)
