"""Exhaustive search: every sequence a toy vocabulary allows, so that the best is certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, EOS
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.search.answers import Answers
from seq2seq_core.search.job import NEVER, Expansion, Job, expand
from seq2seq_core.trace.builder import DecodeStep
from seq2seq_core.trace.nodes import ALIVE, FINISHED, Codes, Doubles, Flags, Floats, Ints
from seq2seq_core.trace.steering import Steering


def visits(free: int, limit: int, forced: Sequence[int] = ()) -> int:
    """How many sequences there are: those that end within the limit and those it cuts.

    `free`: tokens to choose from, the end sign included. `forced`: the steps at which there is no choice.
    """
    ended, live = 0, 1
    for step in range(limit):
        if step in forced:
            continue
        ended += live
        live *= free - 1
    return ended + live


@torch.inference_mode()
def exhaustive(
    model: Seq2Seq,
    memory: Memory,
    settings: DecodeSettings,
    steering: Sequence[Steering] = (),
    limits: Sequence[int] | None = None,
    answers: Answers | None = None,
) -> Iterator[DecodeStep]:
    """Every beginning is extended by every token; refuses beforehand when that is too much."""
    job = Job(model, memory, settings, steering, limits, answers)
    for place, limit in enumerate(job.limits.tolist()):
        forced = list(steering[place].forced()) if steering else []
        free = job.free
        if answers is not None and max(forced, default=-1) < answers.begin[place]:
            free, limit = answers.widest + 1, min(limit, answers.begin[place] + answers.longest)
        _refuse_too_many(visits(free, limit, forced), limit, settings.limit)
    sentence: Ints = np.arange(job.batch)
    parent: Ints = np.full(job.batch, -1)
    total = np.zeros(job.batch)
    tokens, state = torch.full((job.batch,), BOS), model.start(job.memory)
    for step in range(int(job.limits.max())):
        found = expand(job, step, tokens, state, job.rows(sentence), sentence, job.candidates())
        report = _report(step, sentence, parent, total, found, job)
        yield report
        going = (report.state == ALIVE) & (step + 1 < job.limits[sentence[report.row]])
        parent = np.flatnonzero(going)
        if len(parent) == 0:
            return
        rows = report.row[parent]
        sentence, total, tokens = sentence[rows], report.total[parent], torch.from_numpy(report.token_id[parent])
        state = found.state[torch.from_numpy(rows)]


def _refuse_too_many(count: int, steps: int, limit: int) -> None:
    if count > limit:
        number = f"{count:,}" if count < 10**15 else f"about 10^{len(str(count)) - 1}"
        raise InputError(
            f"Exhaustive search up to {steps} tokens would visit {number} sequences; the limit is {limit:,}. "
            "Lower the greatest length or use a smaller vocabulary."
        )


def _report(step: int, sentence: Ints, parent: Ints, total: Doubles, found: Expansion, job: Job) -> DecodeStep:
    """One node for every row and token; where a token is forced, that one alone."""
    choices = np.setdiff1d(np.arange(job.model.config.target_vocab), NEVER.numpy())  # [D]
    row, token = np.repeat(np.arange(len(sentence)), len(choices)), np.tile(choices, len(sentence))
    logprob: Floats = found.everything.numpy()[:, choices].reshape(-1)
    by_hand: Flags = np.zeros(len(sentence), dtype=np.bool_)
    if found.forced is not None and found.forced_logprobs is not None:
        by_hand = found.forced >= 0
        first = (np.arange(len(row)) % len(choices) == 0) & by_hand[row]  # one node stands for the row's choice
        token, logprob = np.where(first, found.forced[row], token), np.where(first, found.forced_logprobs[row], logprob)
        kept = first | ~by_hand[row]
        row, token, logprob = row[kept], token[kept], logprob[kept]
    real = logprob > -np.inf
    if not real.all():  # not all that can be said is an answer
        row, token, logprob = row[real], token[real], logprob[real]
    sums = total[row] + logprob
    state: Codes = np.where(token == EOS, FINISHED, ALIVE).astype(np.int8)
    return DecodeStep(
        step=step,
        sentence=sentence,
        parent=parent,
        weights=found.weights,
        marks=found.marks,
        candidate_ids=found.ids,
        candidate_logprobs=found.logprobs,
        row=row,
        token_id=token,
        logprob=logprob,
        total=sums,
        rank=_ranks(sentence[row], sums),
        state=state,
        why=np.zeros(len(row), dtype=np.int8),
        forced=by_hand[row],
    )


def _ranks(sentence: Ints, total: Doubles) -> Ints:
    """The place of each node among those of its sentence, best total first; sentences stand together."""
    order = np.lexsort((-total, sentence))
    ranks: Ints = np.empty(len(total), dtype=np.int64)
    ranks[order] = np.arange(len(total)) - np.searchsorted(sentence, sentence[order])
    return ranks
