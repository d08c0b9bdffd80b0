"""A film, of the camera for two seconds or out of a file that the browser can play: the frames come as one picture, a film strip."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Literal

from demo.components.events import reported
from demo.components.served import component
from seq2seq_core.inputs.clip import strip

HEAD = "data:image/jpeg;base64,"
MOST = 1_000_000  # signs: ten times what a film has

_component = component("filming", "filming/mount.js")


def filming(frames: int, *, key: str, on_film: Callable[[], None] | None = None, on_file: Callable[[], None] | None = None) -> None:
    """A way in for each callback, to which `filmed` tells what came: `on_film` of the camera, `on_file` of a file."""
    rows, columns = strip(frames)
    data = {"rows": rows, "columns": columns, "camera": on_film is not None, "file": on_file is not None}
    _component(key=key, data=data, on_film_change=on_film or _nothing, on_file_change=on_file or _nothing)


def _nothing() -> None:
    """Of a way in that is not there."""


def filmed(key: str, way: Literal["film", "file"]) -> bytes | None:
    """In the callback: the film strip as a JPEG file. Whatever has not its form is None."""
    said = reported(key, way)
    if not isinstance(said, str) or not said.startswith(HEAD) or len(said) > MOST:
        return None
    try:
        return base64.b64decode(said[len(HEAD) :], validate=True)
    except binascii.Error:
        return None
