"""A clip becomes a kind of event and a sentence, and each word shows the frames it looked at."""

from __future__ import annotations

from dataclasses import replace

from demo import resources, state
from demo.blocks.drawing import WIDTH, photo, text
from demo.given import clips
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, named
from demo.query import Asset

TASK = "clip"


def queries(values: Values) -> Queries:
    """What the chosen model says of the clip, and what the others do."""
    chosen = values[state.CLIP_MODEL.key]
    own = asked(TASK, values)
    others = [info.variant for info in resources.installed(TASK) if info.variant != chosen]
    return {chosen: own} | {variant: replace(own, model_id=named(TASK, variant)) for variant in others}


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  a clip, not a trace
    """A film strip, and what happens in it."""
    strip = photo(0, 0, WIDTH, WIDTH * 3 / 8, clips.picture_url(Asset("clip", clips.SAMPLES[0].code)))
    return [strip, text(WIDTH / 2, 132, "… hits it, and it falls", anchor="middle", size=18)]


LAB = Lab(
    "watch",
    "Watch a clip",
    "Applications",
    "movie",
    "A clip becomes a kind of event and a sentence: compose one, and see which frames each word looked at.",
    queries,
    picture,
    TASK,
)
