"""Runs a recipe: from data to a model folder, resumable, with a dev metric after each epoch."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

from seq2seq_core.config import DecodeSettings, ModelConfig
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import Tokenizer, load_pair, save_pair
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.store.checkpoint import CARD, TOKENIZER, Checkpoint, load, save, weights_of
from seq2seq_core.store.moments import FOLDER, Album
from seq2seq_core.store.zoo import find
from seq2seq_core.tasks import METRICS, TASKS
from seq2seq_core.trace.trace import DecodeTrace
from seq2seq_core.training.answers import kept, scored_alone
from seq2seq_core.training.captions import Advance, CaptionData
from seq2seq_core.training.clips import ClipData
from seq2seq_core.training.evaluation import decode_all, headline_of
from seq2seq_core.training.loop import STATE, FinishedEvent, StepEvent, Trainer, TrainEvent, keep_random_state
from seq2seq_core.training.pieces import here
from seq2seq_core.training.questions import QuestionData
from seq2seq_core.training.recipe import Dataset, Recipe, prepare, read_recipe
from seq2seq_core.training.self_critical import Critic
from seq2seq_core.training.spoken import SpokenData
from seq2seq_core.training.stories import StoryData

Data = Dataset | CaptionData | QuestionData | SpokenData | ClipData | StoryData


def run(
    config: Path,
    data: Path,
    out: Path,
    resume: bool = False,
    threads: int = 1,
    cache: Path | None = None,
    advance: Advance = lambda _: None,
    seed: int | None = None,
) -> Iterator[TrainEvent]:
    """Train what a recipe describes and write the model folder `out`; the same call with `resume` goes on.

    `cache`: where the grids of photos are kept, so that several trainings share them; by default beside `out`.
    `seed`: another than that of the recipe.
    """
    torch.set_num_threads(threads)
    recipe = read_recipe(config)
    if seed is not None:
        recipe = replace(recipe, train=replace(recipe.train, seed=seed))
    if (out / CARD).exists():
        raise InputError(f"{out} already holds a trained model; choose another --out or delete it.")
    if (out / STATE).exists() and not resume:
        raise InputError(f"{out} holds a training that was interrupted; add --resume to go on with it, or delete it.")
    with process_group():
        words = out if resume and (out / TOKENIZER).exists() else find(recipe.begin) if recipe.same_pieces else None
        earlier = load_pair(words / TOKENIZER) if words else None
        dataset, model = prepare(recipe, data, earlier, cache or out.parent / "grids", advance)
        yield from _train(recipe, dataset, model, out, resume)


@contextmanager
def process_group() -> Iterator[None]:
    """Join the other processes when started by torchrun; PyTorch's own engine on the gloo backend does the rest."""
    if int(os.environ.get("WORLD_SIZE", "1")) <= 1:
        yield
        return
    dist.init_process_group("gloo")
    try:
        yield
    finally:
        dist.destroy_process_group()


def _train(recipe: Recipe, dataset: Data, config: ModelConfig, out: Path, resume: bool) -> Iterator[TrainEvent]:
    tokenizers = dataset.source_tokenizer, dataset.target_tokenizer
    torch.manual_seed(recipe.train.seed)
    model = Seq2Seq(config)
    if recipe.begin:
        take_over(model, dataset.target_tokenizer, load(find(recipe.begin)))
    if recipe.frozen:
        for name, weight in model.named_parameters():
            weight.requires_grad_(not name.startswith(("encoder.", "decoder.attention.w_k.")))
    metric = METRICS[TASKS[config.task].metric]
    evaluate = None if metric.falls or isinstance(dataset, SpokenData) else DevMetric(recipe, dataset)
    watch = partial(_decode_watched, recipe, dataset) if recipe.watched else None
    critic = Critic.of(dataset, recipe.train.draws) if recipe.train.self_critical and isinstance(dataset, CaptionData) else None
    trainer = Trainer(model, dataset, recipe.train, out, evaluate, "loss" if metric.falls else metric.headline, watch, critic=critic)
    if trainer.rank == 0:
        out.mkdir(parents=True, exist_ok=True)
        save_pair(out / TOKENIZER, *tokenizers)
        if isinstance(dataset, Dataset) and dataset.romaniser:
            dataset.romaniser.save(out)
    if resume:
        trainer.resume()
    album = Album(out / FOLDER, recipe.train.moments) if recipe.train.moments and trainer.rank == 0 else None
    if album and trainer.progress.step == 0:
        album.add(0, weights_of(model), _known(trainer))
    for event in trainer.events():
        if album and isinstance(event, StepEvent) and album.wants(event.step, event.steps):
            album.add(event.step, weights_of(model), _known(trainer))
        if isinstance(event, FinishedEvent) and trainer.rank == 0:
            if album:
                album.add(trainer.progress.step, event.weights, _rounded(event.dev))
            save(out, config, event.weights, tokenizers, card(recipe, model, event), "float32")
            (out / STATE).unlink(missing_ok=True)
        yield event


