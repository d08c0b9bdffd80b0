"""Speed and memory on this machine: decoding with the whole trace, beside the bare loop over its step.

The model is random but of the size of the shipped ones; the end sign is made impossible, so that every output runs to its limit.
"""

from __future__ import annotations

import gc
import io
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from PIL import Image
from torch import Tensor

from seq2seq_core.config import DecodeSettings, ModelConfig, TrainSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.photo import open_photo
from seq2seq_core.inputs.tokenizer import BOS, EOS, CharacterTokenizer
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.store.zoo import load
from seq2seq_core.toys.job import Job
from seq2seq_core.toys.live import Control, Live
from seq2seq_core.toys.messages import Scored
from seq2seq_core.trace.steering import RowEdit, Steering
from seq2seq_core.training.loop import Trainer
from seq2seq_core.training.readers import Example, TextBatches

VOCABULARY, SOURCE, STEPS = 5000, 16, 30
REPEATS = 7
CAPTIONER, UPLOADED, SMALL_PHOTO = "captioning/soft", (1200, 900), 280  # pixels
SECONDS = 2.0  # for each comparison, so that short works meet a quiet moment too
GOAL = 0.95  # of held-out pairs right to the last token: learnt
LONG = 12  # source characters: what counts as a long input
LIMIT_SECONDS = 60.0


def bench_config() -> ModelConfig:
    return ModelConfig(
        attention="additive",
        cell="gru",
        source_vocab=VOCABULARY,
        target_vocab=VOCABULARY,
        embedding=192,
        hidden=256,
        encoder_layers=1,
        dropout=0.0,
    )


def bench_pipeline() -> Pipeline:
    """A random model over single signs, so that a text of 16 signs is 16 source tokens."""
    torch.manual_seed(0)
    model = Seq2Seq(bench_config()).eval()
    with torch.no_grad():
        model.decoder.output.bias[EOS] = -1e4
    model.pack()
    signs = CharacterTokenizer([chr(0x4E00 + index) for index in range(VOCABULARY - 4)])
    return Pipeline("bench/additive", model, signs, signs, {"task": "translation"})


def texts(count: int) -> list[str]:
    generator = torch.Generator().manual_seed(1)
    return ["".join(chr(0x4E00 + int(sign)) for sign in torch.randint(0, 4000, (SOURCE,), generator=generator)) for _ in range(count)]


def best_seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """The shortest of several runs: what the machine can do when nothing disturbs it."""
    work()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


