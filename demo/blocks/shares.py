"""How the only answers that a task has share the probability: one bar each, always in the same order."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from demo.components.outputs.mount import Row
from demo.wording import END
from seq2seq_core.tasks import TASKS

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace


def shares(trace: DecodeTrace) -> dict[str, float]:
    """Of each answer, in the order of the task."""
    totals = {found.answer: found.total for found in trace.hypotheses}
    weights = {said: math.exp(totals[said] - max(totals.values())) for said in TASKS[trace.task].answers if said in totals}
    return {said: weight / sum(weights.values()) for said, weight in weights.items()}


def of_all(trace: DecodeTrace) -> float:
    """What the model gives them together, among all words that it knows: the bars of a step are of those."""
    known = {found.answer: trace.path(i)[trace.prompt :] for i, found in enumerate(trace.hypotheses)}
    return sum(math.exp(sum(node.logprob for node in path if node.token != END)) for path in known.values())


def rows(trace: DecodeTrace, *others: dict[str, float]) -> list[Row]:
    """A bar an answer; beside it what others give it."""
    best = trace.hypotheses[0].answer
    return [
        Row("", said, (f"{p:.2f}", *(f"{other.get(said, 0.0):.2f}" for other in others)), share=p, chosen=said == best)
        for said, p in shares(trace).items()
    ]
