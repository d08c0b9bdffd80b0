"""The tiny models of stories: they know the app's own examples by heart. To make them anew: python -m tests.demo.labs.story.tiny"""

from __future__ import annotations

from pathlib import Path

import torch

from demo.examples import STORIES
from seq2seq_core.config import ModelConfig
from seq2seq_core.inputs.words import WordTokenizer
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store.checkpoint import save, weights_of
from seq2seq_core.tasks import TASKS
from seq2seq_core.training.objective import Objective
from seq2seq_core.training.readers import Example, collate

MODELS = Path(__file__).parent / "models"
PAUSE = TASKS["story"].pause
ANSWERS = ("kitchen", "office", "apple", "one", "maybe", "white", "n,e")  # to the examples, in their order
STEPS = 450
SCORES = {  # of no data: only what a page makes of them is looked at
    "held-back stories": {
        "n": 4, "accuracy": 75.0, "kinds": {"qa1_single-supporting-fact": 100.0, "qa19_path-finding": 50.0},
        "looked": 60.0, "looked_kinds": {"qa1_single-supporting-fact": 80.0, "qa19_path-finding": 40.0},
    }
}  # fmt: skip


def make_models(root: Path) -> None:
    """story/additive and story/none."""
    words = WordTokenizer.train(text for one, said in zip(STORIES, ANSWERS, strict=True) for text in (one.given, one.text + PAUSE, said))
    examples = []
    for one, said in zip(STORIES, ANSWERS, strict=True):
        question = words.encode(one.text + PAUSE).ids
        told = tuple(place - 1 for place in one.facts)
        examples.append(Example(words.encode(one.given).ids, (*question, *words.encode(said).ids), len(question), told))
    batch = collate(examples)
    for attention, wiring in (("additive", "input"), ("none", "output")):
        torch.manual_seed(1)
        sizes = {"source_vocab": words.size, "target_vocab": words.size, "embedding": 24, "hidden": 32, "encoder_layers": 1}
        options = {"sentences": True, "share_embeddings": True, "tie_output": False, "dropout": 0.0, "label_smoothing": 0.0}
        model = Seq2Seq(ModelConfig(task="story", attention=attention, wiring=wiring, **sizes, **options))
        objective = Objective(model, looking=1.0).train()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.004)
        for _ in range(STEPS):
            loss = objective(batch).total
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        card = {"name": f"story/{attention}", "data": {"language": "English", "trained_on": "stories of our own"}, "scores": SCORES}
        save(root / "story" / attention, model.config, weights_of(model), (words, words), card, "int8")


if __name__ == "__main__":
    make_models(MODELS)
