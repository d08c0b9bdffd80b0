"""Models as they were at some moments of their training: shipped ones, and those of a visitor whose training is still at hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from demo import resources
from demo.visitors.kept import kept

if TYPE_CHECKING:
    from seq2seq_core.model.seq2seq import Seq2Seq
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


# -- of any model -------------------------------------------------------------------------------------------------------------


def steps_of(model_id: str) -> tuple[int, ...]:
    """After how many steps a model can be had, its end left out. Before the first every model can: see `untrained`."""
    if model_id.startswith(resources.OWN):
        from demo.own import models

        return models.steps_of(model_id) or (0,)
    return tuple(moment.step for moment in moments_of(model_id))[:-1] or (0,)


def model_at(model_id: str, step: int) -> Seq2Seq:
    """One of `steps_of`."""
    if model_id.startswith(resources.OWN):
        from demo.own import models

        return models.at(model_id, step) if step in models.steps_of(model_id) else untrained(model_id)
    return pipelines(model_id)[step].model if moments_of(model_id) else untrained(model_id)


@kept(4)
def untrained(model_id: str) -> Seq2Seq:
    """A model whose weights are drawn anew, by the seed of its card, as before its first step."""
    from seq2seq_core.study.gradients import fresh_model

    pipeline = resources.pipeline(model_id)
    return fresh_model(pipeline.model.config, int(pipeline.card.get("seed") or 1))
