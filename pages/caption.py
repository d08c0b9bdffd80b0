"""Caption: a photo gets its sentence word by word, and every word shows the part of the photo it looked at."""

from __future__ import annotations

from demo import controls, state
from demo.blocks import eyes
from demo.blocks.source import source_row
from demo.labs.caption import LAB, TASK, unseen, view


def main() -> None:
    source = source_row((TASK,), title=LAB.title)
    if not source.ready():
        return
    (query,) = LAB.queries({**source.values, state.PHOTO_TOOL.key: state.PHOTO_TOOL.default}).values()
    trace = view.result(query)
    tool = controls.segments(state.PHOTO_TOOL)
    if tool == "compare variants":
        view.variants(source.values)
    elif tool == "never looked at":
        unseen.block(source.values)
    elif tool == "glimpses":
        view.glimpses(query, source.values)
    else:
        eyes.eyes(query, trace)


main()
