"""Does a second sentence follow from a first?"""

from __future__ import annotations

from dataclasses import replace

from demo import resources, state
from demo.blocks.drawing import line, text
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, info_of, named
from demo.query import Query
from seq2seq_core.config import DecodeSettings

TASK, ALONE = "entailment", "hypothesis-only"
ALL_THREE = DecodeSettings(beam_size=3, length_penalty=0, hypotheses=3)  # the probability of every answer
AND_WHY = DecodeSettings(search="greedy")  # the likeliest answer, whatever is easily said about another


def queries(values: Values) -> Queries:
    variant = values[state.ENTAILMENT_MODEL.key]
    return {variant: asked(TASK, values, settings=AND_WHY if says_why(named(TASK, variant)) else ALL_THREE)}


def says_why(model_id: str) -> bool:
    """Whether a model goes on after its answer."""
    info = info_of(model_id)
    return info is not None and info.card["config"].get("reasons") is True


def alone(query: Query) -> Query | None:
    """The same asked of a model that has never seen a premise, if there is one."""
    there = ALONE in [info.variant for info in resources.installed(TASK)]
    return replace(query, model_id=named(TASK, ALONE), given=(), settings=ALL_THREE) if there else None


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  words, not a trace
    """A word of the hypothesis looks at the one of the premise that it is not; three bars."""
    above = [text(at, 18, word, anchor="middle", size=20) for at, word in ((92, "the"), (160, "yellow"), (236, "line"))]
    below = [text(at, 78, word, anchor="middle", size=20) for at, word in ((92, "the"), (160, "red"), (236, "line"))]
    looks = [line([(160, 60), (160, 28)], role="attention", width=9), line([(236, 60), (236, 28)], role="attention", width=6)]
    bars = [line([(64, y), (64 + length, y)], role=role, width=11) for y, length, role in ((102, 22, "faint"), (118, 34, "faint"))]
    return [*above, *below, *looks, *bars, line([(64, 134), (256, 134)], role="accent", width=11)]


LAB = Lab(
    "entailment",
    "Entailment",
    "Applications",
    "rule",
    "Does one sentence follow from another? The decoder reads the hypothesis word by word, looks at the premise, and answers.",
    queries,
    picture,
    needs=TASK,
)
