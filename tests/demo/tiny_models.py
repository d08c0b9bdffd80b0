"""The tiny models of tests/demo/models, for tests of pages: they know a few sentences of our own and little else.

They are stored, because a training of some seconds ends in other weights on another processor. To make them anew:
python -m tests.demo.tiny_models, then test_tiny_models.py says whether they are what the tests of pages need.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch.nn.functional import cross_entropy

from seq2seq_core.config import ModelConfig
from seq2seq_core.inputs.devanagari import Romaniser
from seq2seq_core.inputs.tokenizer import PAD, CharacterTokenizer, SubwordTokenizer, Tokenizer
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store.checkpoint import save, weights_of
from seq2seq_core.training.readers import Example, collate

MODELS = Path(__file__).parent / "models"
Pairs = Sequence[tuple[str, str]]
GERMAN: Pairs = (
    ("Das gefällt mir.", "I like it."),
    ("Das gefällt dir.", "You like it."),
    ("Ich habe ein Buch gelesen.", "I have read a book."),
    ("Ich habe eine Zeitung gelesen.", "I have read a newspaper."),
    ("Ein Hund läuft über die Wiese.", "A dog runs across the meadow."),
    ("Ein Kind läuft über die Wiese.", "A child is running across the meadow."),
    ("Zwei Kinder spielen am Strand.", "Two children play on the beach."),
    ("Eine Frau in einem roten Mantel liest im Park eine Zeitung.", "A woman in a red coat reads a newspaper in the park."),
)
HINDI: Pairs = (("namaste", "नमस्ते"), ("dosti", "दोस्ती"), ("kitab", "किताब"), ("dilli", "दिल्ली"), ("vidyarthi", "विद्यार्थी"))
TAMIL: Pairs = (("vanakkam", "வணக்கம்"), ("nandri", "நன்றி"))
# Hindi in Latin letters and English; they have a folder of their own, since with them Translate has a choice of languages.
HINDI_MODELS = Path(__file__).parent / "hindi_models"
HINDI_ENGLISH: Pairs = (
    ("main ghar ja raha hoon", "I am going home."),
    ("main ghar ja rahi hoon", "I am going home now."),
    ("vah ghar ja raha hai", "He is going home."),
    ("yah kitab achchhi hai", "This book is good."),
    ("vah kitab padh rahi hai", "She is reading a book."),
)
WORDS = {
    "है": "hai",
    "मैं": "main",
    "घर": "ghar",
    "जा": "ja",
    "रहा": "raha",
    "हूं": "hoon",
    "रही": "rahi",
    "वह": "vah",
    "किताब": "kitab",
    "यह": "yah",
}
DIFFERS = "Eine Frau läuft im Park."  # the greedy output is not the beam's
STEPS = 200


def make_models(root: Path) -> None:
    """translation/* and transliteration/*."""
    subwords = SubwordTokenizer.train([text for pair in GERMAN for text in pair], 400)
    for attention, steps in (("additive", STEPS), ("multi-head", 1), ("none", 1)):  # one is enough to say something sensible
        both = (subwords, subwords)
        _make(root / "translation" / attention, "translation", GERMAN, both, "German to English", steps, attention=attention)
    latin = CharacterTokenizer(list("abcdefghijklmnopqrstuvwxyz"))
    for name, pairs, language in (("additive", HINDI, "Hindi"), ("tamil", TAMIL, "Tamil")):
        native = CharacterTokenizer.train([text for _, text in pairs], "codepoint")
        _make(root / "transliteration" / name, "transliteration", pairs, (latin, native), language, STEPS // 3, attention="additive")


def make_hindi_models(root: Path) -> None:
    """translation/hindi-english and english-hindi, which do not know the Devanagari of every word."""
    both = (SubwordTokenizer.train([text for pair in HINDI_ENGLISH for text in pair], 360),) * 2
    turned = tuple((english, hindi) for hindi, english in HINDI_ENGLISH)
    for task, pairs, language in (("hindi-english", HINDI_ENGLISH, "Hindi to English"), ("english-hindi", turned, "English to Hindi")):
        _make(root / "translation" / task, task, pairs, both, language, STEPS, attention="additive")
        Romaniser(WORDS).save(root / "translation" / task)


def make_language_models(root: Path) -> None:
    """language/gru, rnn, lstm and prose: all are to say the English sentences, only gru has learnt them."""
    sentences = [("", english) for _, english in GERMAN]
    words = SubwordTokenizer.train([text for _, text in sentences], 330)  # few pieces, so that words have several
    for name, steps in (("gru", STEPS), ("rnn", 5), ("lstm", 5), ("prose", 1)):
        cell = "gru" if name == "prose" else name
        _make(root / "language" / name, "language", sentences, (None, words), "English", steps, source="none", attention="none", cell=cell)


def _make(
    folder: Path, task: str, pairs: Pairs, both: tuple[Tokenizer | None, Tokenizer], language: str, steps: int, **changes: Any
) -> None:
    torch.manual_seed(1)
    source, target = both
    sizes = {"hidden": 64, "embedding": 48, "encoder_layers": 1, "dropout": 0.0, "heads": 2}
    sizes["source_vocab"] = (source or target).size
    model = Seq2Seq(ModelConfig(task=task, target_vocab=target.size, **sizes, **changes))
    _train(model, [Example(source.encode(one).ids if source else (), target.encode(other).ids) for one, other in pairs], steps)
    card = {"name": f"{folder.parent.name}/{folder.name}", "data": {"language": language}}
    save(folder, model.config, weights_of(model), (source, target), card, "int8")


def _train(model: Seq2Seq, examples: list[Example], steps: int) -> None:
    batch = collate(examples)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        memory = model.encode(batch.source, batch.lengths) if batch.source.shape[1] else model.encode_nothing(len(batch.target_in))
        logits = model.step(batch.target_in, model.start(memory), memory).logits
        loss = cross_entropy(logits.flatten(0, 1), batch.target_out.flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


if __name__ == "__main__":
    from tests.demo.captioners import make_askers, make_captioners

    for make in (make_models, make_language_models, make_captioners, make_askers):
        make(MODELS)
    make_hindi_models(HINDI_MODELS)
