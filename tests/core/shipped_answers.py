"""The sentences written for the test of the shipped models, the sample photos, and what a model answers to them."""

from __future__ import annotations

from pathlib import Path

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.photo import read_photo
from seq2seq_core.store.zoo import load

FOLDER = Path(__file__).parent / "shipped"
PHOTOS = Path(__file__).resolve().parents[2] / "demo" / "examples" / "photos"


def sentences(task: str) -> list[str]:
    return (FOLDER / f"{task}.txt").read_text(encoding="utf-8").splitlines()


def answers_file(model_id: str) -> Path:
    return FOLDER / f"{model_id.replace('/', '-')}.json"


def answers(model_id: str) -> dict[str, str]:
    """Every sentence, photo (by its name) or beginning with its best output of beam 5."""
    task = model_id.split("/")[0]
    given, model, settings = sentences(task), load(model_id), DecodeSettings(beam_size=5, candidates=1)
    if task == "language":
        traces = [model.decode(None, settings, model.prefix(beginning)) for beginning in given]
    else:
        traces = model.decode_batch([read_photo(PHOTOS / name) for name in given] if task == "captioning" else given, settings)
    return dict(zip(given, (trace.text() for trace in traces), strict=True))
