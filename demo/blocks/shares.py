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
    totals = words(trace) if explains(trace) else {found.answer: found.total for found in trace.hypotheses}
    weights = {said: math.exp(totals[said] - max(totals.values())) for said in TASKS[trace.task].answers if said in totals}
    return {said: weight / sum(weights.values()) for said, weight in weights.items()}


def explains(trace: DecodeTrace) -> bool:
    """Whether something is said after the answer."""
    return trace.hypotheses[0].answer != answered(trace)


def answered(trace: DecodeTrace) -> str:
    """The answer alone."""
    return TASKS[trace.task].answer_in(trace.hypotheses[0].answer)


def words(trace: DecodeTrace) -> dict[str, float]:
    """Log p of each answer by its first piece: after what was given there is nothing else to choose from."""
    begun = {one.token.strip(): one.logprob for one in trace.path()[trace.prompt].candidates}
    return {said: p for said in TASKS[trace.task].answers for piece, p in begun.items() if piece and said.startswith(piece)}


def of_all(trace: DecodeTrace) -> float:
    """What the model gives them together, among all words that it knows: the bars of a step are of those."""
    if explains(trace):
        return sum(map(math.exp, words(trace).values()))
    known = {found.answer: trace.path(i)[trace.prompt :] for i, found in enumerate(trace.hypotheses)}
    return sum(math.exp(sum(node.logprob for node in path if node.token != END)) for path in known.values())


def rows(trace: DecodeTrace, *others: dict[str, float]) -> list[Row]:
    """A bar an answer; beside it what others give it."""
    best = answered(trace)
    return [
        Row("", said, (f"{p:.2f}", *(f"{other.get(said, 0.0):.2f}" for other in others)), share=p, chosen=said == best)
        for said, p in shares(trace).items()
    ]
