"""A decoder with no source."""

from __future__ import annotations

import math
from dataclasses import replace

from demo import resources, state
from demo.blocks.drawing import line, text
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, named
from demo.query import Query
from demo.tasks import TASKS
from seq2seq_core.config import DecodeSettings
from seq2seq_core.store.zoo import ModelInfo

TASK = "language"
GOES_ON = 60  # pieces after the words that all conditions share
WAYS = {  # how the same beginning is gone on from
    "greedy": DecodeSettings(search="greedy"),
    "beam 5": DecodeSettings(beam_size=5),
    "temperature 0.5": DecodeSettings(search="sample", temperature=0.5),
    "temperature 1": DecodeSettings(search="sample"),
    "temperature 1.5": DecodeSettings(search="sample", temperature=1.5),
    "top k = 5": DecodeSettings(search="sample", top_k=5),
    "top p = 0.5": DecodeSettings(search="sample", top_p=0.5),
}
CONDITIONS = {"nothing": TASK, "a sentence": "translation", "a picture": "captioning"}  # what a decoder is given, and by which task


def queries(values: Values) -> Queries:
    """What the chosen part of the page asks."""
    part, variant = values[state.LANGUAGE_PART.key], values[state.LANGUAGE_MODEL.key]
    if part == "generate":
        return {variant: asked(TASK, values)}
    if part == "score":
        return {variant: scored(variant, values)}
    if part == "searches":
        return {name: asked(TASK, values, settings=seeded(way, values)) for name, way in WAYS.items()}
    if part == "models":
        return {info.variant: scored(info.variant, values) for info in every()}
    return {given: condition(task, values) for given, task in CONDITIONS.items() if resources.installed(task)}


def scored(variant: str, values: Values) -> Query:
    return Query(named(TASK, variant), target=values[state.SCORED.key].strip())


def seeded(way: DecodeSettings, values: Values) -> DecodeSettings:
    """What is not drawn does not depend on the seed."""
    return replace(way, seed=values[state.SEED.key]) if way.search == "sample" else way


def every() -> list[ModelInfo]:
    """The installed models, those that differ in their cell alone first."""
    cells = state.CELL.choices
    return sorted(resources.installed(TASK), key=lambda info: (info.variant not in cells, info.variant != "rnn", info.variant))


def condition(task: str, values: Values) -> Query:
    """How a decoder goes on from the same words with what its task gives it."""
    model = TASKS[task].model
    variant = model.among(values[model.key], [info.variant for info in resources.installed(task)])
    settings = DecodeSettings(search="greedy", max_length=GOES_ON)
    return replace(asked(task, values, variant=variant, settings=settings), prompt=values[state.AFTER.key].strip())


def picture(traces: Traces) -> list[Shape]:
    """What might come next, and how likely it is."""
    trace = traces["translation"]
    node = max(trace.path()[:-1], key=lambda one: -max(candidate.logprob for candidate in one.candidates))
    shapes: list[Shape] = []
    for i, candidate in enumerate(sorted(node.candidates, key=lambda one: -one.logprob)[:5]):
        chosen, y = candidate.token_id == node.token_id, 14 + 28 * i
        shapes.append(text(92, y, candidate.token.strip(), anchor="end", size=18, role="ink" if chosen else "quiet"))
        shapes.append(line([(106, y), (108 + 205 * math.exp(candidate.logprob), y)], role="accent" if chosen else "quiet", width=14))
    return shapes


LAB = Lab(
    "language_model",
    "Language model",
    "Decode",
    "notes",
    "A decoder with no source: it goes on from any beginning and scores any sentence.",
    queries,
    picture,
)
