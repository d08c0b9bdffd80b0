"""How soon a small model has learnt a task: processor seconds to 95 % exact match, on one thread, as a visitor's training runs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from seq2seq_core.toys.job import Job
from seq2seq_core.toys.live import Control, Live
from seq2seq_core.toys.messages import Scored

GOAL = 0.95  # of held-out pairs right to the last token
LONG = 12  # source characters: what counts as a long input
LIMIT_SECONDS = 60.0


def measure_training(job: Job, limit_seconds: float = LIMIT_SECONDS) -> dict[str, Any]:
    """Train until the goal is reached, the seconds are over or the training ends. Drawing, testing and keeping moments are counted too."""
    torch.set_num_threads(1)
    score = Scored(0, 0.0, (), 0.0, 0.0)
    ended = "the training's end"
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        for report in Live(job, Path(folder)).reports(Control()):
            if isinstance(report, Scored):
                score = report
                if score.exact >= GOAL:
                    ended = "the goal"
                    break
                if score.cpu_seconds >= limit_seconds:
                    ended = "the limit"
                    break
    counts = [(pairs, right) for length, pairs, right in score.by_length if length >= LONG]
    long = sum(right for _, right in counts) / sum(pairs for pairs, _ in counts) if counts else None
    return {
        "task": job.toy,
        "attention": job.attention,
        "cell": job.cell,
        "ended_by": ended,
        "step": score.step,
        "cpu_seconds": score.cpu_seconds,
        "exact": score.exact,
        "exact_long": None if long is None else round(long, 4),
    }


def measure_tasks(tasks: Sequence[str], attentions: Sequence[str], cells: Sequence[str], limit_seconds: float) -> Iterator[dict[str, Any]]:
    for task in tasks:
        for attention in attentions:
            for cell in cells:
                yield measure_training(Job(task, attention=attention, cell=cell), limit_seconds)  # type: ignore[arg-type]
