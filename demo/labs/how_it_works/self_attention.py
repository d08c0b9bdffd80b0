"""Where a Transformer's positions look at each other: maps of the source by the source, and of the output by what was said before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from demo.components import with_id
from demo.components.player.data import DIGITS, player_data

if TYPE_CHECKING:
    from seq2seq_core.study.inside import Inside
    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.trace import DecodeTrace

Which = Literal["encoder", "decoder"]


def maps_of(inside: Inside, which: Which) -> dict[str, Floats]:
    """By layer: [K, T, S]."""
    if which == "encoder":
        return dict(inside.reads)
    return {name.removesuffix("/itself"): value for name, value in inside.looks.items() if name.endswith("/itself")}


def head_names(inside: Inside, which: Which) -> list[str]:
    return [f"{layer}, head {head + 1}" for layer, maps in maps_of(inside, which).items() for head in range(len(maps))]


def map_data(trace: DecodeTrace, hypothesis: int, inside: Inside, which: Which, start: str) -> dict[str, Any]:
    """For a player without a panel: each row a position that looks, each column one that is looked at. `start`: the start sign."""
    data = player_data(trace, hypothesis)
    target = data["target"]
    if which == "encoder":
        part = data["parts"][0]
        rows: Mapping[str, Any] = {name: part[name] for name in ("tokens", "groups", "words", "text")} | {"special": []}
    else:
        rows = target
        groups = [0, *(group + 1 for group in target["groups"][:-1])]
        words = [start, *target["words"]][: groups[-1] + 1]
        part = {
            "kind": "text",
            "name": "said so far",
            "tokens": [start, *target["tokens"][:-1]],
            "groups": groups,
            "words": words,
            "text": "",
        }
    weights = np.concatenate(list(maps_of(inside, which).values()))  # [K, T, S]
    return with_id(
        {
            **{name: value for name, value in data.items() if name != "id"},
            "parts": [part],
            "target": dict(rows),
            "heads": [{"name": name, "part": 0} for name in head_names(inside, which)],
            "attention": [[_rounded(row) for row in step] for step in weights.transpose(1, 0, 2)],
            "steps": [data["steps"][0]] * weights.shape[1],
            "edited": [], "hidden": [], "marks": [], "prompt": 0, "diverges": None, "title": "",
        }
    )  # fmt: skip


def _rounded(row: Sequence[float]) -> list[float]:
    return [round(float(weight), DIGITS) for weight in row]
