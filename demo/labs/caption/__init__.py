"""A photo gets its sentence."""

from __future__ import annotations

from dataclasses import replace

from demo import resources, state
from demo.blocks.drawing import WIDTH, line, photo, text
from demo.given import photos
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, attention_of
from demo.query import Asset
from seq2seq_core.config import WITHOUT_MAP

TASK = "captioning"


def queries(values: Values) -> Queries:
    """The photo's caption; or with a tool what it puts side by side: several models, or glimpses beside their expectation."""
    tool, main = values[state.PHOTO_TOOL.key], asked(TASK, values)
    if tool == "compare variants":
        return {name: asked(TASK, values, variant=name) for name in values[state.PHOTO_MODELS.key]}
    if tool == "never looked at":
        mapped = [info.variant for info in resources.installed(TASK) if info.attention not in WITHOUT_MAP]
        return {name: asked(TASK, values, variant=name) for name in mapped}
    if tool == "glimpses" and attention_of(main.model_id) == "hard":
        settings, seed = main.settings, values[state.SEED.key]
        drawn = replace(settings, glimpse="sample", seed=seed)
        exact = replace(settings, glimpse="expected", seed=seed if settings.search == "sample" else 0)
        return {"sampled glimpses": replace(main, settings=drawn), "exact expectation": replace(main, settings=exact)}
    return {values[state.CAPTION_MODEL.key]: main}


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  a photo, not a trace
    """A photo that comes with the app, and words under it."""
    words = (("a", 40), ("dog", 88), ("on", 136), ("the", 184), ("grass", 246))
    said = [text(at, 126, word, anchor="middle", size=18, role="ink" if word == "dog" else "quiet") for word, at in words]
    shown = photo(0, 0, WIDTH, 108, photos.url(Asset("photo", "dog"), WIDTH))
    return [shown, *said, line([(72, 137), (104, 137)], role="accent", width=3)]


LAB = Lab(
    "caption",
    "Caption",
    "Decode",
    "image",
    "A photo gets its sentence, and every word shows the part of the photo it looked at.",
    queries,
    picture,
)
