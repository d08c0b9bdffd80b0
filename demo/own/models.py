"""The models that a visitor trained or loaded, for this session alone: packed in the session, by name in the menus of text models."""

from __future__ import annotations

import hashlib
import io
import zipfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from demo.own.runs import Run, my_runs
from demo.own.time_machine import Film, spread
from demo.own.training import ENDED, Training
from demo.resources import OWN
from demo.visitors import switches
from demo.visitors.kept import kept
from seq2seq_core.config import to_dict
from seq2seq_core.errors import InputError
from seq2seq_core.store.zoo import ModelInfo
from seq2seq_core.toys.messages import MODEL_FOLDER

if TYPE_CHECKING:
    from seq2seq_core.model.seq2seq import Seq2Seq
    from seq2seq_core.pipeline import Pipeline

MINE = "my "  # before its name in menus and links
SHOWN_MOMENTS = 12
MOST, MOST_BYTES = 8, 24_000_000  # in a session; the oldest goes first
MODELS, GATHERED = "my_models", "my_models_of"  # in the session: name to model; the runs they were taken of


@dataclass(frozen=True, slots=True)
class MyModel:
    """The three files of a model as a zip file, with what its card says. Its id tells apart any two that differ."""

    name: str
    packed: bytes
    info: ModelInfo
    training: Training | None = None  # what it came of, for as long as that is there

    @property
    def id(self) -> str:
        return self.info.id

    @property
    def toy(self) -> str:
        return str(self.info.card["toy"])

    @property
    def source(self) -> str:
        """What it reads: text, image, or none for a language model."""
        return str(self.info.card["config"]["source"])

    @property
    def reads_text(self) -> bool:
        return self.source == "text"


def _toy(card: dict[str, Any]) -> str:
    from seq2seq_core.toys.tasks import TOYS

    job = card.get("toy")
    toy = str(job.get("toy")) if isinstance(job, dict) else ""
    return toy if toy in TOYS or toy in ("own pairs", "own text") else "model"


def mine() -> list[MyModel]:
    """The newest first. A run that has ended since the last look is among them."""
    if not switches.on("own-models"):
        return []
    for run in my_runs():
        gather(run)
    return list(reversed(_kept().values()))


def by_name(source: str) -> dict[str, MyModel]:
    """Those that read text, or nothing."""
    return {model.name: model for model in mine() if model.source == source}


def of_text() -> dict[str, MyModel]:
    return by_name("text")


def _kept() -> dict[str, MyModel]:
    kept: dict[str, MyModel] = st.session_state.setdefault(MODELS, {})
    return kept


def gather(run: Run) -> None:
    """Keep the models of a run that has ended; those of the run itself go with the next start of its task."""
    gathered: set[str] = st.session_state.setdefault(GATHERED, set())
    if run.stage not in ENDED or run.id in gathered:
        return
    from seq2seq_core.store.package import pack_model

    gathered.add(run.id)
    for training in reversed(run.trainings):
        folder = training.folder / MODEL_FOLDER
        if training.stage != "failed" and folder.exists():
            with suppress(InputError):  # weights that are no longer finite numbers cannot be opened
                keep(pack_model(folder), training)


def keep(packed: bytes, training: Training | None = None) -> MyModel:
    """Check a packed model and keep it under its name."""
    switches.demand("own-models")
    card, fingerprint = _checked(packed)
    config = card["config"]
    attention = config["attention"] if config["source"] != "none" else config["cell"]
    toy = card["toy"].replace("own ", "")
    info = ModelInfo(f"{OWN}{attention}-{fingerprint}", Path(), card)
    model = MyModel(f"{MINE}{toy} {attention} {fingerprint[:4]}", packed, info, training)
    kept = _kept()
    kept.pop(model.name, None)
    kept[model.name] = model
    while len(kept) > MOST or (len(kept) > 1 and sum(len(each.packed) for each in kept.values()) > MOST_BYTES):
        kept.pop(next(iter(kept)))
    return model


@kept(MOST, by=lambda packed: hashlib.sha256(packed).digest())
def _checked(packed: bytes) -> tuple[dict[str, Any], str]:
    """What the card of a model says that may be anybody's, and what its files hash to; InputError says why it is refused."""
    from seq2seq_core.store.package import FILES, unpack_model

    loaded = unpack_model(packed)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        names = {Path(entry).name: entry for entry in archive.namelist()}
        content = b"".join(hashlib.sha256(archive.read(names[file])).digest() for file in FILES)
    return _known(loaded.card, loaded.model), hashlib.sha256(content).hexdigest()


def _known(card: dict[str, Any], model: Seq2Seq) -> dict[str, Any]:
    """Of a card that anybody may have written, what the pages read of it, each of its kind."""
    right = card.get("held_out_exact")
    held_out = {"held_out_exact": right} if isinstance(right, int | float) and 0 <= right <= 1 else {}
    about = {"toy": _toy(card), "parameters": model.parameter_count, "data": {}, "scores": {}}
    return {"config": to_dict(model.config), **about, **held_out}


def _mine(model_id: str) -> MyModel:
    model = next((each for each in _kept().values() if each.id == model_id), None)
    if model is None:
        raise InputError(elsewhere("this model"))
    return model


def packed(model_id: str) -> bytes:
    """The files of a model of this session, to be opened on another computer."""
    return _mine(model_id).packed


def open_mine(model_id: str) -> Pipeline:
    """A model of this session, ready to decode."""
    from seq2seq_core.store.package import unpack_model
    from seq2seq_core.store.zoo import ready
    from seq2seq_core.toys.scenes import SceneEncoder

    model = _mine(model_id)
    return ready(replace(unpack_model(model.packed), card=model.info.card), model.id, SceneEncoder())


def steps_of(model_id: str) -> tuple[int, ...]:
    """After how many steps of its training a model can be had, its end left out; none when the training is gone."""
    training = _mine(model_id).training
    if training is None or not (training.folder / MODEL_FOLDER).exists():
        return ()
    return tuple(spread(training.progress.moments, SHOWN_MOMENTS)[:-1])


def at(model_id: str, step: int) -> Seq2Seq:
    """The model after so many steps: one of `steps_of`."""
    model = _mine(model_id)
    if model.training is None:
        raise InputError("The training of this model is gone; choose its end.")
    return Film(model.training.folder, model.toy).pipeline_at(step).model


def elsewhere(name: str) -> str:
    return (
        f"The link asks for {name}, which another session trained and has to itself; train it or load its file on Train, or choose another."
    )


def refuse_strangers(asked: list[str], known: list[str]) -> None:
    """A link made by another session may name its models: said in a sentence, rather than showing others in their place."""
    for name in asked:
        if name.startswith(MINE) and name not in known:
            raise InputError(elsewhere(repr(name)))
