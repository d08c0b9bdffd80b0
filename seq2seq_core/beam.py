"""Beam search: expand every live beam, select the best, set aside what ended, stop when no live beam can still win."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from seq2seq_core.attention import Memory
from seq2seq_core.config import DecodeSettings
from seq2seq_core.expansion import Expansion, Job, expand
from seq2seq_core.model import Seq2Seq
from seq2seq_core.nodes import ALIVE, FINISHED, NOT_FORCED, OUTSIDE, PRUNED, Codes, Doubles, Flags, Ints
from seq2seq_core.steering import Steering
from seq2seq_core.tokenizer import BOS, EOS
from seq2seq_core.trace_builder import DecodeStep


@dataclass(frozen=True, slots=True)
class Live:
    """The beams being extended: w slots for each of A sentences; an empty slot has the total -inf."""

    sentence: Ints  # [A]
    total: Doubles  # [A, w]
    place: Ints  # [A, w] the beam's last token among the nodes of the step before
    tokens: Tensor  # [A w]
    state: Tensor  # [A w, L, C]
    memory: Memory  # A w rows

    @property
    def of_row(self) -> Ints:
        return np.repeat(self.sentence, self.total.shape[1])


@dataclass(frozen=True, slots=True)
class Pool:
    """The M tokens that a step considers for each sentence, best total first."""

    row: Ints  # [A, M] the slot row (of A w) each one continues
    token: Ints
    logprob: Doubles
    total: Doubles
    taken: Flags  # survives the step
    ended: Flags  # taken, and the end of its sentence


class Finished:
    """The scores of what each sentence has finished, as far as stopping needs them."""

    def __init__(self, batch: int, settings: DecodeSettings) -> None:
        self._wanted = settings.hypotheses or 1
        self._power = settings.length_penalty
        self._scores: list[list[float]] = [[] for _ in range(batch)]
        self.to_beat: Doubles = np.full(batch, -np.inf)  # the score that a live beam must still pass

    def add(self, sentence: int, total: float, length: int) -> None:
        scores = self._scores[sentence]
        insort(scores, total / length**self._power)
        if len(scores) >= self._wanted:
            self.to_beat[sentence] = scores[-self._wanted]

    def best_possible(self, total: Doubles, limits: Ints) -> Doubles:
        """The highest score a live beam can reach: totals only fall, so its own total at the greatest length."""
        highest: Doubles = total / limits**self._power
        return highest


@torch.inference_mode()
def beam(
    model: Seq2Seq, memory: Memory, settings: DecodeSettings, steering: Sequence[Steering] = (), limits: Sequence[int] | None = None
) -> Iterator[DecodeStep]:
    """Keep the `beam_size` best beginnings of every sentence.

    Each step ranks the continuations of all live beams and takes them from the best down: one that ends is set aside,
    any other lives on, until `beam_size` live or 2 * beam_size - 1 have been taken. A beam of one is greedy search.
    """
    job = Job(model, memory, settings, steering, limits)
    count = job.candidates(settings.beam_size + 1)
    looked_at = min(settings.beam_size + 1, count)  # a beam has at most so many continuations that can be taken
    finished = Finished(job.batch, settings)
    live: Live | None = Live(
        sentence=np.arange(job.batch),
        total=np.zeros((job.batch, 1)),
        place=np.full((job.batch, 1), -1),
        tokens=torch.full((job.batch,), BOS),
        state=model.start(job.memory),
        memory=job.memory,
    )
    step = 0
    while live is not None:
        found = expand(job, step, live.tokens, live.state, live.memory, live.of_row, count)
        pool = _select(_gather(found, looked_at), found, live, settings.beam_size)
        yield _report(step, live, found, pool)
        live = _advance(job, finished, step, live, found, pool)
        step += 1


def _gather(found: Expansion, looked_at: int) -> tuple[Ints, Doubles]:
    """The tokens considered and their log-probabilities [A w, M / w]; a forced token takes the last place if it is not among them."""
    tokens: Ints = found.ids[:, :looked_at].numpy()
    logprobs: Doubles = found.logprobs[:, :looked_at].double().numpy()
    if found.forced is None or found.forced_logprobs is None:
        return tokens, logprobs
    absent = (found.forced >= 0) & ~(tokens == found.forced[:, None]).any(1)
    tokens = tokens.copy()
    tokens[absent, -1] = found.forced[absent]
    logprobs[absent, -1] = found.forced_logprobs[absent]
    return tokens, logprobs


def _select(considered: tuple[Ints, Doubles], found: Expansion, live: Live, size: int) -> Pool:
    tokens, logprobs = considered
    count, slots = live.total.shape
    total = (live.total.reshape(-1, 1) + logprobs).reshape(count, -1)  # [A, M]
    order = np.argsort(-total, axis=1, kind="stable")
    flat = order + np.arange(count)[:, None] * total.shape[1]
    token, total = tokens.reshape(-1)[flat], total.reshape(-1)[flat]
    real, ends = total > -np.inf, token == EOS
    going = ~ends
    taken = real & (going.cumsum(1) - going < size)
    taken[:, max(2 * size - 1, 1) :] = False
    if found.forced is not None:
        forced = found.forced.reshape(count, slots)[:, :1]  # the same for all beams of a sentence
        taken = np.where(forced < 0, taken, real & (token == forced))
    return Pool(flat // tokens.shape[1], token, logprobs.reshape(-1)[flat], total, taken, taken & ends)


def _report(step: int, live: Live, found: Expansion, pool: Pool) -> DecodeStep:
    """Every token considered becomes a node; what stands in empty slots is left out."""
    sentence, parent, row = live.of_row, live.place.reshape(-1), pool.row.reshape(-1)
    state: Codes = np.where(pool.taken, np.where(pool.ended, FINISHED, ALIVE), PRUNED).astype(np.int8)
    why: Codes = np.where(pool.taken, 0, OUTSIDE).astype(np.int8)
    forced: Flags = np.zeros(pool.taken.shape, dtype=np.bool_)
    if found.forced is not None:
        by_hand = (found.forced.reshape(live.total.shape) >= 0)[:, :1]
        why[by_hand & ~pool.taken] = NOT_FORCED
        forced = by_hand & pool.taken
    weights, glimpse, ids, logprobs = found.weights, found.glimpse, found.ids, found.logprobs
    real: Flags | slice = slice(None)
    if np.isinf(pool.total).any():
        real = ~np.isinf(pool.total.reshape(-1))
        filled = ~np.isinf(live.total.reshape(-1))
        kept = torch.from_numpy(filled)
        weights, glimpse, ids, logprobs = weights[kept], glimpse[kept], ids[kept], logprobs[kept]
        sentence, parent, row = sentence[filled], parent[filled], (filled.cumsum() - 1)[row]
    return DecodeStep(
        step=step,
        sentence=sentence,
        parent=parent,
        weights=weights,
        glimpse=glimpse,
        candidate_ids=ids,
        candidate_logprobs=logprobs,
        row=row[real],
        token_id=pool.token.reshape(-1)[real],
        logprob=pool.logprob.reshape(-1)[real],
        total=pool.total.reshape(-1)[real],
        rank=np.tile(np.arange(pool.token.shape[1]), len(pool.token))[real],
        state=state.reshape(-1)[real],
        why=why.reshape(-1)[real],
        forced=forced.reshape(-1)[real],
    )


def _advance(job: Job, finished: Finished, step: int, live: Live, found: Expansion, pool: Pool) -> Live | None:
    """The beams of the next step, without the sentences that are done; None when all are."""
    for place, column in zip(*np.nonzero(pool.ended), strict=True):
        finished.add(int(live.sentence[place]), float(pool.total[place, column]), step + 1)
    going = pool.taken & ~pool.ended
    number = going.sum(1)  # [A]
    best = pool.total[np.arange(len(going)), going.argmax(1)]
    limits = job.limits[live.sentence]
    can_win = finished.best_possible(best, limits) > finished.to_beat[live.sentence]
    kept = np.flatnonzero((number > 0) & (step + 1 < limits) & can_win)
    if len(kept) == 0:
        return None
    sentence, slots = live.sentence[kept], int(number[kept].max())
    flat = np.argsort(~going[kept], axis=1, kind="stable")[:, :slots] + kept[:, None] * going.shape[1]  # [A', w'] live ones first
    empty = np.arange(slots) >= number[kept, None]
    node = np.cumsum(~np.isinf(pool.total)) - 1  # nodes are numbered without what stands in empty slots
    rows = torch.from_numpy(pool.row.reshape(-1)[flat].reshape(-1))
    same = len(kept) == len(live.sentence) and slots == live.total.shape[1]
    return Live(
        sentence=sentence,
        total=np.where(empty, -np.inf, pool.total.reshape(-1)[flat]),
        place=node[flat],
        tokens=torch.from_numpy(pool.token.reshape(-1)[flat].reshape(-1)),
        state=found.state[rows],
        memory=live.memory if same else job.rows(np.repeat(sentence, slots)),
    )
