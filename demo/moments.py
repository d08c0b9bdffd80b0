"""Shipped models as they were at some moments of their training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from demo import resources
from demo.visitors.kept import kept

if TYPE_CHECKING:
    from seq2seq_core.pipeline import Pipeline
    from seq2seq_core.store.moments import Moment


def moments_of(model_id: str) -> list[Moment]:
    from seq2seq_core.store.moments import FOLDER, read_list
    from seq2seq_core.store.zoo import find

    return read_list(find(model_id) / FOLDER)[0]


def with_moments(task: str) -> str:
    """The first shipped model of a task whose moments are there; empty when there is none."""
    return next((info.id for info in resources.installed(task) if has_moments(str(info.folder))), "")


@kept(resources.MODELS_KEPT, seconds=resources.LISTING_SECONDS)
def has_moments(folder: str) -> bool:
    from seq2seq_core.store.moments import FOLDER, LIST

    return (Path(folder) / FOLDER / LIST).is_file()


@kept(2)
def pipelines(model_id: str) -> dict[int, Pipeline]:
    """The model as it was at every moment, by its step."""
    from seq2seq_core.store.zoo import load_moments

    resources.prepare()
    found = load_moments(model_id)
    resources.settle()
    return found
