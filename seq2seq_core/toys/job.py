"""A toy task with a model to learn it: the job as a person chose it, its data, and how well the model does on what it never saw."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import torch
from torch import Tensor

from seq2seq_core.config import Attention, Cell, ModelConfig, TrainSettings, Wiring, from_dict
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, PAD, CharacterTokenizer, SubwordTokenizer, Tokenizer
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.toys import scenes
from seq2seq_core.toys.messages import PAIRS_FILE
from seq2seq_core.toys.tasks import TOYS, Pair, draw, read_own, read_scene, split_own, toy_named, vocabulary_lines
from seq2seq_core.toys.texts import TextData, prepare_text
from seq2seq_core.training.readers import Batch, Example, collate, collate_grids

OWN, OWN_TEXT = "own pairs", "own text"
BATCH = 64  # an epoch is one batch of all lengths: batches of like lengths make such short trainings swing
TESTED = 120  # held-out pairs
OWN_STEPS, OWN_VOCABULARY, LONG_TARGET = 2000, 1500, 40
TEXT_STEPS = 800


Unit = Literal["characters", "words"]


@dataclass(frozen=True, slots=True)
class Job:
    """What to train; equal jobs give equal loss curves."""

    toy: str = "reverse"
    cell: Cell = "gru"
    attention: Attention = "additive"
    hidden: int = 64
    learning_rate: float = 0.01
    teacher_forcing: float = 1.0
    seed: int = 1
    steps: int = 0  # 0: as many as the task takes
    unit: Unit = "characters"  # of an own text
    wiring: Wiring | Literal[""] = ""  # where the context goes; empty: as the task has it

    def __post_init__(self) -> None:
        if self.toy not in (OWN, OWN_TEXT):
            toy_named(self.toy)
        if self.unit not in get_args(Unit):
            raise InputError(f"unit is {self.unit!r}; it must be one of {', '.join(get_args(Unit))}.")
        if not 0 <= self.steps <= 10_000:
            raise InputError(f"steps is {self.steps}; it must be between 0 and 10,000.")
        self.train_settings()  # both check their values
        self.model_config(4, 4)

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Job:
        return from_dict(cls, values)

    @property
    def total_steps(self) -> int:
        own = {OWN: OWN_STEPS, OWN_TEXT: TEXT_STEPS}
        return self.steps or own.get(self.toy) or TOYS[self.toy].steps

    def train_settings(self) -> TrainSettings:
        return TrainSettings(
            epochs=self.total_steps,
            batch_size=BATCH,
            learning_rate=self.learning_rate,
            warmup=0.1,
            weight_decay=0.0,
            seed=self.seed,
            teacher_forcing=self.teacher_forcing,
            precision="float32",  # the same curve on every machine
        )

    def model_config(self, source_vocab: int, target_vocab: int, words: bool = False) -> ModelConfig:
        if self.toy == OWN_TEXT:
            return self._language_config(target_vocab)
        toy = TOYS.get(self.toy)
        number_words = toy is not None and toy.unit == "words" and toy.source == "text"  # many words: a narrow embedding learns them late
        return ModelConfig(
            task=toy.task if toy else ("translation" if words else "transliteration"),
            source=toy.source if toy else "text",
            attention=self.attention,
            wiring=self.wiring or (toy.wiring if toy else "output"),
            cell=self.cell,
            source_vocab=source_vocab,
            target_vocab=target_vocab,
            embedding=self.hidden if number_words else max(8, self.hidden // 2),
            hidden=self.hidden,
            encoder_layers=1,
            heads=4,
            tie_output=False,  # learns several times as fast where the embedding is narrow
            dropout=0.0,
            label_smoothing=0.0,
        )

    def _language_config(self, vocab: int) -> ModelConfig:
        """A decoder alone, twice as wide: a text holds more than a task."""
        return ModelConfig(
            task="language", source="none", attention="none", cell=self.cell, source_vocab=1, target_vocab=vocab,
            embedding=self.hidden, hidden=2 * self.hidden, encoder_layers=1, tie_output=False, dropout=0.0, label_smoothing=0.0,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ToyData:
    """Examples of a job: new ones in every step for a generated task, a draw from a person's own pairs."""

    toy: str
    source_tokenizer: Tokenizer | None
    target_tokenizer: Tokenizer
    held_out: tuple[Pair, ...]
    own: tuple[Pair, ...] = ()

    def examples(self, seed: int) -> list[Example]:
        if self.toy != OWN:
            return self.encode(draw(TOYS[self.toy], BATCH, seed))
        places = torch.randint(len(self.own), (BATCH,), generator=torch.Generator().manual_seed(seed))
        return self.encode([self.own[place] for place in places.tolist()])

    def dev_examples(self) -> list[Example]:
        return []  # `HeldOut` judges, at its own pace

    def encode(self, pairs: Sequence[Pair]) -> list[Example]:
        targets = self.target_tokenizer.encode_many([target for _, target in pairs])
        if self.source_tokenizer is not None:
            sources = self.source_tokenizer.encode_many([source for source, _ in pairs])
        else:
            sources = [[number for thing in read_scene(source) for number in (thing.look, thing.cell)] for source, _ in pairs]
        return [Example(tuple(source), tuple(target)) for source, target in zip(sources, targets, strict=True)]

    def batch(self, examples: list[Example]) -> Batch:
        if self.source_tokenizer is not None:
            return collate(examples)
        found = [(scenes.Thing(*one.source[:2]), scenes.Thing(*one.source[2:])) for one in examples]
        return collate_grids(scenes.features(found), [one.target for one in examples])


