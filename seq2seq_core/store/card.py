"""model.json: what a model folder says about itself, read without loading weights and without torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from seq2seq_core.errors import InputError

SCHEMA = 1
CARD = "model.json"
LARGEST_CARD = 1_000_000  # bytes: a few thousand are usual


def title(folder: Path, name: str = "") -> str:
    """A model folder, or a file in it, as a person may see it: the path on the computer that serves it is nobody's business."""
    return "/".join(filter(None, (folder.absolute().parent.name, folder.name, name)))


def read_bytes(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError:
        raise InputError(f"{title(folder)} is not a model folder: {name} cannot be read in it.") from None


def read_json(folder: Path, name: str) -> dict[str, Any]:
    content = read_bytes(folder, name)
    if len(content) > LARGEST_CARD:
        raise InputError(f"{title(folder, name)} has {len(content):,} bytes; at most {LARGEST_CARD:,} can be read.")
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise InputError(f"{title(folder, name)} is not valid JSON; the file was altered or only partly copied.") from None
    if not isinstance(value, dict):
        raise InputError(f"{title(folder, name)} must hold one JSON object.")
    return value


def read_card(folder: Path) -> dict[str, Any]:
    card = read_json(folder, CARD)
    if card.get("schema") != SCHEMA or not isinstance(card.get("config"), dict):
        raise InputError(f"{title(folder, CARD)} has schema {card.get('schema')!r}; this version reads schema {SCHEMA}.")
    return card
