"""Search the sample photos for places that change an answer when they alone are looked at: the examples of the page Ask a photo.

Run it again when the model changes: SEQ2SEQ_MODELS=models .venv/bin/python tools/asking_cases.py
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from demo.blocks.eyes import steering_of  # noqa: E402
from demo.components.eye_painter.mount import Painted  # noqa: E402
from demo.edits import write_edits  # noqa: E402
from demo.given import assets, photos  # noqa: E402
from demo.labs.ask import TASK  # noqa: E402
from demo.labs.ask.cases import FILE, MODEL, Case, changed  # noqa: E402
from demo.labs.ask.view import chances  # noqa: E402
from demo.query import Asset  # noqa: E402
from seq2seq_core import DecodeSettings, Pipeline, load  # noqa: E402

QUESTIONS = (  # what a part of any photo answers: not yes or no, which a breath turns over
    "What color is it?", "What is this?", "What is in the picture?", "What animal is this?", "What is in the background?",
    "What is on the ground?", "What color is the background?", "What color is the animal?",
)  # fmt: skip
SIDE, STRIDE, CELLS = 4, 3, 10  # of a window, and of the grid
WANTED = 3
GREEDY = DecodeSettings(search="greedy")


def windows() -> Iterator[tuple[int, ...]]:
    for top, left in product(range(0, CELLS - SIDE + 1, STRIDE), repeat=2):
        yield tuple((top + y) * CELLS + left + x for y in range(SIDE) for x in range(SIDE))


def found(model: Pipeline, photo: str) -> Iterator[tuple[float, str, Case]]:
    """Every change, with the smaller of the two probabilities."""
    grid = model.look(assets.image(Asset("photo", photo)))
    for question in QUESTIONS:
        free = model.decode(grid, GREEDY, prompt=question)
        steered = [steering_of(Painted(look), free, CELLS * CELLS) for look in windows()]
        for one, trace in zip(
            steered, model.decode_batch([grid] * len(steered), GREEDY, steered, prompts=[question] * len(steered)), strict=True
        ):
            if changed(free, trace):
                sure = min(next(iter(chances(each).values())) for each in (free, trace))
                told = f"{photo}: {question} {free.hypotheses[0].answer} -> {trace.hypotheses[0].answer}"
                yield sure, told, Case(photo, question, write_edits(one))


def main() -> None:
    torch.set_num_threads(1)
    model = load(f"{TASK}/{MODEL}")
    ranked = sorted((one for sample in photos.SAMPLES for one in found(model, sample.name)), key=lambda one: -one[0])
    kept: list[Case] = []
    for sure, told, case in ranked:
        new = all(case.photo != other.photo and case.question != other.question for other in kept)
        print(f"{sure:.2f} {told}{' *' if new and len(kept) < WANTED else ''}")
        if new and len(kept) < WANTED:
            kept.append(case)
    cases = [{"photo": case.photo, "question": case.question, "edits": case.edits} for case in kept]
    FILE.write_text(json.dumps(cases, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
