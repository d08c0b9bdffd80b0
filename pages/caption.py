"""Caption: a photo gets its sentence word by word, and every word shows the part of the photo it looked at."""

from __future__ import annotations

from demo import caption_view, controls, eyes_view, state
from demo.blocks import widgets


def main() -> None:
    caption_view.heading()
    photo, attention, request = caption_view.source_row()
    if request is None:
        widgets.no_model(caption_view.TASK)
        return
    trace = caption_view.result(request, photo)
    tool = controls.segments(state.PHOTO_TOOL)
    if tool == "compare variants":
        caption_view.variants(request, photo)
    elif tool == "glimpses":
        caption_view.glimpses(request, photo, attention)
    else:
        eyes_view.eyes(request, photo, trace)


main()
