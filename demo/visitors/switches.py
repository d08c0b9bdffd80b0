"""What whoever runs the lab has turned off, as in LAB_OFF=training,camera: the control goes, and the door behind it is shut."""

from __future__ import annotations

import os

from seq2seq_core.errors import InputError

# Streamlit's server imports this file before its runtime is there, so nothing here imports Streamlit.
PARTS = {
    "training": "Training",
    "upload": "Uploading one's own files",
    "camera": "The camera",
    "microphone": "The microphone",
    "own-models": "Opening models of one's own",
}
FILES = ("upload", "camera", "microphone", "own-models")  # what sends files to the server


def off() -> frozenset[str]:
    """Read anew each time; a name that there is not turns nothing off, so it must not pass in silence."""
    named = frozenset(filter(None, (name.strip() for name in os.environ.get("LAB_OFF", "").split(","))))
    if unknown := sorted(named - PARTS.keys()):
        raise InputError(f"LAB_OFF names {', '.join(unknown)}; what can be turned off is {', '.join(PARTS)}.")
    return named


def on(part: str) -> bool:
    return part not in off()


def demand(part: str) -> None:
    """InputError when it is turned off."""
    if not on(part):
        raise InputError(f"{PARTS[part]} is turned off on this computer.")
