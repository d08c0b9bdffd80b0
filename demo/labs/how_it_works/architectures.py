"""What models are made of: which kind of network each part of one is, and which encoders and decoders the models here have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from demo.wording import listed

if TYPE_CHECKING:
    from seq2seq_core.config import ModelConfig
    from seq2seq_core.store.zoo import ModelInfo

CELLS = {"rnn": "simple recurrent network", "gru": "GRU", "lstm": "LSTM"}


def network_of(part: str, config: ModelConfig) -> str:
    """Dense, recurrent or made of attention: a part of `parameter_counts`. An embedding is a dense layer for one-hot vectors."""
    if config.body == "transformer" and part in ("encoder", "decoder layers"):
        return "attention and dense"
    if part == "encoder" and config.source == "sound":
        return "convolutional and recurrent"
    return "recurrent" if part == "decoder cell" or (part == "encoder" and config.in_order) else "dense"


def parts_table(config: ModelConfig, shares: Mapping[str, int]) -> dict[str, list[str]]:
    """Every part with its kind and its parameters; of what reads photos the image network too, which is another's and stays as it is."""
    rows = [("image network", "convolutional", "fixed")] if config.source in ("image", "clip") else []
    rows += [(part, network_of(part, config), f"{count:,}") for part, count in shares.items()]
    return {name: [row[i] for row in rows] for i, name in enumerate(("part", "network", "parameters"))}


def pairings(models: Iterable[ModelInfo]) -> dict[str, list[str]]:
    """Which encoder stands beside which decoder, and for what: each pair once."""
    found: dict[tuple[str, str], list[str]] = {}
    for model in models:
        config = model.card["config"]
        tasks = found.setdefault((_encoder(config), _decoder(config)), [])
        if model.task not in tasks:
            tasks.append(model.task)
    return {
        "encoder": [encoder for encoder, _ in found],
        "decoder": [decoder for _, decoder in found],
        "models for": [listed(tasks) for tasks in found.values()],
    }


def _encoder(config: Mapping[str, Any]) -> str:
    if config.get("source") == "none":
        return "none"
    if config.get("source") == "image" or not config.get("ordered", True):
        return "convolutional image network"
    if config.get("source") in ("sound", "clip"):
        return f"convolutions and {CELLS.get(str(config.get('cell')), 'GRU')}"
    return "Transformer" if config.get("body") == "transformer" else CELLS.get(str(config.get("cell")), "GRU")


def _decoder(config: Mapping[str, Any]) -> str:
    return "Transformer" if config.get("body") == "transformer" else CELLS.get(str(config.get("cell")), "GRU")
