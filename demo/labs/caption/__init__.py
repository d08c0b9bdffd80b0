"""A photo gets its sentence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from demo import state
from demo.blocks.drawing import WIDTH, cells, line, text
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, attention_of

TASK = "captioning"


def queries(values: Values) -> Queries:
    """The photo's caption; or with a tool what it puts side by side: several models, or glimpses beside their expectation."""
    tool, main = values[state.PHOTO_TOOL.key], asked(TASK, values)
    if tool == "compare variants":
        return {name: asked(TASK, values, variant=name) for name in values[state.PHOTO_MODELS.key]}
    if tool == "glimpses" and attention_of(main.model_id) == "hard":
        settings, seed = main.settings, values[state.SEED.key]
        drawn = replace(settings, glimpse="sample", seed=seed)
        exact = replace(settings, glimpse="expected", seed=seed if settings.search == "sample" else 0)
        return {"sampled glimpses": replace(main, settings=drawn), "exact expectation": replace(main, settings=exact)}
    return {values[state.CAPTION_MODEL.key]: main}


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  a drawing, not a trace
    """A photo's grid, with the part that one word looked at."""
    y, x = np.mgrid[0:7, 0:16]
    weights = 0.05 + 0.9 * np.exp(-((x - 10.5) ** 2 / 9 + (y - 3.6) ** 2 / 3.2))
    words = (("a", 40), ("black", 88), ("dog", 146), ("on", 196), ("grass", 248))
    said = [text(at, 126, word, anchor="middle", size=18, role="ink" if word == "dog" else "quiet") for word, at in words]
    return [*cells(weights, 0, 0, WIDTH, 104), *said, line([(130, 137), (162, 137)], role="accent", width=3)]


LAB = Lab(
    "caption",
    "Caption",
    "Decode",
    "image",
    "A photo gets its sentence, and every word shows the part of the photo it looked at.",
    queries,
    picture,
)
