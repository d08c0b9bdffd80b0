"""A camera that films for two seconds: the frames come as one picture, a film strip."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable

from demo.components.events import reported
from demo.components.served import component
from seq2seq_core.inputs.clip import strip

HEAD = "data:image/jpeg;base64,"
MOST = 1_000_000  # signs: ten times what a film has

_component = component("filming", "filming/mount.js")


def filming(frames: int, *, key: str, on_film: Callable[[], None]) -> None:
    """The button and the picture of the camera; `filmed` tells the callback what it took."""
    rows, columns = strip(frames)
    _component(key=key, data={"rows": rows, "columns": columns}, on_film_change=on_film)


def filmed(key: str) -> bytes | None:
    """In the callback: the film strip as a JPEG file. Whatever has not its form is None."""
    said = reported(key, "film")
    if not isinstance(said, str) or not said.startswith(HEAD) or len(said) > MOST:
        return None
    try:
        return base64.b64decode(said[len(HEAD) :], validate=True)
    except binascii.Error:
        return None
