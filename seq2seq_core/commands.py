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
from seq2seq_core.tasks import TASKS, headline, slots_of
from seq2seq_core.training.readers import Row, read_captions, read_lexicon, read_lines, read_pairs, read_rows, rows_of
from seq2seq_core.training.sentence_scores import keep

if TYPE_CHECKING:
    from seq2seq_core.pipeline import Pipeline
    from seq2seq_core.training.pieces import Over

QUIET_SECONDS = 2.0  # what is done sooner needs no progress bar
OPTIONS = {"text": "--text", "photo": "--image", "sound": "--sound", "clip": "--clip"}  # of `decode`, by the kind of what is read
# Files in other forms than `--data`: the option, what a task reads and by which metric it is scored that takes such a file.
FORMS: tuple[tuple[str, list[str], set[str]], ...] = (
    ("pairs", ["text"], {"translation", "lower-cased", "words"}),
    ("lexicon", ["text"], {"words"}),
    ("captions", ["photo"], {"captions"}),
    ("lines", [], {"perplexity"}),
)


def settings_from(arguments: Namespace, task: str) -> DecodeSettings:
    return DecodeSettings(
        search=arguments.search,
        beam_size=arguments.beam_size,
        length_penalty=TASKS[task].normalised if arguments.length_penalty is None else arguments.length_penalty,
        max_length=arguments.max_length,
        prior=arguments.prior,
        seed=getattr(arguments, "seed", 0),
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
        scores = [f"{name}: {_headline(info.task, values)}" for name, values in info.card.get("scores", {}).items()]
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


def _headline(task: str, values: dict[str, Any]) -> str:
    found = headline(task, values)
    return f"{found[0].name} {found[1]:.1f}" if found else ""


def decode(arguments: Namespace) -> None:
    pipeline = load(arguments.model)
    settings = settings_from(arguments, pipeline.task)
    trace = pipeline.decode(_given(pipeline, arguments), settings, pipeline.prefix(arguments.prefix), arguments.prompt)
    if arguments.json:
        show({**trace.to_dict(), "text": trace.text()})
        return
    for hypothesis in trace.hypotheses:
        print(f"{hypothesis.score:8.3f}  {hypothesis.text}")


def _given(pipeline: Pipeline, arguments: Namespace) -> Any:
    """What the task reads, from the option for its kind."""
    from seq2seq_core.inputs.animation import read_clip
    from seq2seq_core.inputs.clip import SHAPES
    from seq2seq_core.inputs.photo import read_photo
    from seq2seq_core.inputs.recording import read_recording

    options = {"text": arguments.text, "photo": arguments.image, "sound": arguments.sound, "clip": arguments.clip}
    reads = slots_of(pipeline.task, pipeline.model.reads)
    kinds = [slot.kind for slot in reads]
    for kind, value in options.items():
        if (value is None) == (kind in kinds):
            wanted = " and ".join(f"a {slot.name}: give it with {OPTIONS[slot.kind]}" for slot in reads)
            raise InputError(f"{pipeline.model_id} reads {wanted or 'no source'}; see `python -m seq2seq_core decode --help`.")
    if arguments.clip:
        return read_clip(arguments.clip, *SHAPES.get(pipeline.task, ()))
    if arguments.image:
        return read_photo(arguments.image)
    return read_recording(arguments.sound) if arguments.sound else arguments.text


def evaluate(arguments: Namespace) -> None:
    from seq2seq_core.training.evaluation import evaluate_rows

    if arguments.limit is not None and arguments.limit < 1:
        raise InputError(f"--limit is {arguments.limit}; it must be at least 1.")
    pipeline = load(arguments.model)
    against = load(arguments.against) if arguments.against else None
    if against and (against.task != pipeline.task or against.task == "language"):
        raise InputError(f"{against.model_id} cannot be compared with {pipeline.model_id}; --against names another model of its task.")
    settings = settings_from(arguments, pipeline.task)
    over = _elsewhere(arguments.model) if arguments.engine == "ray" else None
    if arguments.recipe:
        _evaluate_recipe(pipeline, arguments, settings, over)
        return
    if bool(arguments.data) == any(getattr(arguments, option) for option, _, _ in FORMS):
        raise InputError("Give one file to evaluate: --data FILE, or one of " + ", ".join(f"--{option}" for option, _, _ in FORMS) + ".")
    rows, metric, files = _rows(pipeline, arguments)
    reads = TASKS[pipeline.task].reads
    with progress(len(rows), f"{reads[0].name}s" if reads else "lines") as bar:
        scores = evaluate_rows(
            pipeline, rows, settings, bar.update, metric=metric, files=files, cache=arguments.cache, against=against, over=over
        )
    if arguments.record:
        record(find(arguments.model), arguments.record, scores, settings)
    _report(scores, arguments.json)


def _elsewhere(model: str) -> Over:
    """On all cores of a cluster. The model travels, so it need not be there."""
    from seq2seq_core.machines import spread

    folder = find(model)
    return spread(folder, f"{folder.parent.name}/{folder.name}")


def _rows(pipeline: Pipeline, arguments: Namespace) -> tuple[list[Row], str | None, Path | None]:
    """The rows to evaluate, how they are scored (None: as the task is), and the folder of the files they name."""
    task = TASKS[pipeline.task]
    if arguments.data:
        return read_rows(arguments.data, task)[: arguments.limit], None, arguments.files
    option, reads, metrics = next(form for form in FORMS if getattr(arguments, form[0]))
    if [slot.kind for slot in task.reads] != reads or task.metric not in metrics:
        fit = [each.name for each in TASKS.values() if [slot.kind for slot in each.reads] == reads and each.metric in metrics]
        raise InputError(f"{pipeline.model_id} is a {task.name} model; --{option} is for {' and '.join(fit)} models.")
    if option == "captions":
        return _captions(arguments), None, arguments.images
    if option == "lexicon":
        return rows_of([(roman, native) for roman, native, _ in read_lexicon(arguments.lexicon)[: arguments.limit]], task), None, None
    if option == "lines":
        lines = [line for line in read_lines(arguments.lines) if line.strip()][: arguments.limit]
        return [Row((), "", (line,)) for line in lines], None, None
    pairs = read_pairs(arguments.pairs)[: arguments.limit]
    return [Row((source,), "", (target,)) for source, target in pairs], task.metric if task.metric != "words" else "translation", None


def _evaluate_recipe(pipeline: Pipeline, arguments: Namespace, settings: DecodeSettings, over: Over | None) -> None:
    from seq2seq_core.training.evaluation import evaluate_entry
    from seq2seq_core.training.recipe import read_recipe

    if arguments.data is None:
        raise InputError("--recipe needs --data, the folder of the data.")
    everything = {}
    for entry in read_recipe(arguments.recipe).dev_data:
        scores = evaluate_entry(pipeline, entry, arguments.data, settings, arguments.cache, over)
        record(find(arguments.model), entry.title, scores, settings)
        everything[entry.title] = scores
    if arguments.json:
        show({title: _told(scores) for title, scores in everything.items()})
        return
    for title, scores in everything.items():
        print(title)
        _report(scores, as_json=False)


def _captions(arguments: Namespace) -> list[Row]:
    if arguments.images is None:
        raise InputError("--captions needs --images, the folder with the photos.")
    split = arguments.split
    if split is None:
        splits = {line.split("\t", 1)[0] for line in read_lines(arguments.captions)[1:]}
        split = "dev" if "dev" in splits else None
    found = list(read_captions(arguments.captions, split).items())[: arguments.limit]
    return [Row((name,), "", tuple(texts)) for name, texts in found]


def record(folder: Path, name: str, scores: dict[str, Any], settings: DecodeSettings) -> None:
    """Write scores into model.json, where nothing else changes, and what each sentence adds to them beside it."""
    from seq2seq_core.training.evaluation import SENTENCES
    from seq2seq_core.training.intervals import LESS

    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    kept = {key: value for key, value in scores.items() if key not in ("model", "seconds", LESS)}
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
            tqdm.write(f"  {event.trace.given_text} -> {event.trace.text()}", file=sys.stderr)
        else:
            tqdm.write(f"Trained in {event.seconds:,.0f} s: {arguments.out}", file=sys.stderr)
    if bar is not None:
        bar.close()


def queue(arguments: Namespace) -> None:
    from seq2seq_core.machines import queue as trained

    left = len(arguments.configs)
    for one in trained(arguments.configs, arguments.data, arguments.out, arguments.threads):
        left -= 1
        said = one.problem or f"trained in {one.seconds:,.0f} s: {arguments.out / one.config.stem}"
        print(f"{one.config.stem}: {said}; {left} left", file=sys.stderr, flush=True)


def ship(arguments: Namespace) -> None:
    size = ship_model(find(arguments.model), arguments.out, arguments.storage, [find(other) for other in arguments.seeds])
    print(f"{arguments.out}: {size / 1e6:.1f} MB")


def bench(arguments: Namespace) -> None:
    if arguments.tasks:
        from seq2seq_core.bench import measure_tasks

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
