"""What of an output is scored: the answer, and not the reason that a model may give for it."""

from __future__ import annotations

from dataclasses import replace

from seq2seq_core.config import DecodeSettings
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.tasks import TASKS
from seq2seq_core.trace.looks import most_looked_at
from seq2seq_core.trace.trace import DecodeTrace

ANSWER = 2  # tokens before a reason: an answer of one word, and the sign after it


def scored_alone(pipeline: Pipeline, settings: DecodeSettings) -> DecodeSettings:
    """Of a model that says why, a search for its answer alone: a reason is not scored, nor does it help to choose the answer."""
    return replace(settings, max_length=ANSWER) if pipeline.model.config.reasons else settings


def kept(count: int, trace: DecodeTrace) -> tuple[list[str], int | None]:
    """What the model answered, and the sentence that it looked at most."""
    task = TASKS[trace.task]
    texts = [task.answer_in(hypothesis.answer) for hypothesis in trace.hypotheses[:count]]
    return texts, most_looked_at(trace) if task.looks else None
