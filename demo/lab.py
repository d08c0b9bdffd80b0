"""What others may know of a lab, and what its queries are made of: the values of a link in, what is asked of the models out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demo import resources, state
from demo.given import assets
from demo.own import models
from demo.query import Asset, Query
from demo.tasks import LANGUAGES, TASKS, TaskRow
from seq2seq_core import tasks as core
from seq2seq_core.inputs.devanagari import has_devanagari

if TYPE_CHECKING:
    from seq2seq_core.config import DecodeSettings
    from seq2seq_core.store.zoo import ModelInfo
    from seq2seq_core.trace.trace import DecodeTrace

Values = Mapping[str, Any]  # of fields, by their keys
Queries = dict[str, Query]  # by the name of what is asked
Shape = dict[str, Any]  # of a drawing: see demo/blocks/drawing.py
Traces = Mapping[str, "DecodeTrace"]  # by task
PAGES = Path(__file__).resolve().parents[1] / "pages"


def nothing(values: Values) -> Queries:  # noqa: ARG001
    return {}


@dataclass(frozen=True, slots=True)
class Lab:
    """One page: its file is pages/<name>.py and its address is /<name>.

    `queries` is pure but for what models there are: the page asks by it, and so do lessons and stored examples.
    """

    name: str
    title: str
    group: str
    icon: str
    about: str  # what a visitor sees there, in one or two sentences
    queries: Callable[[Values], Queries] = nothing
    picture: Callable[[Traces], list[Shape]] | None = None  # on its card
    needs: str = ""  # a task without whose models there is nothing to show: then it is not there

    @property
    def file(self) -> Path:
        return PAGES / f"{self.name}.py"


def task_among(values: Values, tasks: tuple[str, ...]) -> str:
    """The task that a link names, else the first of those a lab takes."""
    named: str = values[state.TASK.key]
    return named if named in tasks else tasks[0]


def asked(task: str, values: Values, *, variant: str = "", settings: DecodeSettings | None = None) -> Query:
    """What a link asks of one task: its source, its model, or another variant, and its search, or another."""
    row = TASKS[task]
    model_id = named(task, variant or values[row.model.key])
    prompt = values[row.prompt.key].strip() if row.prompt else ""
    settings = settings or state.settings_of(values)
    if attention_of(model_id) != "hard":  # only hard attention has glimpses, and only then does their seed count
        settings = replace(settings, glimpse="argmax", seed=settings.seed if settings.search == "sample" else 0)
    info = info_of(model_id)
    read = given(task, values) if info is None or reads(row, info) else ()
    return Query(model_id, tuple(in_latin(one, model_id) if isinstance(one, str) else one for one in read), prompt, settings)


def reads(row: TaskRow, info: ModelInfo) -> bool:
    """Whether a model is given what its task reads: one that is not stands beside the others, to be held against them."""
    return not row.fields or info.card["config"]["source"] != "none"


def given(task: str, values: Values) -> tuple[str | Asset, ...]:
    """Everything the task reads, as the link or the page has it."""
    row = TASKS[task]
    return tuple(values[field.key] if slot.kind == "text" else assets.named(slot.kind, values[field.key]) for slot, field in row.slots())


def in_latin(text: str, model_id: str) -> str:
    """Hindi that was typed in Devanagari, as a model of Hindi in Latin letters reads it; any other text as it is."""
    romaniser = resources.romaniser(model_id) if has_devanagari(text) else None
    return romaniser.text(text) if romaniser else text


def named(task: str, variant: str) -> str:
    """The id of a model by its name in a menu, where a visitor's own stand too."""
    own = models.by_name(TASKS[task].own_source).get(variant) if variant.startswith(models.MINE) and task in TASKS else None
    return own.id if own else core.model_id(task, variant)


def task_of(model_id: str) -> str:
    """The task under which a model is offered, for those that a visitor trained too."""
    if not model_id.startswith(resources.OWN):
        return core.task_of(model_id)
    info = info_of(model_id)
    source = info.card["config"]["source"] if info else "text"
    return next((name for name, row in TASKS.items() if row.takes_own and row.own_source == source), "translation")


def info_of(model_id: str) -> ModelInfo | None:
    """What is known of an installed model, or of a visitor's own."""
    own = model_id.startswith(resources.OWN)
    known = [model.info for model in models.mine()] if own else resources.installed(task_of(model_id))
    return next((info for info in known if info.id == model_id), None)


def attention_of(model_id: str) -> str:
    """A model that is not there is taken at its name."""
    info = info_of(model_id)
    return info.attention if info else model_id.rpartition("/")[2]


def language_of(model_id: str) -> str:
    """The code of the language that a model writes; empty where nobody can tell."""
    task, info = task_of(model_id), info_of(model_id)
    said = TASKS[task].core.says if task in TASKS and not model_id.startswith(resources.OWN) else ""
    return said or (LANGUAGES.get(info.language, "") if info else "")


def trained_on(info: ModelInfo) -> str:
    """The data a model learnt from, as its card says."""
    data = info.card.get("data")
    return str(data.get("trained_on", "")) if isinstance(data, dict) else ""
