"""What each command of `python -m seq2seq_core` does; __main__.py says what may be asked for."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.store.checkpoint import CARD, write_atomically
from seq2seq_core.store.ship import ship as ship_model
from seq2seq_core.store.ship import write_card
from seq2seq_core.store.zoo import ModelInfo, find, list_models, load
from seq2seq_core.training.readers import read_captions, read_lexicon, read_lines, read_pairs
from seq2seq_core.training.sentence_scores import keep

if TYPE_CHECKING:
    from seq2seq_core.pipeline import Pipeline
    from seq2seq_core.training.captions import Captioned

QUIET_SECONDS = 2.0  # what is done sooner needs no progress bar


def settings_from(arguments: Namespace, hypotheses: int | None = None, candidates: int = 10) -> DecodeSettings:
    return DecodeSettings(
        search=arguments.search,
        beam_size=arguments.beam_size,
        length_penalty=arguments.length_penalty,
        max_length=arguments.max_length,
        seed=getattr(arguments, "seed", 0),
        hypotheses=hypotheses,
        candidates=candidates,
    )


def show(values: Any) -> None:
    print(json.dumps(values, ensure_ascii=False))


def progress(total: int, unit: str, start: int = 0) -> tqdm[Any]:
    return tqdm(
        total=total,
        initial=start,
        unit=f" {unit}",
        delay=QUIET_SECONDS,
        mininterval=0.2 if sys.stderr.isatty() else 30,
        file=sys.stderr,
        dynamic_ncols=True,
        leave=False,
    )


def models(arguments: Namespace) -> None:
    found = list_models()
    if arguments.json:
        show({"models": [_summary(info) for info in found]})
        return
    if not found:
        print("No models are installed.")
    for info in found:
        scores = [f"{name}: {_headline(values)}" for name, values in info.card.get("scores", {}).items()]
        print(f"{info.id:32} {info.card.get('parameters', 0) / 1e6:5.2f} M   {'; '.join(scores)}")


def _summary(info: ModelInfo) -> dict[str, Any]:
    card = info.card
    return {
        "id": info.id,
        "task": info.task,
        "variant": info.variant,
        "attention": info.attention,
        "cell": card["config"]["cell"],
        "parameters": card.get("parameters"),
        "scores": card.get("scores", {}),
    }


def _headline(values: dict[str, Any]) -> str:
    for name, label in (("bleu", "BLEU"), ("exact", "exact %"), ("bleu4", "BLEU-4"), ("perplexity", "perplexity")):
        if name in values:
            return f"{label} {values[name]:.1f}"
    return ""


def decode(arguments: Namespace) -> None:
    from seq2seq_core.pipeline import read_photo

    settings = settings_from(arguments)
    pipeline = load(arguments.model)
    source = read_photo(arguments.image) if arguments.image else arguments.text
    trace = pipeline.decode(source, settings, pipeline.prefix(arguments.prefix))
    if arguments.json:
        show({**trace.to_dict(), "text": trace.text()})
        return
    for hypothesis in trace.hypotheses:
        print(f"{hypothesis.score:8.3f}  {hypothesis.text}")


def evaluate(arguments: Namespace) -> None:
    from seq2seq_core.training import evaluation

    if arguments.limit is not None and arguments.limit < 1:
        raise InputError(f"--limit is {arguments.limit}; it must be at least 1.")
    pipeline = load(arguments.model)
    if arguments.recipe:
        _evaluate_recipe(pipeline, arguments)
        return
    settings = settings_from(arguments, hypotheses=5 if arguments.lexicon else None, candidates=1)
    if arguments.captions:
        if arguments.images is None:
            raise InputError("--captions needs --images, the folder with the photos.")
        captioned = _captions(arguments)
        with progress(len(captioned.photos), "photos") as bar:
            photos = evaluation.Photos(pipeline, captioned, arguments.cache)
            scores = evaluation.evaluate_captions(pipeline, photos, captioned.captions, settings, bar.update)
    elif arguments.lexicon:
        rows = read_lexicon(arguments.lexicon)[: arguments.limit]
        with progress(len({roman for roman, _, _ in rows}), "words") as bar:
            scores = evaluation.evaluate_lexicon(pipeline, rows, settings, bar.update)
    elif arguments.lines:
        lines = [line for line in read_lines(arguments.lines) if line.strip()][: arguments.limit]
        with progress(len(lines), "lines") as bar:
            scores = evaluation.evaluate_lines(pipeline, lines, bar.update)
    else:
        pairs = read_pairs(arguments.pairs)[: arguments.limit]
        with progress(len(pairs), "sentences") as bar:
            scores = evaluation.evaluate_pairs(pipeline, pairs, settings, bar.update)
    if arguments.record:
        record(find(arguments.model), arguments.record, scores, settings)
    _report(scores, arguments.json)


def _evaluate_recipe(pipeline: Pipeline, arguments: Namespace) -> None:
    from seq2seq_core.training.evaluation import evaluate_entry
    from seq2seq_core.training.recipe import read_recipe

    if arguments.data is None:
        raise InputError("--recipe needs --data, the folder of the data.")
    everything = {}
    for entry in read_recipe(arguments.recipe).dev_data:
        settings = settings_from(arguments, hypotheses=5 if entry.lexicon else None, candidates=1)
        scores = evaluate_entry(pipeline, entry, arguments.data, settings, arguments.cache)
        record(find(arguments.model), entry.title, scores, settings)
        everything[entry.title] = scores
    if arguments.json:
        show({title: _told(scores) for title, scores in everything.items()})
        return
    for title, scores in everything.items():
        print(title)
        _report(scores, as_json=False)


def _captions(arguments: Namespace) -> Captioned:
    from seq2seq_core.training.captions import Captioned

    split = arguments.split
    if split is None:
        splits = {line.split("\t", 1)[0] for line in read_lines(arguments.captions)[1:]}
        split = "dev" if "dev" in splits else None
    found = list(read_captions(arguments.captions, split).items())[: arguments.limit]
    return Captioned(tuple(arguments.images / name for name, _ in found), tuple(tuple(texts) for _, texts in found))


def record(folder: Path, name: str, scores: dict[str, Any], settings: DecodeSettings) -> None:
    """Write scores into model.json, where nothing else changes, and what each sentence adds to them beside it."""
    from seq2seq_core.training.evaluation import SENTENCES

    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    kept = {key: value for key, value in scores.items() if key not in ("model", "seconds")}
    if "perplexity" not in kept:  # where nothing is searched for, a search has no part in the score
        kept |= {"search": settings.search, "beam_size": settings.beam_size, "length_penalty": settings.length_penalty}
    each = kept.pop(SENTENCES, None)
    card["scores"] = {**card.get("scores", {}), name: kept}
    write_atomically(folder / CARD, (json.dumps(card, ensure_ascii=False, indent=2) + "\n").encode())
    if each is not None:
        keep(folder, name, each)
    if (folder / "card.md").exists():
        write_card(folder)


def _told(scores: dict[str, Any]) -> dict[str, Any]:
    """What is printed: everything but the statistics of each sentence."""
    from seq2seq_core.training.evaluation import SENTENCES

    return {name: value for name, value in scores.items() if name != SENTENCES}


def _report(scores: dict[str, Any], as_json: bool) -> None:
    if as_json:
        show(_told(scores))
        return
    for name, value in _told(scores).items():
        if name == "buckets":
            for row in value:
                score = next(key for key in row if key not in ("from", "to", "n", "low", "high"))
                print(f"  length {row['from']:>2} to {row['to']:>2}  n {row['n']:>5}  {score} {row[score]} [{row['low']}, {row['high']}]")
        else:
            print(f"{name:10} {value}")


def train(arguments: Namespace) -> None:
    from seq2seq_core.training.loop import EpochEvent, StepEvent, WatchEvent
    from seq2seq_core.training.runner import run

    if arguments.threads < 1:
        raise InputError(f"--threads is {arguments.threads}; it must be at least 1.")
    bar: tqdm[Any] | None = None
    first = os.environ.get("RANK", "0") == "0"  # under torchrun one process speaks for all
    photos = tqdm(unit=" photos", desc="Encoding", delay=QUIET_SECONDS, file=sys.stderr, leave=False, disable=not first)
    where = arguments.config, arguments.data, arguments.out
    for event in run(*where, arguments.resume, arguments.threads, arguments.cache, photos.update, arguments.seed):
        photos.close()
        if not first:
            continue
        if isinstance(event, StepEvent):
            bar = bar or progress(event.steps, "steps", event.step - 1)
            bar.update(1)
            bar.set_postfix_str(f"loss {event.loss:.3f}, {event.tokens_per_s:,.0f} tokens/s", refresh=False)
        elif isinstance(event, EpochEvent):
            scores = ", ".join(f"{name} {value:.4g}" for name, value in event.dev.items())
            tqdm.write(f"epoch {event.epoch} of {event.epochs}: dev {scores} after {event.seconds:,.0f} s", file=sys.stderr)
        elif isinstance(event, WatchEvent):
            tqdm.write(f"  {event.trace.source.text} -> {event.trace.text()}", file=sys.stderr)
        else:
            tqdm.write(f"Trained in {event.seconds:,.0f} s: {arguments.out}", file=sys.stderr)
    if bar is not None:
        bar.close()


def ship(arguments: Namespace) -> None:
    size = ship_model(find(arguments.model), arguments.out, arguments.storage, [find(other) for other in arguments.seeds])
    print(f"{arguments.out}: {size / 1e6:.1f} MB")


def bench(arguments: Namespace) -> None:
    if arguments.tasks:
        from seq2seq_core.bench_training import measure_tasks

        for found in measure_tasks(arguments.tasks, arguments.attentions, arguments.cells, arguments.limit):
            print(json.dumps(found) if arguments.json else "  ".join(f"{name} {value}" for name, value in found.items()), flush=True)
        return
    from seq2seq_core.bench import measure

    figures = measure(arguments.threads)
    if arguments.json:
        show(figures)
        return
    for name, value in figures.items():
        print(f"{name:44} {value:,.2f}" if isinstance(value, float) else f"{name:44} {value}")
