"""A person's own input through the moments of a training: the output and the attention as the model was after each."""

from __future__ import annotations

import base64
import copy
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from demo import resources
from seq2seq_core.toys.messages import MODEL_FOLDER

if TYPE_CHECKING:
    from PIL.Image import Image

    from seq2seq_core.pipeline import Pipeline
    from seq2seq_core.store.checkpoint import Checkpoint
    from seq2seq_core.trace.trace import DecodeTrace

TEXTS_KEPT = 3
SHOWN_MOMENTS = 60  # of a finished run, evenly spread
BEYOND = 3  # how much longer than the right answer an output may become on the page
OWN_TEXT, SAMPLED, WARMTH = "own text", 180, 0.7  # of a text, how much is drawn at each moment, and at which temperature
Frame = dict[str, Any]


@dataclass(slots=True)
class Film:
    """The moments of one model, decoded as they are asked for. Shared by nobody: it belongs to a run."""

    folder: Path  # with model/ and moments/
    toy: str
    _base: Checkpoint | None = None
    _reader: Pipeline | None = None
    _frames: dict[str, dict[int, Frame]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def base(self) -> Checkpoint:
        """The model folder as it was first written: its config and tokenizers; the weights come from the moments."""
        from seq2seq_core.store import checkpoint

        if self._base is None:
            resources.prepare()
            self._base = checkpoint.load(self.folder / MODEL_FOLDER)
        return self._base

    def reader(self) -> Pipeline:
        """Reads inputs as the model does at every moment."""
        if self._reader is None:
            self._reader = self._ready(replace(self.base(), model=copy.deepcopy(self.base().model)))
        return self._reader

    def pipeline_at(self, step: int) -> Pipeline:
        from seq2seq_core.store import moments

        return self._ready(moments.at(self.base(), self.folder / moments.FOLDER / moments.file_name(step)))

    def _ready(self, model: Checkpoint) -> Pipeline:
        from seq2seq_core.store.zoo import ready
        from seq2seq_core.toys.scenes import SceneEncoder

        return ready(model, f"toy/{self.toy}", SceneEncoder())

    def trace_at(self, step: int, text: str) -> DecodeTrace:
        """The greedy output, cut off a little beyond the length of the right answer, so that the picture keeps its size."""
        from seq2seq_core.config import DecodeSettings

        pipeline = self.pipeline_at(step)
        if self.toy == OWN_TEXT:  # the same draw at every moment
            with resources.my_turn():
                return pipeline.decode(None, DecodeSettings("sample", temperature=WARMTH, max_length=SAMPLED, candidates=1), prompt=text)
        right = answer(self.toy, text)
        limit = len(pipeline.target_tokenizer.encode(right).ids) + 1 + BEYOND if right else None
        with resources.my_turn():
            return pipeline.decode(given(self.toy, text), DecodeSettings(search="greedy", candidates=4, max_length=limit))

    def knows(self, step: int, text: str) -> bool:
        return step in self._frames.get(text, {})

    def frame(self, step: int, text: str) -> Frame:
        with self._lock:
            known = self._frames.setdefault(text, {})
            while len(self._frames) > TEXTS_KEPT:
                self._frames.pop(next(name for name in self._frames if name != text))
        if step not in known:
            known[step] = frame_of(step, self.trace_at(step, text))
        return known[step]


def spread(steps: list[int], most: int = SHOWN_MOMENTS) -> list[int]:
    """At most so many of the steps, the first and the last among them."""
    if len(steps) <= most:
        return steps
    return [steps[round(place * (len(steps) - 1) / (most - 1))] for place in range(most)]


def frame_of(step: int, trace: DecodeTrace) -> Frame:
    """One moment for the browser: weights as one byte each, row by row."""
    weights = np.asarray(trace.attention(), dtype=np.float32)
    levels = np.clip(np.rint(weights * 255), 0, 255).astype(np.uint8)
    return {
        "step": step,
        "tokens": list(trace.tokens()),
        "text": trace.text(),
        "rows": len(weights),
        "columns": weights.shape[1],
        "map": base64.b64encode(levels.tobytes()).decode(),
    }


def picture(text: str) -> Image:
    """The scene that a sentence describes."""
    from seq2seq_core.toys.scenes import render, scene_of

    return render(scene_of(text))


def given(toy: str, text: str) -> str | Image:
    return picture(text) if toy == "shapes" else text


def answer(toy: str, text: str) -> str | None:
    """The right output, where a person's input belongs to the task."""
    from seq2seq_core.toys.tasks import TOYS

    return TOYS[toy].answer(text) if toy in TOYS else None
