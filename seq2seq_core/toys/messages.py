"""What the app and a training in a process of its own say to each other: a job in a folder, commands as words, reports as JSON lines.

Nothing here needs torch, so the app reads reports without it. A report of another kind or another form is no report.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

JOB_FILE, PAIRS_FILE, LOG_FILE, MODEL_FOLDER = "job.json", "pairs.tsv", "log", "model"

Command = Literal["pause", "go", "stop"]


@dataclass(frozen=True, slots=True)
class Started:
    steps: int  # in the whole training
    parameters: int
    source: str  # what the model reads


@dataclass(frozen=True, slots=True)
class Learnt:
    """Some more steps."""

    step: int
    losses: tuple[float, ...]  # of every step since the report before
    tokens_per_s: float
    seconds: float  # of training, pauses left out


@dataclass(frozen=True, slots=True)
class Scored:
    step: int
    exact: float  # the share of held-out pairs that is right to the last token
    by_length: tuple[tuple[int, int, int], ...]  # (source length, pairs, pairs right)
    seconds: float
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Kept:
    """The moments that can be looked at now; some of before may be gone."""

    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    seconds: float
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """At somebody's command; the model stays as it is."""


@dataclass(frozen=True, slots=True)
class Failed:
    message: str  # for a person


Report = Started | Learnt | Scored | Kept | Finished | Stopped | Failed
KINDS: dict[str, type[Report]] = {kind.__name__.lower(): kind for kind in get_args(Report)}


def to_line(report: Report) -> str:
    """ValueError for a number that is not finite."""
    return json.dumps({"kind": type(report).__name__.lower(), **asdict(report)}, allow_nan=False)


def from_line(line: str) -> Report | None:
    """None for whatever is no report: another version's, or a line that something else printed."""
    try:
        values = json.loads(line)
        kind = KINDS[values.pop("kind")]
        hints = get_type_hints(kind)
        if values.keys() != hints.keys():
            return None
        return kind(**{field.name: _read(values[field.name], hints[field.name]) for field in fields(kind)})
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None


def _read(value: Any, hint: Any) -> Any:
    """A value of JSON as the hint of its field says: a list becomes a tuple, a whole number may stand for a fraction."""
    if get_origin(hint) is tuple:
        parts = get_args(hint)
        each = parts[:1] * len(value) if parts[-1] is ... else parts
        if not isinstance(value, list):
            raise TypeError(value)
        return tuple(_read(part, wanted) for part, wanted in zip(value, each, strict=True))
    if hint is float and type(value) in (int, float) and math.isfinite(value):
        return float(value)
    if hint is float or type(value) is not hint:
        raise TypeError(value)
    return value


def write_job(folder: Path, job: Mapping[str, Any], pairs: str = "") -> None:
    """What a training finds in its folder. `pairs`: a person's own, as checked lines, or text."""
    (folder / JOB_FILE).write_text(json.dumps(dict(job)), encoding="utf-8")
    if pairs:
        (folder / PAIRS_FILE).write_text(pairs, encoding="utf-8")
