"""What every search shares: the checked job, and one expansion, the model's step and its best next tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, PAD, UNK
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.search.plan import Plan
from seq2seq_core.tasks import TASKS
from seq2seq_core.trace.nodes import Floats, Ints
from seq2seq_core.trace.steering import Steering

NEVER = torch.tensor([PAD, BOS, UNK])  # no search produces these
LONGEST = 200  # tokens of an output, whatever its task allows
ROW_POSITIONS, MOST_ROWS = 16_000, 1_024  # of one call of the model: they bound the memory of a decode


def length_limit(settings: DecodeSettings, task: str, positions: int) -> int:
    """How many tokens an output may have, the end sign included."""
    if settings.max_length is not None:
        return settings.max_length
    each, more = TASKS[task].longest
    return min(each * positions + more, LONGEST)


class Job:
    """A batch of sentences to search: checked, with what a person hid already masked."""

    def __init__(
        self, model: Seq2Seq, memory: Memory, settings: DecodeSettings, steering: Sequence[Steering], limits: Sequence[int] | None
    ) -> None:
        self.model = model
        self.settings = settings
        self.batch = len(memory.mask)
        positions = memory.mask.sum(1).tolist()
        if limits is None:
            limits = [length_limit(settings, model.config.task, count) for count in positions]
        steering = steering or [Steering()] * self.batch
        if not len(steering) == len(limits) == self.batch:
            raise InputError(
                f"There are {self.batch} sentences, {len(steering)} steerings and {len(limits)} limits; give one of each a sentence."
            )
        for one, count, limit in zip(steering, positions, limits, strict=True):
            one.check(model.config, count, limit)
        self.plan = Plan(model.config, settings, steering, memory.mask.shape[1])
        self.memory = self.plan.seen(memory)
        self.limits: Ints = np.array(limits, dtype=np.int64)
        self.free = model.config.target_vocab - len(NEVER)  # tokens a search may choose from, the end sign included

    @torch.inference_mode()
    def start(self) -> Tensor:
        """The state before the first step: [B, L, C]."""
        return self.model.start(self.memory)

    def candidates(self, looked_at: int = 1) -> int:
        """How many candidates of each distribution to keep: at least those the search looks at."""
        return min(max(self.settings.candidates, looked_at), self.free)

    def rows(self, sentence: Ints) -> Memory:
        """The memory with one row for each entry of `sentence`; of a single sentence without a copy."""
        if self.batch == 1:
            return self.memory.each(lambda values: values.expand(len(sentence), *values.shape[1:]))
        if len(sentence) == self.batch and (sentence == np.arange(self.batch)).all():
            return self.memory
        return self.memory.rows(torch.from_numpy(sentence))


class Expansion(NamedTuple):
    """The next-token distributions of R rows."""

    state: Tensor  # [R, L, C]
    weights: Tensor  # [R, K, S]
    marks: dict[str, Tensor]  # by name [R]
    ids: Tensor  # [R, C] the best tokens, best first
    logprobs: Tensor  # [R, C] of the whole softmax; -inf fills up
    everything: Tensor  # [R, V]; -inf for tokens that are never produced
    forced: Ints | None  # [R] the forced token, -1 where free; None when all are
    forced_logprobs: Floats | None  # [R]


def expand(job: Job, step: int, tokens: Tensor, state: Tensor, memory: Memory, sentence: Ints, count: int) -> Expansion:
    """One step of the model for rows with previous tokens [R]; many rows over a long source are taken a part at a time."""
    most = min(max(ROW_POSITIONS // max(memory.mask.shape[1], 1), 1), MOST_ROWS)
    with torch.inference_mode():
        if len(sentence) <= most:
            return _expand(job, step, tokens, state, memory, sentence, count)
        return _expand_in_parts(job, step, tokens, state, memory, sentence, count, most)


def _expand_in_parts(
    job: Job, step: int, tokens: Tensor, state: Tensor, memory: Memory, sentence: Ints, count: int, most: int
) -> Expansion:
    parts = []
    for start in range(0, len(sentence), most):
        part = slice(start, start + most)
        parts.append(_expand(job, step, tokens[part], state[part], memory.rows(part), sentence[part], count))
    return _joined(parts)


def _expand(job: Job, step: int, tokens: Tensor, state: Tensor, memory: Memory, sentence: Ints, count: int) -> Expansion:
    output = job.model.step(tokens.unsqueeze(1), state, memory, job.plan.look(step, sentence))
    logits = output.logits.select(1, 0)  # as [:, 0], in half the time
    everything = torch.log_softmax(logits, -1, out=logits)  # [R, V], in place: a fresh block of memory would cost more than the sums
    forced = job.plan.forced(step, sentence)
    forced_logprobs = None
    if forced is not None:
        wanted = torch.from_numpy(forced).clamp_min(0)[:, None]
        forced_logprobs = everything.gather(1, wanted)[:, 0].numpy()
    everything.index_fill_(1, NEVER, -torch.inf)
    logprobs, ids = everything.topk(count)
    marks = {name: mark.select(1, 0) for name, mark in output.marks.items()}
    return Expansion(output.state, output.weights.select(1, 0), marks, ids, logprobs, everything, forced, forced_logprobs)


def _joined(parts: Sequence[Expansion]) -> Expansion:
    forced = forced_logprobs = None
    if any(part.forced is not None for part in parts):
        forced = np.concatenate([np.full(len(part.ids), -1) if part.forced is None else part.forced for part in parts])
        nothing = [np.zeros(len(part.ids), dtype=np.float32) if part.forced_logprobs is None else part.forced_logprobs for part in parts]
        forced_logprobs = np.concatenate(nothing)
    return Expansion(
        state=torch.cat([part.state for part in parts]),
        weights=torch.cat([part.weights for part in parts]),
        marks={name: torch.cat([part.marks[name] for part in parts]) for name in parts[0].marks},
        ids=torch.cat([part.ids for part in parts]),
        logprobs=torch.cat([part.logprobs for part in parts]),
        everything=torch.cat([part.everything for part in parts]),
        forced=forced,
        forced_logprobs=forced_logprobs,
    )
