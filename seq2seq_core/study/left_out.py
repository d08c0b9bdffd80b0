"""Leave one out: each word of a text, or each region of a picture, is removed, the same token scored, and the source decoded anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.inputs.part import Part, members
from seq2seq_core.inputs.tokenizer import BOS
from seq2seq_core.model.encoders import ImageEncoder
from seq2seq_core.model.memory import Memory
from seq2seq_core.pipeline import DEFAULTS, Encoded, Pipeline, Prompt

REGIONS, STRETCHES = 5, 12  # of a picture, along each side at most; of what is read in order


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The source without one of its words."""

    word: str
    positions: tuple[int, ...]  # the source positions of the word
    drop: float  # log p of the token with the word, less that without it
    output: str  # decoded again


def without(source: Part, positions: Sequence[int]) -> Part:
    """A text source with some of its tokens gone."""
    kept = [i for i in range(source.positions) if i not in set(positions)]
    text, spans = "", []
    for i in kept:
        start, end = source.spans[i]
        before = source.spans[i - 1][1] if i else 0
        text += source.text[max(before, 0) : start] if start > before else ""
        spans.append((len(text), len(text) + end - start))
        text += source.text[start:end]
    pick = [(source.labels[i], source.ids[i], source.groups[i]) for i in kept]
    labels, ids, groups = zip(*pick, strict=True)
    return replace(source, text=text, labels=labels, ids=ids, groups=groups, spans=tuple(spans))


@torch.inference_mode()
def read_again(pipeline: Pipeline, source: Part) -> Encoded:
    """The memory of a text source, from its tokens alone."""
    ids = torch.tensor([source.ids])
    return Encoded((source,), pipeline.model.encode(ids, torch.tensor([ids.shape[1]])), 0.0)


def leave_one_out(
    pipeline: Pipeline, source: Part, tokens: Sequence[int], step: int, settings: DecodeSettings = DEFAULTS, prompt: Prompt = ()
) -> tuple[LeftOut, ...]:
    """Remove each source word, score the same token after the same beginning, and decode anew; empty for single words."""
    words = parts_of(source)
    if source.kind != "text" or len(words) < 2:
        return ()
    target = tokens[: step + 1]
    whole = pipeline.score(read_again(pipeline, source), target).path()[step].logprob
    found = []
    for positions in words:
        encoded = read_again(pipeline, without(source, positions))
        rest = pipeline.score(encoded, target).path()[step].logprob
        output = pipeline.decode(encoded, settings, prompt=prompt).hypotheses[0].answer
        found.append(LeftOut(name_of(source, positions), positions, whole - rest, output))
    return tuple(found)


@torch.inference_mode()
def leave_region_out(
    pipeline: Pipeline, encoded: Encoded, tokens: Sequence[int], step: int, settings: DecodeSettings = DEFAULTS, prompt: Prompt = ()
) -> tuple[LeftOut, ...]:
    """The same for a picture, region by region: its cells are gone from the memory, from every mean too. All regions at once."""
    source, model = encoded.parts[0], pipeline.model
    regions = parts_of(source)
    if source.kind != "grid" or len(regions) < 2:
        return ()
    if not isinstance(model.encoder, ImageEncoder):
        return _leave_stretch_out(pipeline, encoded, tokens, step, settings, prompt)
    kept = torch.ones(len(regions), source.positions, dtype=torch.bool)  # [R, S]
    for row, region in zip(kept, regions, strict=True):
        row[list(region)] = False
    features = encoded.features[0]
    assert features is not None
    memory = model.decoder.remember(model.encoder.read(features.expand(len(regions), -1, -1), kept))
    before = torch.tensor([[BOS, *tokens[:step]]])

    def logprobs(seen: Memory) -> Tensor:
        target_in = before.expand(len(seen.mask), -1)
        return model.step(target_in, model.start(seen), seen).logits[:, -1].log_softmax(-1)[:, tokens[step]]

    drops = (logprobs(encoded.memory) - logprobs(memory)).tolist()
    stream = pipeline.stream_memory(memory, [encoded.parts] * len(regions), settings, prompts=[prompt] * len(regions))
    for _ in stream:
        pass
    outputs = (trace.hypotheses[0].answer for trace in stream.traces())
    return tuple(LeftOut(name_of(source, one), one, drop, output) for one, drop, output in zip(regions, drops, outputs, strict=True))


def _leave_stretch_out(
    pipeline: Pipeline, encoded: Encoded, tokens: Sequence[int], step: int, settings: DecodeSettings, prompt: Prompt
) -> tuple[LeftOut, ...]:
    """Of what is read in order, a recording or a clip: a stretch is cut out, and what is left is read anew."""
    source, features, target, places = encoded.parts[0], encoded.features[0], tokens[: step + 1], parts_of(encoded.parts[0])
    assert features is not None
    rests = []
    for positions in places:
        kept = [i for i in range(source.positions) if i not in set(positions)]
        rests.append(Grid(features[kept], (1, len(kept)), source.size or (1, 1), tuple(source.labels[i] for i in kept)))
    whole, *without_it = (pipeline.score(one, target).path()[step].logprob for one in (encoded, *map(pipeline.encode, rests)))
    traces = pipeline.decode_batch(rests, settings, prompts=[prompt] * len(rests))
    return tuple(
        LeftOut(name_of(source, positions), positions, whole - rest, trace.hypotheses[0].answer)
        for positions, rest, trace in zip(places, without_it, traces, strict=True)
    )


def parts_of(source: Part) -> tuple[tuple[int, ...], ...]:
    """The source positions of each word; of a picture, those of each region of its grid."""
    if source.grid is None:
        return source.members
    rows, columns = source.grid
    if not source.named_by_place:  # in order: moments or frames
        return members([i * min(source.positions, STRETCHES) // source.positions for i in range(source.positions)])
    row_of, column_of = ([i * min(size, REGIONS) // size for i in range(size)] for size in (rows, columns))
    return members([row_of[i // columns] * columns + column_of[i % columns] for i in range(source.positions)])


def name_of(source: Part, positions: Sequence[int]) -> str:
    """A word as typed; a region by its rows and columns, or from where to where it goes."""
    if source.grid is None:
        return source.word(positions)
    columns = source.grid[1]
    if not source.named_by_place:
        begin, end = source.labels[positions[0]], source.labels[positions[-1]]
        return begin if begin == end else f"{begin} to {end}"
    first, last = (divmod(positions[i], columns) for i in (0, -1))
    rows, across = (f"{a + 1}" if a == b else f"{a + 1} to {b + 1}" for a, b in zip(first, last, strict=True))
    return f"row {rows}, column {across}"