@torch.no_grad()
def take_over(model: Seq2Seq, tokenizer: Tokenizer, known: Checkpoint) -> None:
    """Begin with what a trained model knows: every weight of the same name and shape, and the pieces that both vocabularies have."""
    theirs = weights_of(known.model)
    for name, weight in weights_of(model).items():
        if name in theirs and theirs[name].shape == weight.shape and not name.startswith(("decoder.embedding", "decoder.output")):
            weight.copy_(theirs[name])
    ours, other = model.decoder.embedding.weight, known.model.decoder.embedding.weight
    if ours.shape[1] == other.shape[1]:
        place = {known.target_tokenizer.token(index): index for index in range(len(other))}
        for index in range(len(ours)):
            if (found := place.get(tokenizer.token(index))) is not None:
                ours[index] = other[found]
                model.decoder.output.bias[index] = known.model.decoder.output.bias[found]


def _known(trainer: Trainer) -> dict[str, float]:
    """The dev scores of the model as it is in the middle of a training, which they do not change."""
    if trainer.evaluate is None:
        return {}
    with keep_random_state():
        return _rounded(trainer.evaluate(trainer.model.eval()))


def _rounded(scores: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in scores.items()}


def _decode_watched(recipe: Recipe, dataset: Data, model: Seq2Seq) -> DecodeTrace:
    pipeline = Pipeline(recipe.name, model, dataset.source_tokenizer, dataset.target_tokenizer)
    return pipeline.decode(recipe.watched, DecodeSettings(search="greedy"))


def card(recipe: Recipe, model: Seq2Seq, event: FinishedEvent) -> dict[str, Any]:
    """What model.json says; held-out scores are added by `evaluate --record`, never by hand."""
    return {
        "name": recipe.name,
        "parameters": model.parameter_count,
        "seed": recipe.train.seed,
        "epochs": event.epochs,
        **({"self_critical": recipe.train.self_critical} if recipe.train.self_critical else {}),  # the last so many of them
        "training_seconds": round(event.seconds),
        "training_dev": _rounded(event.dev),
        "data": dict(recipe.about),
        "scores": {},
    }


class DevMetric:
    """Greedy outputs for a part of the dev set, spread over all of it, scored as the task is."""

    def __init__(self, recipe: Recipe, dataset: Dataset | CaptionData | QuestionData | ClipData | StoryData) -> None:
        self.recipe = recipe
        self.dataset = dataset
        given: tuple[Sequence[Any], Sequence[Any], Sequence[str]] = dataset.dev_inputs(recipe.train.dev_limit)
        self.inputs, self.references, self.prompts = given

    def __call__(self, model: Seq2Seq) -> Mapping[str, float]:
        pipeline = Pipeline(self.recipe.name, model, self.dataset.source_tokenizer, self.dataset.target_tokenizer, {})
        settings = scored_alone(pipeline, DecodeSettings(search="greedy", candidates=1))
        outputs = decode_all(here(pipeline), self.inputs, settings, lambda _: None, lambda trace: kept(1, trace)[0][0], self.prompts)
        task = model.config.task
        return {METRICS[TASKS[task].metric].headline: headline_of(task, outputs, self.references)}