@torch.inference_mode()
def bare_loop(model: Seq2Seq, source: Tensor, lengths: Tensor, beam: int) -> Tensor:
    """The floor: the model's own step and the best of its tokens, with nothing searched for, recorded or steered."""
    batch = len(source)
    memory = model.encode(source, lengths).repeated(beam)
    state, tokens = model.start(memory), torch.full((batch * beam,), BOS)
    total = torch.zeros(batch, beam)
    for _ in range(STEPS):
        output = model.step(tokens[:, None], state, memory)
        best, ids = output.logits[:, 0].log_softmax(1).topk(beam)
        state = output.state
        if beam == 1:
            tokens = ids[:, 0]
            continue
        total, flat = (total.unsqueeze(2) + best.view(batch, beam, beam)).flatten(1).topk(beam)
        tokens = ids.view(batch, -1).gather(1, flat).flatten()
        state = state[(torch.arange(batch)[:, None] * beam + flat // beam).flatten()]
    return tokens


def decode_figures(pipeline: Pipeline) -> dict[str, float]:
    figures: dict[str, float] = {}
    for beam in (1, 5):
        for batch in (1, 32):
            settings = DecodeSettings(search="greedy" if beam == 1 else "beam", beam_size=beam, max_length=STEPS)
            inputs = texts(batch)
            ids = torch.tensor([[4 + ord(sign) - 0x4E00 for sign in text] for text in inputs])
            lengths = torch.full((batch,), SOURCE)
            traced, floor = alternate(
                partial(pipeline.decode_batch, inputs, settings), partial(bare_loop, pipeline.model, ids, lengths, beam)
            )
            name = f"{'greedy' if beam == 1 else 'beam5'}_batch{batch}"
            figures[f"{name}_tokens_per_s"] = batch * STEPS / traced
            figures[f"{name}_floor_tokens_per_s"] = batch * STEPS / floor
            figures[f"{name}_times_the_floor"] = traced / floor
    figures["beam5_sentence_ms"] = 1000 * STEPS / figures["beam5_batch1_tokens_per_s"]
    return figures


def alternate(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """The best seconds of two works, taken in turns, so that a change in the machine's load meets both."""
    pairs: list[tuple[float, float]] = []
    until = time.perf_counter() + SECONDS
    while len(pairs) < REPEATS or time.perf_counter() < until:
        pairs.append((best_seconds(one, 1), best_seconds(other, 1)))
    return min(first for first, _ in pairs), min(second for _, second in pairs)


class _Pairs(TextBatches):
    """Random pairs of the bench's size."""

    def examples(self, seed: int) -> list[Example]:
        ids = torch.randint(4, VOCABULARY, (64 * 40, SOURCE + STEPS - 1), generator=torch.Generator().manual_seed(seed)).tolist()
        return [Example(tuple(row[:SOURCE]), tuple(row[SOURCE:])) for row in ids]

    def dev_examples(self) -> list[Example]:
        return []


def train_figures() -> dict[str, float]:
    """Target tokens a second at batch 64; float32, and bfloat16 products where the processor has them."""
    figures = {}
    for precision in ("float32", "auto"):
        torch.manual_seed(0)
        trainer = Trainer(Seq2Seq(bench_config()), _Pairs(), TrainSettings(batch_size=64, precision=precision))
        events = trainer.events()
        figures[f"train_batch64_{precision}_tokens_per_s"] = 64 * STEPS / best_seconds(partial(next, events))
    return figures


def memory_figures(pipeline: Pipeline, decodes: int = 300) -> dict[str, float]:
    """Resident memory that decoding adds to a loaded model, and what is left of it after many decodes."""
    settings = DecodeSettings(search="beam", beam_size=5, max_length=STEPS)
    inputs = texts(20)
    gc.collect()
    before = resident_mb()
    pipeline.decode(inputs[0], settings)
    for text in inputs:
        pipeline.decode(text, settings)
    warm = resident_mb()
    for index in range(decodes):
        pipeline.decode(inputs[index % len(inputs)], settings)
    gc.collect()
    return {"decoding_adds_mb": warm - before, f"growth_over_{decodes}_decodes_mb": resident_mb() - warm}


def resident_mb() -> float:
    """0 where the system does not say: on Windows."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123  (a pseudo-file)
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:  # not Linux: the peak is the best there is
        if sys.platform == "win32":
            return 0.0
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def edit_figures(pipeline: Pipeline, edits: int = 40) -> dict[str, float]:
    """Moving the attention of one step of a sentence that has been read: beam 5 goes on from there."""
    settings = DecodeSettings(beam_size=5, max_length=STEPS)
    encoded = pipeline.encode(texts(1)[0])
    own = pipeline.decode(encoded, settings).token_ids()
    generator = torch.Generator().manual_seed(0)
    times = []
    for index in range(edits):
        step = index % STEPS
        row = torch.rand(SOURCE, generator=generator).tolist()
        steering = Steering(prefix=own[:step], rows=(RowEdit(step, tuple(row)),))
        began = time.perf_counter()
        pipeline.decode(encoded, settings, steering)
        times.append(1000 * (time.perf_counter() - began))
    return {"edit_p95_ms": sorted(times)[int(0.95 * edits)]}


def photo_figures() -> dict[str, float]:
    """From the bytes of a photo to its caption with the whole trace; nothing where no captioner is installed."""
    try:
        pipeline = load(CAPTIONER)
        encoder = pipeline.image_encoder()
        encoder.network()
    except InputError:
        return {}
    file = io.BytesIO()
    Image.effect_noise(UPLOADED, 60).convert("RGB").save(file, "JPEG")
    photo = open_photo(file.getvalue()).image
    small = photo.resize((SMALL_PHOTO, SMALL_PHOTO))
    settings = DecodeSettings(beam_size=3)
    caption = partial(pipeline.decode, settings=settings)
    return {
        "photo_encode_ms": 1000 * best_seconds(partial(encoder, small)),
        "photo_upload_to_caption_ms": 1000 * best_seconds(lambda: caption(open_photo(file.getvalue()).image)),
        "photo_caption_tokens": float(len(caption(photo).path())),
    }


def measure(threads: int = 1) -> dict[str, Any]:
    torch.set_num_threads(threads)
    pipeline = bench_pipeline()
    gc.collect()
    gc.freeze()  # as the app does
    figures: dict[str, Any] = {"threads": threads, "parameters": pipeline.model.parameter_count}
    for part in (decode_figures(pipeline), edit_figures(pipeline), memory_figures(pipeline), photo_figures(), train_figures()):
        figures |= {name: round(value, 3) for name, value in part.items()}
    return figures


# -- how soon a small model has learnt a task, on one thread, as a visitor's training runs ---------------------------------


def measure_training(job: Job, limit_seconds: float = LIMIT_SECONDS) -> dict[str, Any]:
    """Train until the goal is reached, the seconds are over or the training ends. Drawing, testing and keeping moments are counted too."""
    torch.set_num_threads(1)
    score = Scored(0, 0.0, (), 0.0, 0.0)
    ended = "the training's end"
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        for report in Live(job, Path(folder)).reports(Control()):
            if isinstance(report, Scored):
                score = report
                if score.exact >= GOAL:
                    ended = "the goal"
                    break
                if score.cpu_seconds >= limit_seconds:
                    ended = "the limit"
                    break
    counts = [(pairs, right) for length, pairs, right in score.by_length if length >= LONG]
    long = sum(right for _, right in counts) / sum(pairs for pairs, _ in counts) if counts else None
    return {
        "task": job.toy,
        "attention": job.attention,
        "cell": job.cell,
        "ended_by": ended,
        "step": score.step,
        "cpu_seconds": score.cpu_seconds,
        "exact": score.exact,
        "exact_long": None if long is None else round(long, 4),
    }


def measure_tasks(tasks: Sequence[str], attentions: Sequence[str], cells: Sequence[str], limit_seconds: float) -> Iterator[dict[str, Any]]:
    for task in tasks:
        for attention in attentions:
            for cell in cells:
                yield measure_training(Job(task, attention=attention, cell=cell), limit_seconds)  # type: ignore[arg-type]
