"""Beam search: expand every live beam, select the best, set aside what ended, stop when no live beam can still win."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.tokenizer import BOS, EOS
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.search.answers import Answers
from seq2seq_core.search.job import Expansion, Job, expand
from seq2seq_core.trace.builder import DecodeStep
from seq2seq_core.trace.nodes import NOT_FORCED, PRUNED, Codes, Doubles, Flags, Floats, Ints
from seq2seq_core.trace.steering import Steering


@dataclass(frozen=True, slots=True)
class Frame:
    """The shape of a step: w slots for beams in each of A sentences, M tokens considered; and what follows from that alone."""

    sentence: Ints  # [A]
    slots: int  # w
    of_row: Ints  # [A w] the sentence of each slot
    limits: Ints  # [A]
    starts: Ints  # [A, 1] the first of each sentence's M places
    rank: Ints  # [A M] 0 .. M - 1 for each sentence
    first: Flags  # [A, M] True at the places a beam search of this size takes when nothing ends
    steady: Ints  # [A, size] these places, counted over all sentences
    unforced: Flags  # [A M] False
    memory: Memory  # A w rows

    @classmethod
    def of(cls, job: Job, sentence: Ints, slots: int, looked_at: int) -> Frame:
        count, considered, size = len(sentence), slots * looked_at, job.settings.beam_size
        starts = np.arange(count)[:, None] * considered
        of_row = np.repeat(sentence, slots)
        return cls(
            sentence=sentence,
            slots=slots,
            of_row=of_row,
            limits=job.limits[sentence],
            starts=starts,
            rank=np.tile(np.arange(considered), count),
            first=np.tile(np.arange(considered) < size, (count, 1)),
            steady=np.arange(min(size, considered)) + starts,
            unforced=np.zeros(count * considered, dtype=np.bool_),
            memory=job.rows(of_row),
        )


@dataclass(frozen=True, slots=True)
class Live:
    """The beams being extended; an empty slot has the total -inf."""

    frame: Frame
    total: Doubles  # [A, w]
    place: Ints  # [A w] the beam's last token among the nodes of the step before
    tokens: Tensor  # [A w]
    state: Tensor  # [A w, L, C]


@dataclass(frozen=True, slots=True)
class Pool:
    """The M tokens that a step considers for each sentence, best total first."""

    row: Ints  # [A, M] the slot (of A w) each one continues
    token: Ints
    logprob: Floats
    total: Doubles
    taken: Flags  # survives the step
    ended: Flags  # taken, and the end of its sentence
    plain: bool  # nothing ended, nothing is forced, no slot is empty


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


def beam(
    model: Seq2Seq,
    memory: Memory,
    settings: DecodeSettings,
    steering: Sequence[Steering] = (),
    limits: Sequence[int] | None = None,
    answers: Answers | None = None,
) -> Iterator[DecodeStep]:
    """Keep the `beam_size` best beginnings of every sentence.

    Each step ranks the continuations of all live beams and takes them from the best down, one that ends is set aside,
    until `beam_size` others live on. A beam of one is greedy search: it takes the best alone, and ends with it.
    """
    job = Job(model, memory, settings, steering, limits, answers)
    count = job.candidates(settings.beam_size + 1)
    looked_at = min(settings.beam_size + 1, count)  # a beam has at most so many continuations that can be taken
    finished = Finished(job.batch, settings)
    live: Live | None = Live(
        frame=Frame.of(job, np.arange(job.batch), 1, looked_at),
        total=np.zeros((job.batch, 1)),
        place=np.full(job.batch, -1),
        tokens=torch.full((job.batch,), BOS),
        state=job.start(),
    )
    step = 0
    while live is not None:
        found = expand(job, step, live.tokens, live.state, live.frame.memory, live.frame.of_row, count)
        pool = _select(_consider(found, looked_at), found, live, settings.beam_size)
        yield _report(step, live, found, pool)
        live = _advance(job, finished, step, live, found, pool)
        step += 1


def _consider(found: Expansion, looked_at: int) -> tuple[Ints, Floats]:
    """Tokens and log-probabilities [A w, M / w]; a forced token takes the last place if it is not among the best."""
    tokens: Ints = found.ids[:, :looked_at].numpy()
    logprobs: Floats = found.logprobs[:, :looked_at].numpy()
    if found.forced is None or found.forced_logprobs is None:
        return tokens, logprobs
    absent = (found.forced >= 0) & ~(tokens == found.forced[:, None]).any(1)
    tokens, logprobs = tokens.copy(), logprobs.copy()
    tokens[absent, -1] = found.forced[absent]
    logprobs[absent, -1] = found.forced_logprobs[absent]
    return tokens, logprobs


def _select(considered: tuple[Ints, Floats], found: Expansion, live: Live, size: int) -> Pool:
    tokens, logprobs = considered
    frame = live.frame
    total = (live.total.reshape(-1, 1) + logprobs).reshape(len(frame.sentence), -1)  # [A, M] in double precision
    flat = (-total).argsort(1, kind="stable") + frame.starts
    total, token = total.take(flat), tokens.take(flat)
    row, logprob = flat // tokens.shape[1], logprobs.take(flat)
    ends = token == EOS
    if found.forced is None and total[:, -1].min() > -np.inf and not ends.any():
        return Pool(row, token, logprob, total, frame.first, ends, plain=True)
    real = total > -np.inf
    going = ~ends
    taken = real & (going.cumsum(1) - going < size)
    if size == 1:
        taken[:, 1:] = False
    if found.forced is not None:
        forced = found.forced.reshape(-1, frame.slots)[:, :1]  # the same for all beams of a sentence
        taken = np.where(forced < 0, taken, real & (token == forced))
    return Pool(row, token, logprob, total, taken, taken & ends, plain=False)


def _report(step: int, live: Live, found: Expansion, pool: Pool) -> DecodeStep:
    """Every token considered becomes a node; what stands in empty slots is left out."""
    frame = live.frame
    why: Codes = (~pool.taken).view(np.int8)  # OUTSIDE is 1
    state: Codes = why * PRUNED + pool.ended  # ALIVE is 0, FINISHED is 1
    report = DecodeStep(
        step=step,
        sentence=frame.of_row,
        parent=live.place,
        weights=found.weights,
        marks=found.marks,
        candidate_ids=found.ids,
        candidate_logprobs=found.logprobs,
        row=pool.row.reshape(-1),
        token_id=pool.token.reshape(-1),
        logprob=pool.logprob.reshape(-1),
        total=pool.total.reshape(-1),
        rank=frame.rank,
        state=state.reshape(-1),
        why=why.reshape(-1),
        forced=frame.unforced,
    )
    return report if pool.plain else _without_empty_slots(_with_forced(report, found, pool, frame.slots), live)


def _with_forced(report: DecodeStep, found: Expansion, pool: Pool, slots: int) -> DecodeStep:
    if found.forced is None:
        return report
    by_hand = (found.forced.reshape(-1, slots) >= 0)[:, :1]  # [A, 1]
    why = report.why.reshape(pool.taken.shape).copy()
    why[by_hand & ~pool.taken] = NOT_FORCED
    return report._replace(why=why.reshape(-1), forced=(by_hand & pool.taken).reshape(-1))


def _without_empty_slots(report: DecodeStep, live: Live) -> DecodeStep:
    filled: Flags = ~np.isinf(live.total.reshape(-1))
    real: Flags = ~np.isinf(report.total)
    if real.all():
        return report
    kept = torch.from_numpy(filled)
    nodes = {name: getattr(report, name)[real] for name in ("token_id", "logprob", "total", "rank", "state", "why", "forced")}
    rows = {name: getattr(report, name)[kept] for name in ("weights", "candidate_ids", "candidate_logprobs")}
    marks = {name: mark[kept] for name, mark in report.marks.items()}
    number = filled.cumsum() - 1  # slots are numbered without the empty ones
    sentence, parent, row = report.sentence[filled], report.parent[filled], number[report.row[real]]
    return report._replace(sentence=sentence, parent=parent, row=row, marks=marks, **rows, **nodes)


def _advance(job: Job, finished: Finished, step: int, live: Live, found: Expansion, pool: Pool) -> Live | None:
    """The beams of the next step, without the sentences that are done; None when all are."""
    frame, size = live.frame, job.settings.beam_size
    going = pool.taken if pool.plain else pool.taken & ~pool.ended
    number = going.sum(1)  # [A] beams that go on
    for place, column in zip(*pool.ended.nonzero(), strict=True):
        finished.add(int(frame.sentence[place]), float(pool.total[place, column]), step + 1)
    best = pool.total[:, 0] if pool.plain else pool.total[np.arange(len(going)), going.argmax(1)]
    can_win = finished.best_possible(best, frame.limits) > finished.to_beat[frame.sentence]
    goes_on = can_win & (frame.limits > step + 1) & (number > 0)
    slots = int(number.max())
    if pool.plain and slots == size and goes_on.all():
        flat, node, empty = frame.steady, frame.steady, None
        sentence = frame.sentence
    else:
        kept = np.flatnonzero(goes_on)
        if len(kept) == 0:
            return None
        sentence, slots = frame.sentence[kept], int(number[kept].max())
        flat = (~going[kept]).argsort(1, kind="stable")[:, :slots] + frame.starts[kept]  # [A', w'] those that go on first
        node = (np.cumsum(~np.isinf(pool.total)) - 1)[flat]  # nodes are numbered without what stands in empty slots
        empty = np.arange(slots) >= number[kept, None]
    total = pool.total.take(flat)
    same = len(sentence) == len(frame.sentence) and slots == frame.slots
    return Live(
        frame=frame if same else Frame.of(job, sentence, slots, frame.first.shape[1] // frame.slots),
        total=total if empty is None else np.where(empty, -np.inf, total),
        place=node.reshape(-1),
        tokens=torch.from_numpy(pool.token.take(flat).reshape(-1)),
        state=found.state.index_select(0, torch.from_numpy(pool.row.take(flat).reshape(-1))),
    )
