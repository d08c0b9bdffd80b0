"""A story and a question about it: the answer, and the sentences that it was found in."""

from __future__ import annotations

from dataclasses import replace

from demo import resources, state
from demo.blocks.drawing import line, text
from demo.examples import STORIES
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, named
from demo.query import Query
from seq2seq_core.tasks import TASKS

TASK = "story"
VARIANTS = ("additive", "bilinear", "none")  # in the order of the table that holds one against the other


def queries(values: Values) -> Queries:
    """What the chosen model answers; and what the others do."""
    own = asked(TASK, values)
    own = replace(own, settings=replace(own.settings, length_penalty=TASKS[TASK].normalised))
    own = replace(own, prompt=as_question(own.prompt))
    there = [info.variant for info in resources.installed(TASK)]
    chosen = values[state.STORY_MODEL.key]
    beside = [variant for variant in VARIANTS if variant in there and variant != chosen]
    return {chosen: own, **{variant: replace(own, model_id=named(TASK, variant)) for variant in beside}}


def as_question(typed: str) -> str:
    """With its question mark: the models have never read a question without one."""
    return typed if not typed or typed.endswith("?") else typed.rstrip(" .!") + "?"


def facts(query: Query) -> tuple[int, ...]:
    """The sentences that tell the answer, counted from 0, of a question that we wrote; of others nobody has said."""
    known = (one for one in STORIES if (one.given,) == query.given and one.text == query.prompt)
    return next((tuple(place - 1 for place in one.facts) for one in known), ())


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  words, not a trace
    """Five sentences and a question; the answer has looked at one, and from there at another."""
    lengths = (118, 96, 132, 88, 104)
    sentences = [line([(24, 14 + 20 * n), (24 + length, 14 + 20 * n)], role="faint", width=10) for n, length in enumerate(lengths)]
    found = [line([(24, 14 + 20 * n), (24 + lengths[n], 14 + 20 * n)], role="attention", width=10) for n in (1, 3)]
    looks = [line([(226, 92), (124, 74)], role="attention", width=3, curved=True), line([(112, 66), (122, 40)], role="attention", width=3)]
    return [
        *sentences,
        *found,
        *looks,
        text(160, 128, "Where is the milk?", anchor="middle", size=18),
        text(256, 98, "kitchen", anchor="middle", size=18),
    ]


LAB = Lab(
    "story",
    "Story",
    "Applications",
    "menu_book",
    "A story and a question about it: at each word, and at two pauses before the answer, the decoder looks at a sentence.",
    queries,
    picture,
    needs=TASK,
)
