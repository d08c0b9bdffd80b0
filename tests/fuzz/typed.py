"""What is typed, made worse: texts of all alphabets, and each model that they are given to."""

from __future__ import annotations

import random
from copy import copy
from dataclasses import replace
from functools import cache
from pathlib import Path

import torch

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.tasks import TASKS
from tests.core.tiny import LETTERS, tiny_model

MODELS = Path(__file__).parents[2] / "tests/demo/models"
ALPHABETS = (
    "abc xyz",
    "äöüß éñ",
    "मैंघर நான் আমি",
    "🙂👩\u200d👧🇩🇪",
    "\u202e\u200b\ufeff\u2028\u0301\u0000\x07\x1b",
    "\ud83d\udc00",
    "<script>&quot;'\"{{}}$\\",
    "%\n\r\t\0",
    "𝔘𝔫𝔦ﷺ㍿",
)
Draw = random.Random


def text(draw: Draw) -> str:
    """Of one alphabet or of all, from nothing to too much."""
    letters = draw.choice((*ALPHABETS, "".join(ALPHABETS)))
    return "".join(draw.choices(letters, k=draw.choice((0, 1, 3, 12, 12, 40, 40, 150, 2100))))


@cache
def model(name: str) -> Pipeline:
    return Pipeline.load(MODELS / name)


@cache
def posing(task: str) -> Pipeline:
    """A model of a task with the weights of another: what is answered is not the question here."""
    if task == "summary":
        return Pipeline("summary/copy", tiny_model(3, task=task, share_embeddings=True, copying=True), LETTERS, LETTERS)
    made = model("translation/additive")
    network = copy(made.model)
    network.config = replace(made.model.config, task=task)
    return Pipeline(f"{task}/additive", network, made.source_tokenizer, made.target_tokenizer)


@cache
def seen() -> Grid:
    """A photo, as a model of photos sees it."""
    return Grid(torch.randn(49, model("question/soft").model.config.source_vocab, generator=torch.Generator().manual_seed(0)), (7, 7))


def texts(draw: Draw) -> None:
    if draw.random() < 0.1:
        applied(draw)
        return
    name = draw.choice(("translation/additive", "translation/multi-head", "transliteration/additive", "language/gru"))
    settings = DecodeSettings(
        search=draw.choice(("greedy", "beam", "sample")), beam_size=draw.randint(1, 10), max_length=draw.randint(1, 12)
    )
    if name.startswith("language"):
        model(name).decode((), settings, prompt=text(draw))
    elif draw.random() < 0.2:
        model(name).score(text(draw), text(draw))
    else:
        model(name).decode(text(draw), settings, prompt=text(draw) if draw.random() < 0.1 else "")


def applied(draw: Draw) -> None:
    """What is typed on the pages of headlines, entailment, replies and questions."""
    settings = DecodeSettings(search=draw.choice(("greedy", "beam", "sample")), beam_size=draw.randint(1, 10), max_length=12)
    task = draw.choice(("summary", "entailment", "reply", "question"))
    if task == "question":
        answering, given = model("question/soft"), seen()
    else:
        answering, given = posing(task), text(draw)
    if task == "reply":
        given = draw.choice((" | ", "|", " <turn> ")).join([given, *(text(draw) for _ in range(draw.randrange(4)))])
    prompt = text(draw) if TASKS[task].prompt else ""
    if draw.random() < 0.2:
        answering.score(given, draw.choice((text(draw), "neutral")), prompt=prompt)
    else:
        answering.decode(given, settings, prompt=prompt)