def prepare_job(job: Job, folder: Path | None = None) -> tuple[ToyData | TextData, ModelConfig]:
    """The data and the model's config; what a person gave is read from the folder."""
    if job.toy != OWN_TEXT:
        return prepare(job, folder)
    if folder is None or not (folder / PAIRS_FILE).is_file():
        raise InputError("There is no text yet; paste some or upload a file.")
    text = prepare_text((folder / PAIRS_FILE).read_text(encoding="utf-8"), job.unit)
    return text, job.model_config(1, text.target_tokenizer.size)


def prepare(job: Job, folder: Path | None = None) -> tuple[ToyData, ModelConfig]:
    """The same of the tasks that have a source."""
    if job.toy == OWN:
        return _prepare_own(job, folder)
    toy = TOYS[job.toy]
    sources, targets = vocabulary_lines(toy)
    source = CharacterTokenizer.train(sources) if toy.source == "text" else None
    target: Tokenizer = CharacterTokenizer.train(targets) if toy.unit == "characters" else SubwordTokenizer.train(targets, OWN_VOCABULARY)
    data = ToyData(toy.name, source, target, tuple(draw(toy, TESTED, 0, held_out=True)))
    return data, job.model_config(source.size if source else scenes.CHANNELS, target.size)


def _prepare_own(job: Job, folder: Path | None) -> tuple[ToyData, ModelConfig]:
    if folder is None or not (folder / PAIRS_FILE).is_file():
        raise InputError("There are no pairs yet; paste some or upload a file.")
    train, held_out = split_own(read_own((folder / PAIRS_FILE).read_text(encoding="utf-8")))
    lines = [[pair[side] for pair in train] for side in (0, 1)]
    words = sum(map(len, lines[1])) / len(train) > LONG_TARGET
    make = (lambda texts: SubwordTokenizer.train(texts, OWN_VOCABULARY)) if words else CharacterTokenizer.train
    source, target = make(lines[0]), make(lines[1])
    return ToyData(OWN, source, target, tuple(held_out), tuple(train)), job.model_config(source.size, target.size, words)


@torch.inference_mode()
def greedy_tokens(model: Seq2Seq, batch: Batch, limit: int) -> Tensor:
    """The likeliest next token, so many times: [B, limit]. What stands after the end sign means nothing."""
    memory = model.encode(batch.source, batch.lengths)
    state = model.start(memory)
    token = torch.full((len(batch.lengths), 1), BOS)
    said = []
    for _ in range(limit):
        output = model.step(token, state, memory)
        token, state = output.logits.argmax(-1), output.state
        said.append(token)
    return torch.cat(said, 1)


class HeldOut:
    """The share of held-out pairs that a model gets right to the last token, over all and by source length."""

    def __init__(self, data: ToyData) -> None:
        examples = data.encode(data.held_out)
        order = sorted(range(len(examples)), key=lambda place: len(examples[place].target))
        self.batches = [data.batch([examples[place] for place in order[at : at + TESTED // 2]]) for at in range(0, len(order), TESTED // 2)]
        self.lengths = [len(data.held_out[place][0]) if data.source_tokenizer is not None else 0 for place in order]

    def right(self, model: Seq2Seq) -> list[bool]:
        model.eval()
        found: list[bool] = []
        for batch in self.batches:
            said = greedy_tokens(model, batch, batch.target_out.shape[1])
            found += ((said == batch.target_out) | (batch.target_out == PAD)).all(1).tolist()
        return found

    def score(self, model: Seq2Seq) -> tuple[float, list[tuple[int, int, int]]]:
        """Exact match, and for every source length (length, pairs, pairs right)."""
        right = self.right(model)
        by_length: dict[int, list[int]] = {}
        for length, good in zip(self.lengths, right, strict=True):
            counts = by_length.setdefault(length, [0, 0])
            counts[0] += 1
            counts[1] += good
        return sum(right) / len(right), [(length, *counts) for length, counts in sorted(by_length.items())]  # type: ignore[misc]
