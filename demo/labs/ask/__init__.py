"""A question about a photo gets its answer."""

from __future__ import annotations

from dataclasses import replace

from demo import resources, state
from demo.blocks.drawing import WIDTH, line, photo, text
from demo.given import photos
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, named
from demo.query import Asset
from seq2seq_core.config import DecodeSettings

TASK, BLIND = "question", "question-only"
LIKELIEST = DecodeSettings(beam_size=5, length_penalty=0, hypotheses=5)  # answers, by the probability of the whole of each
USUAL = DecodeSettings(beam_size=10, length_penalty=0, hypotheses=10)  # more, since they are looked up


def queries(values: Values) -> Queries:
    """What the model answers; and what one answers that has never seen a photo."""
    own = asked(TASK, values, settings=LIKELIEST)
    own = replace(own, prompt=as_question(own.prompt))
    found = {values[state.QUESTION_MODEL.key]: own}
    if BLIND in [info.variant for info in resources.installed(TASK)]:
        found[BLIND] = replace(own, model_id=named(TASK, BLIND), given=(), settings=USUAL)
    return found


def as_question(typed: str) -> str:
    """With its question mark: the models have never read a question without one."""
    return typed if not typed or typed.endswith("?") else typed.rstrip(" .!") + "?"


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  a photo, not a trace
    """A photo that comes with the app, a question under it, and three bars."""
    shown = photo(0, 0, 150, 100, photos.url(Asset("photo", "giraffes"), WIDTH))
    lengths = ((30, "accent", 120), (54, "faint", 34), (78, "faint", 22))
    bars = [line([(178, y), (178 + length, y)], role=role, width=13) for y, role, length in lengths]
    return [shown, *bars, text(WIDTH / 2, 128, "What animal is this?", anchor="middle", size=18)]


LAB = Lab(
    "ask",
    "Ask a photo",
    "Applications",
    "contact_support",
    "A question about a photo gets its answer: where it looked at each word, and how much of the answer is in the question.",
    queries,
    picture,
)
