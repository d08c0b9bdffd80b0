"""The pictures of labs, drawn from traces that came with the tool: they need no model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demo import examples, state
from demo.app import lab
from demo.lab import Lab, Shape
from demo.query import Query
from seq2seq_core.tasks import task_of

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace


def queries() -> dict[str, Query]:
    """What is drawn, by task: what those pages ask when nothing is changed, but for the sentence."""
    values = state.values_of("") | {state.SENTENCE.key: examples.START.text}
    asked = [query for name in ("translate", "transliterate") for query in lab(name).queries(values).values()]
    return {task_of(query.model_id): query for query in asked}


def stored_traces() -> dict[str, DecodeTrace]:
    """The traces that came with the tool, by task."""
    places = {task: examples.FOLDER / f"{examples.name_of(query)}.json" for task, query in queries().items()}
    return {task: examples.read(path) for task, path in places.items() if path.is_file()}


def drawn(of: Lab, traces: dict[str, DecodeTrace]) -> list[Shape]:
    """A picture needs the trace that it is drawn from."""
    return of.picture(traces) if of.picture and "translation" in traces else []
