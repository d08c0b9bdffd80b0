"""The ways in for what is given that is no text: samples, a file, the camera, the microphone. One file for each such field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demo import state
from demo.blocks.ways_in import clip, film, photo, recording

if TYPE_CHECKING:
    from types import ModuleType

    from demo.query import Asset
    from demo.tasks import TaskRow

WAYS: dict[str, ModuleType] = {
    state.PHOTO.key: photo,
    state.RECORDING.key: recording,
    state.CLIP.key: clip,
    state.FILM.key: film,
}


def fields(row: TaskRow) -> tuple[str, ...]:
    """The keys of those of the task's fields that hold no text."""
    return tuple(field.key for slot, field in row.slots() if slot.kind != "text")


def ways_in(row: TaskRow) -> None:
    """To choose from or to bring, in the row that is being drawn."""
    for key in fields(row):
        WAYS[key].choices()


def shown(row: TaskRow) -> dict[str, Asset]:
    """What is given now, by field: a visitor's own before the link's. What was wrong with the last thing brought is said, once."""
    found: dict[str, Asset | None] = {key: WAYS[key].shown() for key in fields(row)}
    return {key: asset for key, asset in found.items() if asset}
