"""A clip becomes a kind of event and a sentence, and each word shows the frames it looked at."""

from __future__ import annotations

from dataclasses import replace

from demo import resources
from demo.blocks.drawing import WIDTH, photo, text
from demo.given import clips
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, named, task_among
from demo.query import Asset
from demo.tasks import TASKS
from seq2seq_core.config import DecodeSettings

TASK, GESTURE = "clip", "gesture"
ALL_FIVE = DecodeSettings(beam_size=5, length_penalty=0, hypotheses=5)  # the probability of every gesture


def queries(values: Values) -> Queries:
    """What the chosen model says of the clip, and what the others do."""
    task = task_among(values, (TASK, GESTURE))
    chosen = values[TASKS[task].model.key]
    own = asked(task, values, settings=ALL_FIVE if task == GESTURE else None)
    others = [info.variant for info in resources.installed(task) if info.variant != chosen]
    return {chosen: own} | {variant: replace(own, model_id=named(task, variant)) for variant in others}


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
