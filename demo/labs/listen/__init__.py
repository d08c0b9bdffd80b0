"""A spoken number becomes words, each where it was heard."""

from __future__ import annotations

from demo import state
from demo.blocks.drawing import WIDTH, line, text
from demo.lab import Lab, Queries, Shape, Traces, Values, asked

TASK = "speech"
LOUD = (  # a sketch of three words, from 0 to 1
    0.05, 0.3, 0.7, 0.9, 0.6, 0.35, 0.15, 0.05, 0.05, 0.25, 0.65, 0.8, 0.95, 0.7, 0.5, 0.3, 0.1, 0.05, 0.05, 0.35, 0.8, 0.7, 0.85, 0.6, 0.4,
    0.2, 0.08, 0.05,
)  # fmt: skip


def queries(values: Values) -> Queries:
    """What was said, by the chosen model."""
    return {values[state.SPEECH_MODEL.key]: asked(TASK, values)}


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  drawn, not decoded
    """Three words as they sound, and under each what was heard."""
    step = WIDTH / len(LOUD)
    shapes = []
    for place, loud in enumerate(LOUD):
        x, role = (place + 0.5) * step, "accent" if 9 <= place < 18 else "quiet"
        shapes.append(line([(x, 56 - 44 * loud), (x, 56 + 44 * loud)], role=role, width=5))
    words = (("three", 52, "quiet"), ("five", 152, "ink"), ("nine", 252, "quiet"))
    return shapes + [text(x, 126, word, anchor="middle", size=18, role=role) for word, x, role in words]


LAB = Lab(
    "listen",
    "Listen",
    "Decode",
    "mic",
    "Say a number: it is written down digit by digit, and every word shows, and plays, the stretch of sound it listened to.",
    queries,
    picture,
    TASK,
)
