"""The tiny models of photos of tests/demo/models: they know two of the sample photos by heart, as the real image network reads them."""

from __future__ import annotations

from pathlib import Path

import torch
from torch.nn.functional import cross_entropy

from demo.given.photos import FOLDER
from seq2seq_core.config import ModelConfig
from seq2seq_core.inputs.photo import open_photo
from seq2seq_core.inputs.tokenizer import PAD, SubwordTokenizer
from seq2seq_core.inputs.vision import GridEncoder
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store.checkpoint import save, weights_of
from seq2seq_core.training.readers import Example, collate, collate_grids

CAPTIONS = {"cat": "a brown cat looks at the camera", "coffee": "a cup of coffee on a wooden table"}
ASKED = {  # the answer for each photo
    "What is this?": {"cat": "cat", "coffee": "cup"},
    "Is it red?": {"cat": "no", "coffee": "yes"},
    "Is it brown?": {"cat": "yes", "coffee": "yes"},
}
STEPS = 60


def _grids() -> torch.Tensor:
    encoder = GridEncoder()
    return torch.stack([encoder(open_photo((FOLDER / f"{name}.jpg").read_bytes()).image)[0] for name in CAPTIONS])


def make_askers(root: Path) -> None:
    """question/soft, and question-only, which sees no photo and so can only say what is usual."""
    grids = _grids().repeat(len(ASKED), 1, 1)
    rows = [(question, said) for question, answers in ASKED.items() for said in answers.values()]
    words = SubwordTokenizer.train([text for row in rows for text in row] * 3, 330, lower=True).with_wholes(said for _, said in rows)
    targets = [(*words.encode(question).ids, *words.encode_whole(said)) for question, said in rows]
    for variant, source, attention in (("soft", "image", "key-query"), ("question-only", "none", "none")):
        torch.manual_seed(1)
        sizes = {"source_vocab": grids.shape[2], "target_vocab": words.size, "embedding": 32, "hidden": 48}
        wiring = "input" if source == "image" else "output"
        options = {"bidirectional": False, "dropout": 0.0, "tie_output": False, "wiring": wiring}
        model = Seq2Seq(ModelConfig(task="question", source=source, attention=attention, **sizes, **options))
        _train(model, grids if source == "image" else torch.zeros(len(rows), 0), targets, 4 * STEPS)
        save(root / "question" / variant, model.config, weights_of(model), (None, words), {"name": f"question/{variant}"}, "int8")


def make_captioners(root: Path) -> None:
    """captioning/soft, hard and none; tiny_models.py makes them with the others."""
    grids = _grids()
    words = SubwordTokenizer.train(list(CAPTIONS.values()) * 3, 330)
    for variant, attention, steps in (("soft", "additive", STEPS), ("hard", "hard", 4), ("none", "none", 4)):
        torch.manual_seed(1)
        sizes = {"source_vocab": grids.shape[2], "target_vocab": words.size, "embedding": 32, "hidden": 48}
        options = {"bidirectional": False, "dropout": 0.0, "tie_output": False, "gate": True}
        model = Seq2Seq(ModelConfig(task="captioning", source="image", attention=attention, **sizes, **options))
        _train(model, grids, [words.encode(text).ids for text in CAPTIONS.values()], steps)
        save(root / "captioning" / variant, model.config, weights_of(model), (None, words), {"name": f"captioning/{variant}"}, "int8")


def _train(model: Seq2Seq, grids: torch.Tensor, targets: list[tuple[int, ...]], steps: int) -> None:
    batch = collate_grids(grids, targets) if grids.dim() == 3 else collate([Example((), target) for target in targets])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        memory = model.encode(batch.source, batch.lengths)
        logits = model.step(batch.target_in, model.start(memory), memory).logits
        loss = cross_entropy(logits.flatten(0, 1), batch.target_out.flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
