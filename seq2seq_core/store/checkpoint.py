"""A trained model as a folder: weights.safetensors, model.json and tokenizer.json, each checked when read. No pickle."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor

from seq2seq_core.config import ModelConfig, from_dict, to_dict
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.devanagari import Romaniser
from seq2seq_core.inputs.tokenizer import Tokenizer, load_pair, save_pair
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store.card import CARD, SCHEMA, read_bytes, read_card, title

__all__ = [
    "CARD", "SCALE", "SCHEMA", "TOKENIZER", "WEIGHTS", "Checkpoint", "Storage",
    "fill", "load", "pack", "read_card", "save", "unpack", "weights_of", "write_atomically",
]  # fmt: skip

WEIGHTS, TOKENIZER = "weights.safetensors", "tokenizer.json"
SCALE = ".scale"
Storage = Literal["float32", "float16", "int8"]


def write_atomically(path: Path, content: bytes) -> None:
    """Write beside, flush to the disk, rename: a reader sees the old file or the new one, never half of one."""
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def weights_of(model: Seq2Seq) -> dict[str, Tensor]:
    """The parameters by name, a tied one once."""
    return {name: parameter.detach() for name, parameter in model.named_parameters()}


def pack(weights: Mapping[str, Tensor], storage: Storage) -> dict[str, Tensor]:
    """int8 keeps each row of a matrix as whole numbers from -127 to 127 and a float16 scale; vectors stay float16."""
    if storage == "float32":
        return {name: weight.float().contiguous() for name, weight in weights.items()}
    packed: dict[str, Tensor] = {}
    for name, weight in weights.items():
        if storage == "int8" and weight.dim() == 2 and weight.shape[1] > 1:
            scale = (weight.abs().amax(1, keepdim=True) / 127).clamp_min(1e-7).half()
            packed[name] = (weight / scale.float()).round().clamp(-127, 127).to(torch.int8)
            packed[name + SCALE] = scale
        else:
            packed[name] = weight.half().contiguous()
    return packed


def unpack(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {
        name: tensor.float() * packed[name + SCALE].float() if name + SCALE in packed else tensor.float()
        for name, tensor in packed.items()
        if not name.endswith(SCALE)
    }


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model folder in memory."""

    model: Seq2Seq
    source_tokenizer: Tokenizer | None  # None: pictures, or no source
    target_tokenizer: Tokenizer
    card: dict[str, Any]  # what model.json says
    romaniser: Romaniser | None = None  # of a model that reads or says Hindi in Latin letters


def save(
    folder: Path,
    config: ModelConfig,
    weights: Mapping[str, Tensor],
    tokenizers: tuple[Tokenizer | None, Tokenizer],
    card: Mapping[str, Any],
    storage: Storage = "float16",
) -> None:
    """Write a model folder; `card` is what model.json says beside the config."""
    folder.mkdir(parents=True, exist_ok=True)
    content = save_tensors(pack(weights, storage))
    about = {"schema": SCHEMA, **card, "config": to_dict(config), "storage": storage, "sha256": hashlib.sha256(content).hexdigest()}
    write_atomically(folder / WEIGHTS, content)
    save_pair(folder / TOKENIZER, *tokenizers)
    write_atomically(folder / CARD, (json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode())


def load(folder: Path) -> Checkpoint:
    """Read a model folder; the model is ready to decode."""
    card = read_card(folder)
    content = read_bytes(folder, WEIGHTS)
    if hashlib.sha256(content).hexdigest() != card.get("sha256"):
        raise InputError(f"{title(folder, WEIGHTS)} does not match the sha256 in {CARD}; the file was altered or only partly copied.")
    try:
        weights = unpack(load_tensors(content))
    except (SafetensorError, KeyError, ValueError):
        raise InputError(f"{title(folder, WEIGHTS)} is not a safetensors file.") from None
    config = from_dict(ModelConfig, card["config"])
    source, target = load_pair(folder / TOKENIZER)
    for name, tokenizer, size in (("source", source, config.source_vocab), ("target", target, config.target_vocab)):
        if tokenizer is not None and tokenizer.size != size:
            raise InputError(f"{title(folder, TOKENIZER)} has {tokenizer.size} {name} tokens; its model.json expects {size}.")
    model = Seq2Seq(config)
    fill(model, weights, title(folder, WEIGHTS))
    return Checkpoint(model.eval(), source, target, card, Romaniser.load(folder))


def fill(model: Seq2Seq, weights: Mapping[str, Tensor], where: str) -> None:
    """Put weights into a model; every name and shape must fit."""
    parameters = dict(model.named_parameters())
    for name in sorted(parameters.keys() ^ weights.keys()):
        raise InputError(
            f"{where} does not fit its config: the weight {name!r} is {'missing' if name in parameters else 'not part of such a model'}."
        )
    with torch.no_grad():
        for name, parameter in parameters.items():
            if parameter.shape != weights[name].shape:
                raise InputError(
                    f"{where} does not fit its config: {name!r} has shape {list(weights[name].shape)}, expected {list(parameter.shape)}."
                )
            if not torch.isfinite(weights[name]).all():
                raise InputError(f"{where} holds a number that is not finite in {name!r}.")
            parameter.copy_(weights[name])
