"""Work with a model piece by piece, in this process or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from seq2seq_core.pipeline import Pipeline

Over = Callable[[Callable[[Pipeline, Any], Any], Iterable[Any]], Iterator[Any]]  # does work with a model on each piece, here or elsewhere
CHUNK = 32  # inputs or outputs that are taken together


def here(pipeline: Pipeline) -> Over:
    """One piece after the other in this process; `machines.spread` is the other way."""
    return lambda work, pieces: (work(pipeline, piece) for piece in pieces)
