"""Numbers that a lesson may ask for, each read off one trace."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from demo.wording import minus
from seq2seq_core.errors import InputError
from seq2seq_core.study.measures import coverage, entropy_bits

if TYPE_CHECKING:
    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.trace import DecodeTrace


@dataclass(frozen=True, slots=True)
class Measure:
    """`said` names the number in a sentence: "The <said> is …"."""

    said: str
    of: Callable[[DecodeTrace, str], float]  # the trace and the reference of the check
    unit: str = ""
    digits: int = 2

    def written(self, value: float) -> str:
        """Rounded, with a true minus sign and the unit."""
        written = f"{value:.3g}" if abs(value) >= 1e6 else f"{value:,.{self.digits}f}"
        return minus(written) + (f" {self.unit}" if self.unit else "")


def rows(trace: DecodeTrace) -> Floats:
    """The attention rows [T, S] of the best output; a sentence instead where the model has none."""
    weights = trace.attention()
    if not weights.shape[1]:
        raise InputError(f"{trace.model_id} has no attention rows, so this question cannot be asked of it.")
    return weights


def said_words(trace: DecodeTrace) -> tuple[str, ...]:
    """The words of the best output, without the end sign."""
    return tuple(word for word, end in zip(trace.hypotheses[0].words, ends(trace), strict=True) if not end)


def ends(trace: DecodeTrace) -> list[bool]:
    """Which of the output's words are no words but signs, such as the end sign."""
    found = trace.hypotheses[0]
    ids = trace.token_ids()
    first = [found.groups.index(group) for group in dict.fromkeys(found.groups)]
    return [ids[place] < 3 for place in first]  # padding, start and end


def _chrf(trace: DecodeTrace, reference: str) -> float:
    from seq2seq_core.training.metrics import chrf

    return chrf([trace.text()], [reference])


def _coverage(trace: DecodeTrace, _: str) -> float:
    return coverage(rows(trace)) or 0.0


def _entropy(trace: DecodeTrace, _: str) -> float:
    return float(entropy_bits(rows(trace)).mean())


def _used(trace: DecodeTrace, _: str) -> float:
    """Hard attention hands on one position; soft attention every one that has any weight."""
    counts = [(row > 0).sum() if "glimpse" not in node.marks else 1 for row, node in zip(rows(trace), trace.path(), strict=True)]
    return float(np.mean(counts))


def _perplexity(trace: DecodeTrace, _: str) -> float:
    """Words, punctuation marks and the end sign share the sum."""
    found = trace.hypotheses[0]
    return math.exp(min(700.0, -found.total / len(set(found.groups))))


MEASURES: Mapping[str, Measure] = {
    "log-probability": Measure("log-probability of the whole output", lambda trace, _: trace.hypotheses[0].total),
    "log-probability per token": Measure(
        "log-probability per token", lambda trace, _: trace.hypotheses[0].total / trace.hypotheses[0].length
    ),
    "score": Measure("score of the best output", lambda trace, _: trace.hypotheses[0].score),
    "tokens": Measure("number of output tokens, the end sign included,", lambda trace, _: trace.hypotheses[0].length, digits=0),
    "words": Measure("number of output words and punctuation marks", lambda trace, _: len(said_words(trace)), digits=0),
    "perplexity": Measure("perplexity per word", _perplexity, digits=1),
    "entropy": Measure("mean entropy of the attention rows", _entropy, "bit"),
    "largest entropy": Measure("largest entropy a row could have", lambda trace, _: math.log2(max(1, trace.positions)), "bit"),
    "largest weight": Measure("mean of each row’s largest weight", lambda trace, _: float(rows(trace).max(1).mean())),
    "coverage": Measure("coverage of the source", _coverage),
    "positions": Measure("number of source positions", lambda trace, _: trace.positions, digits=0),
    "positions used": Measure("mean number of source positions in a step’s context", _used, digits=0),
    "chrF": Measure("chrF against the reference", _chrf, digits=1),
}
