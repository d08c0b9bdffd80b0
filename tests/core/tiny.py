"""Seeded tiny models and tokenizers that the tests share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from seq2seq_core.config import ModelConfig
from seq2seq_core.inputs.tokenizer import CharacterTokenizer
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store.checkpoint import save, weights_of

LETTERS = CharacterTokenizer(list("abcdefgh "))


def tiny_config(**changes: Any) -> ModelConfig:
    values: dict[str, Any] = {"hidden": 8, "embedding": 6, "source_vocab": LETTERS.size, "target_vocab": LETTERS.size, "dropout": 0.0}
    return ModelConfig(**(values | {"encoder_layers": 1, "tie_output": changes.get("wiring") != "straight"} | changes))


def tiny_model(seed: int = 0, **changes: Any) -> Seq2Seq:
    torch.manual_seed(seed)
    model = Seq2Seq(tiny_config(**changes))
    with torch.no_grad():
        for parameter in model.parameters():  # larger than at the start of training, so that distributions are not flat
            parameter.add_(torch.randn_like(parameter) * 0.4)
    return model.eval()


def save_tiny_model(folder: Path, seed: int = 0, **changes: Any) -> Seq2Seq:
    model = tiny_model(seed, **changes)
    source = LETTERS if model.config.source == "text" else None
    save(folder, model.config, weights_of(model), (source, LETTERS), {"name": "tiny"}, "float32")
    return model
