"""Greedy search, sampling and teacher forcing: one path a sentence. All searches are generators of `DecodeStep`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from seq2seq_core.config import MAX_STEPS, DecodeSettings
from seq2seq_core.inputs.tokenizer import BOS, EOS
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.search.answers import Answers
from seq2seq_core.search.beam import beam
from seq2seq_core.search.exhaustive import exhaustive
from seq2seq_core.search.job import NEVER, Expansion, Job, expand, uniform_draws
from seq2seq_core.trace.builder import DecodeStep
from seq2seq_core.trace.nodes import Codes, Doubles, Flags, Floats, Ints
from seq2seq_core.trace.steering import Steering

__all__ = ["beam", "exhaustive", "greedy", "sample", "search", "teacher_forced"]

Choose = Callable[[Expansion, int], tuple[Tensor, Tensor]]  # (expansion, step) -> token ids [R] and their log p [R]


def search(
    model: Seq2Seq,
    memory: Memory,
    settings: DecodeSettings,
    steering: Sequence[Steering] = (),
    limits: Sequence[int] | None = None,
    answers: Answers | None = None,
) -> Iterator[DecodeStep]:
    """The search that the settings name. Give one steering and one limit of length per sentence, or none."""
    searches = {"greedy": greedy, "sample": sample, "beam": beam, "exhaustive": exhaustive}
    return searches[settings.search](model, memory, settings, steering, limits, answers)


def greedy(
    model: Seq2Seq,
    memory: Memory,
    settings: DecodeSettings,
    steering: Sequence[Steering] = (),
    limits: Sequence[int] | None = None,
    answers: Answers | None = None,
) -> Iterator[DecodeStep]:
    """Always the most probable token."""
    yield from _one_path(
        Job(model, memory, settings, steering, limits, answers), lambda found, _: (found.ids.select(1, 0), found.logprobs.select(1, 0))
    )


def sample(
    model: Seq2Seq,
    memory: Memory,
    settings: DecodeSettings,
    steering: Sequence[Steering] = (),
    limits: Sequence[int] | None = None,
    answers: Answers | None = None,
) -> Iterator[DecodeStep]:
    """Tokens drawn by chance. One random number per step, so a sentence gets the same draws alone and in a batch."""
    draws = uniform_draws(settings.seed, MAX_STEPS)

    def choose(found: Expansion, step: int) -> tuple[Tensor, Tensor]:
        tokens = draw(found.everything, draws[step], settings)[:, None]
        return tokens[:, 0], found.everything.gather(1, tokens)[:, 0]

    yield from _one_path(Job(model, memory, settings, steering, limits, answers), choose, elsewhere=True)


# -- drawing a token: temperature, then the top k, then the smallest set that holds top-p of what is left -----------------


def draw(logprobs: Tensor, uniform: Tensor, settings: DecodeSettings) -> Tensor:
    """Log-probabilities [R, V] and one number between 0 and 1 -> token ids [R]: where the number falls among the cumulated chances."""
    ends = chances(logprobs, settings).cumsum(-1)  # [R, V] rises at the allowed tokens alone
    place = torch.searchsorted(ends, uniform.double() * ends[:, -1:], right=True)
    return place[:, 0]


def chances(logprobs: Tensor, settings: DecodeSettings) -> Tensor:
    """The distribution that is drawn from, in double precision: [R, V]; 0 for the tokens that are cut away."""
    scaled = logprobs.double() / settings.temperature
    if settings.top_k:
        scaled = _keep_best(scaled, min(settings.top_k, scaled.shape[1]))
    if settings.top_p < 1:
        scaled = _keep_share(scaled, settings.top_p)
    return scaled.softmax(-1)


def _keep_best(scores: Tensor, count: int) -> Tensor:
    best, ids = scores.topk(count)
    return torch.full_like(scores, -torch.inf).scatter_(1, ids, best)


def _keep_share(scores: Tensor, share: float) -> Tensor:
    best, ids = scores.sort(descending=True)
    chances = best.softmax(-1)
    before = chances.cumsum(-1) - chances  # what the better ones hold
    before[:, 0] = 0.0
    return torch.full_like(scores, -torch.inf).scatter_(1, ids, best.masked_fill(before >= share, -torch.inf))


# -- one path a sentence ---------------------------------------------------------------------------------------------------


def _one_path(job: Job, choose: Choose, elsewhere: bool = False) -> Iterator[DecodeStep]:
    """Extend every sentence by one token a step, until it ends or meets its limit.

    `elsewhere`: what is chosen may lie outside the best candidates, so each row has room for one more.
    """
    paths = Paths.of(np.arange(job.batch))
    parent: Ints = np.full(job.batch, -1)
    total = np.zeros(job.batch)
    memory, state, count = job.memory, job.start(), job.candidates()
    tokens = torch.full((job.batch,), BOS)
    first_limit = int(job.limits.min())
    for step in range(int(job.limits.max())):
        found = expand(job, step, tokens, state, memory, paths.sentence, count)
        tokens, logprobs = choose(found, step)
        chosen: Ints = tokens.numpy()
        logprob: Floats = logprobs.numpy()
        if found.forced is not None and found.forced_logprobs is not None:
            free = found.forced < 0
            chosen = np.where(free, chosen, found.forced)
            logprob = np.where(free, logprob, found.forced_logprobs)
            tokens = torch.from_numpy(chosen)
        total = total + logprob
        ended: Flags = chosen == EOS
        yield _report(step, paths, parent, found, chosen, logprob, total, ended, elsewhere)
        state, parent = found.state, paths.rows
        if step + 1 < first_limit and EOS not in chosen.tolist():
            continue
        over = ended | (job.limits[paths.sentence] <= step + 1)
        if over.any():
            parent = np.flatnonzero(~over)
            if len(parent) == 0:
                return
            kept = torch.from_numpy(parent)
            paths, total, tokens, state, memory = (
                Paths.of(paths.sentence[parent]),
                total[parent],
                tokens[kept],
                state[kept],
                memory.rows(kept),
            )


@dataclass(frozen=True, slots=True)
class Paths:
    """The sentences still being extended, and columns that stay the same while they do."""

    sentence: Ints  # [R]
    rows: Ints  # [R] 0, 1, ..
    zeros: Ints  # [R]
    codes: Codes  # [R] 0
    flags: Flags  # [R] False

    @classmethod
    def of(cls, sentence: Ints) -> Paths:
        count = len(sentence)
        zeros = np.zeros(count, dtype=np.int64)
        return cls(sentence, np.arange(count), zeros, zeros.astype(np.int8), zeros.astype(np.bool_))


def _report(
    step: int,
    paths: Paths,
    parent: Ints,
    found: Expansion,
    chosen: Ints,
    logprob: Floats,
    total: Doubles,
    ended: Flags,
    elsewhere: bool,
) -> DecodeStep:
    """One node a row."""
    ids, logprobs, rank, forced = found.ids, found.logprobs, paths.zeros, paths.flags
    if found.forced is not None:
        forced = found.forced >= 0
    if elsewhere or found.forced is not None:
        same = ids.numpy() == chosen[:, None]  # [R, C]
        listed = same.any(1)
        rank = np.where(listed, same.argmax(1), ids.shape[1])
        if elsewhere:
            listed = listed | forced
            last = np.where(listed, np.float32(-np.inf), logprob)
            ids = torch.cat([ids, torch.from_numpy(chosen)[:, None]], 1)
            logprobs = torch.cat([logprobs, torch.from_numpy(last)[:, None]], 1)
    return DecodeStep(
        step=step,
        sentence=paths.sentence,
        parent=parent,
        weights=found.weights,
        marks=found.marks,
        candidate_ids=ids,
        candidate_logprobs=logprobs,
        row=paths.rows,
        token_id=chosen,
        logprob=logprob,
        total=total,
        rank=rank,
        state=ended.view(np.int8),  # ALIVE is 0, FINISHED is 1
        why=paths.codes,
        forced=forced,
    )


@torch.inference_mode()
def teacher_forced(
    model: Seq2Seq, memory: Memory, targets: Sequence[Sequence[int]], settings: DecodeSettings, steering: Sequence[Steering] = (),
    answers: Answers | None = None,
) -> list[DecodeStep]:  # fmt: skip
    """What the model thinks of given outputs (token ids, the end sign included): one call of `step` for all of each.

    Of the steering only attention rows and hidden positions count; the tokens are the targets.
    """
    looks = [Steering(rows=one.rows, hidden=one.hidden) for one in steering]
    job = Job(model, memory, settings, looks, [max(len(target), 1) for target in targets])
    lengths = np.array([len(target) for target in targets])
    wanted = pad_sequence([torch.tensor(target, dtype=torch.long) for target in targets], batch_first=True)  # [B, T]
    steps = wanted.shape[1]
    before = torch.cat([torch.full((job.batch, 1), BOS), wanted[:, :-1]], 1)
    output = model.step(before, model.start(job.memory), job.memory, job.plan.look_at_all(steps, np.arange(job.batch)))
    everything = torch.log_softmax(output.logits, -1, out=output.logits)  # [B, T, V]
    logprob: Floats = everything.gather(2, wanted[:, :, None])[:, :, 0].numpy()
    everything.index_fill_(2, NEVER, -torch.inf)
    if answers is not None:
        answers.limit_all(everything, before)
    logprobs, ids = everything.topk(job.candidates())
    total, chosen = logprob.cumsum(1, dtype=np.float64), wanted.numpy()
    reports = []
    before_rows: Ints = np.array([], dtype=np.int64)
    for step in range(steps):
        rows: Ints = np.flatnonzero(lengths > step)
        kept, tokens = torch.from_numpy(rows), chosen[rows, step]
        found = Expansion(
            state=output.state,
            weights=output.weights[kept, step],
            marks={name: mark[kept, step] for name, mark in output.marks.items()},
            ids=ids[kept, step],
            logprobs=logprobs[kept, step],
            everything=everything,
            forced=tokens,
            forced_logprobs=None,
        )
        parent = np.searchsorted(before_rows, rows) if step else np.full(len(rows), -1)
        ended = tokens == EOS
        reports.append(_report(step, Paths.of(rows), parent, found, tokens, logprob[rows, step], total[rows, step], ended, elsewhere=False))
        before_rows = rows
    return reports
