"""The sentences written for the test of the shipped models, the sample photos, and what a model answers to them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.photo import read_photo
from seq2seq_core.store.zoo import load
from seq2seq_core.tasks import TASKS, task_of

FOLDER = Path(__file__).parent / "shipped"
PHOTOS = Path(__file__).resolve().parents[2] / "demo" / "examples" / "photos"


def sentences(task: str) -> list[str]:
    return (FOLDER / f"{task}.txt").read_text(encoding="utf-8").splitlines()


def answers_file(model_id: str) -> Path:
    return FOLDER / f"{model_id.replace('/', '-')}.json"


@dataclass(frozen=True, slots=True)
class Said:
    """An output, and its score: log-probability / length ^ 0.7, in nats."""

    text: str
    score: float


def answers(model_id: str, given: Sequence[str] = ()) -> dict[str, Said]:
    """Every sentence, photo (by its name), beginning, or pair of texts, or those given, with its best output of beam 5."""
    task = task_of(model_id)
    given, model, settings = given or sentences(task), load(model_id), DecodeSettings(beam_size=5, candidates=1)
    if task == "language":
        settings = replace(settings, max_length=60)  # of characters too: the longer an output, the more near ties it has
        traces = [model.decode(None, settings, model.prefix(beginning)) for beginning in given]
    elif task in ("entailment", "story"):
        settings = replace(settings, length_penalty=TASKS[task].normalised)
        pairs = [one.split("\t") for one in given]
        read = [premise if model.model.reads else () for premise, _ in pairs]
        traces = model.decode_batch(read, settings, prompts=[hypothesis for _, hypothesis in pairs])
    else:
        read = [read_photo(PHOTOS / name) for name in given] if task == "captioning" else given
        traces = model.decode_batch(read if model.model.reads else [()] * len(given), settings)
    return {one: Said(trace.text(), trace.hypotheses[0].score) for one, trace in zip(given, traces, strict=True)}


def store(model_id: str, found: Mapping[str, Said]) -> None:
    """One line an answer."""
    lines = (f" {_json(one)}: {_json([said.text, round(said.score, 2)])}" for one, said in found.items())
    answers_file(model_id).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def stored(model_id: str) -> dict[str, Said]:
    content = json.loads(answers_file(model_id).read_text(encoding="utf-8"))
    return {one: Said(*said) for one, said in content.items()}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
