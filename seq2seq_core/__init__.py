"""Encoder-decoder models whose every decoding step can be read. The public surface; `python -m seq2seq_core` is the command line."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from seq2seq_core.config import DecodeSettings, ModelConfig, TrainSettings
from seq2seq_core.errors import InputError
from seq2seq_core.trace.steering import RowEdit, Steering
from seq2seq_core.trace.trace import DecodeTrace, Head, Hypothesis, Part

if TYPE_CHECKING:
    from seq2seq_core.model.seq2seq import Seq2Seq
    from seq2seq_core.pipeline import Pipeline
    from seq2seq_core.store.zoo import ModelInfo, list_models, load

__all__ = [
    "DecodeSettings",
    "DecodeTrace",
    "Head",
    "Hypothesis",
    "InputError",
    "ModelConfig",
    "ModelInfo",
    "Part",
    "Pipeline",
    "RowEdit",
    "Seq2Seq",
    "Steering",
    "TrainSettings",
    "list_models",
    "load",
]

# These need torch, a second of import time, so they are imported when first asked for: a page that shows a stored trace needs none.
_LATER = {
    "Seq2Seq": "model.seq2seq",
    "Pipeline": "pipeline",
    "ModelInfo": "store.zoo",
    "list_models": "store.zoo",
    "load": "store.zoo",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
