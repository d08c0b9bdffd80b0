"""Caption: a photo gets its sentence word by word, and every word shows the part of the photo it looked at."""

from __future__ import annotations

from demo import controls, state
from demo.blocks import widgets
from demo.labs.caption import eyes, view


def main() -> None:
    view.heading()
    attention, query = view.source_row()
    if query is None:
        widgets.no_model(view.TASK)
        return
    trace = view.result(query)
    tool = controls.segments(state.PHOTO_TOOL)
    if tool == "compare variants":
        view.variants(query)
    elif tool == "glimpses":
        view.glimpses(query, attention)
    else:
        eyes.eyes(query, trace)


main()
