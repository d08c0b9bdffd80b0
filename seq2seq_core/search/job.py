"""What every search starts from, the checked job with a person's steering made ready, and what it repeats: one step for all its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from seq2seq_core.config import MAX_STEPS, DecodeSettings, ModelConfig
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.part import Part
from seq2seq_core.inputs.tokenizer import PAD
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.override import NOTHING, Override, Rows, gumbel
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.search import plain
from seq2seq_core.search.answers import Answers
from seq2seq_core.tasks import TASKS
from seq2seq_core.trace.nodes import Floats, Ints
from seq2seq_core.trace.steering import Steering, visible

DEFAULTS = DecodeSettings()
NEVER = torch.tensor(plain.NEVER)
LONGEST = 200  # tokens of an output, whatever its task allows
MAPS_BYTES = 20_000_000  # of all attention that a trace keeps: an output is as long as fits
SCORED_NUMBERS = 8_000_000  # of the distributions over all tokens that scoring an output makes at once: 32 MB
ROW_POSITIONS, MOST_ROWS = 16_000, 1_024  # of one call of the model: they bound the memory of a decode


def length_limit(settings: DecodeSettings, task: str, positions: int, by_character: bool = False) -> int:
    """How many tokens an output may have, the end sign included. `by_character`: a token is a character, of which a text has many."""
    if settings.max_length is not None:
        return settings.max_length
    if by_character and not TASKS[task].reads:
        return MAX_STEPS
    each, more = TASKS[task].longest
    return min(each * positions + more, LONGEST)


def fitting(settings: DecodeSettings, heads: int, positions: int) -> int:
    """How many tokens an output may have so that the attention of all its beams can be kept, 4 bytes a number."""
    rows = settings.beam_size if settings.search == "beam" else 1
    return max(1, MAPS_BYTES // max(4 * rows * heads * positions, 1))


def fitting_length(settings: DecodeSettings, model: Seq2Seq, parts: Sequence[Part], begun: int, by_character: bool = False) -> int:
    """How many tokens an output may have that its settings and the memory allow; `begun` of them are given."""
    positions = sum(part.positions for part in parts)
    own = min(length_limit(settings, model.config.task, positions, by_character), fitting(settings, len(model.heads), positions))
    return min(begun + own, MAX_STEPS) if begun else own


def check_scored(model: Seq2Seq, positions: int, tokens: int) -> None:
    """Refuse an output that would take too much memory, because scoring makes all its steps at once."""
    by_source = fitting(DecodeSettings(search="greedy"), len(model.heads), positions) // 2  # a second copy is made on the way
    by_vocabulary = SCORED_NUMBERS // model.config.target_vocab
    most = min(by_source, by_vocabulary)
    if tokens > most:
        over = f" over {positions:,} positions" if by_source < by_vocabulary else ""
        raise InputError(f"The output has {tokens:,} tokens for this model; at most {most:,} can be scored{over}, so shorten it.")


class Job:
    """A batch of sentences to search: checked, with what a person hid already masked."""

    def __init__(
        self,
        model: Seq2Seq,
        memory: Memory,
        settings: DecodeSettings,
        steering: Sequence[Steering],
        limits: Sequence[int] | None,
        answers: Answers | None = None,
    ) -> None:
        self.model = model
        self.settings = settings
        self.answers = answers
        self.batch = len(memory.mask)
        positions = list(zip(*(part.mask.sum(1).tolist() for part in memory.parts), strict=True))  # of each part
        if limits is None:
            limits = [length_limit(settings, model.config.task, sum(counts)) for counts in positions]
        steering = steering or [Steering()] * self.batch
        if not len(steering) == len(limits) == self.batch:
            raise InputError(
                f"There are {self.batch} sentences, {len(steering)} steerings and {len(limits)} limits; give one of each a sentence."
            )
        for one, counts, limit in zip(steering, positions, limits, strict=True):
            one.check(model.config, counts, limit)
        self.plan = Plan(model.config, settings, steering, memory)
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
    if job.answers is not None:
        job.answers.limit(everything, step, tokens, sentence)
    logprobs, ids = everything.topk(count)
    if job.answers is not None:
        ids.masked_fill_(logprobs.isneginf(), PAD)  # where there are fewer tokens than places: nobody can force padding
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


# -- what a person asks for -------------------------------------------------------------------------------------------------


class Plan:
    """The steering of a batch of sentences, and hard attention's way of looking, made ready for the loop."""

    def __init__(self, config: ModelConfig, settings: DecodeSettings, steering: Sequence[Steering], memory: Memory) -> None:
        width = memory.mask.shape[1]  # the positions, padding included
        self._steering = steering
        self._width = width
        self._places = memory.places()
        self._forced = self._forced_table()
        self._has_rows = any(one.rows for one in steering)
        hard = config.attention == "hard"
        self._expected = hard and settings.glimpse == "expected"
        self._noise = gumbel_noise(settings.seed, width) if hard and settings.glimpse == "sample" else None
        self._plain = not self._has_rows and not self._expected and self._noise is None

    def _forced_table(self) -> Ints:
        """[T, B] token ids, -1 where the model is free."""
        forced = [one.forced() for one in self._steering]
        table = np.full((max((max(one, default=-1) for one in forced), default=-1) + 1, len(forced)), -1, dtype=np.int64)
        for sentence, one in enumerate(forced):
            for step, token in one.items():
                table[step, sentence] = token
        return table

    def seen(self, memory: Memory) -> Memory:
        """The memory without what a person hid in it."""
        if not any(one.hidden for one in self._steering):
            return memory
        hidden = torch.zeros(len(self._steering), self._width, dtype=torch.bool)
        for sentence, one in enumerate(self._steering):
            hidden[sentence, self._at(sentence)[list(one.hidden)]] = True
        return memory.hide(hidden)

    def _at(self, sentence: int) -> Ints:
        """Where the positions of a sentence stand."""
        places = self._places[sentence]
        return np.arange(self._width) if places is None else places

    def forced(self, step: int, sentence: Ints) -> Ints | None:
        """The token forced on each row, -1 where it is free; None when all are. `sentence`: the sentence of each row."""
        if step >= len(self._forced):
            return None
        tokens = self._forced[step, sentence]
        return tokens if (tokens >= 0).any() else None

    def look(self, step: int, sentence: Ints) -> Override:
        if self._plain:
            return NOTHING
        rows = self._rows(step, sentence) if self._has_rows else None
        noise = None if self._noise is None else self._noise_at(step, sentence)
        return Override(rows, noise, self._expected)

    def _noise_at(self, step: int, sentence: Ints) -> Tensor:
        """[R, 1, S] the same for a sentence alone and in a batch."""
        assert self._noise is not None
        if self._places[0] is None:
            return self._noise[step].expand(len(sentence), 1, -1)
        noise = torch.zeros(len(sentence), 1, self._width)
        for row, one in enumerate(sentence.tolist()):
            noise[row, 0, self._at(one)] = self._noise[step, : len(self._at(one))]
        return noise

    def look_at_all(self, steps: int, sentence: Ints) -> Override:
        """How to look at every one of so many steps at once, for teacher forcing."""
        if self._plain:
            return NOTHING
        looks = [self.look(step, sentence) for step in range(steps)]
        found = [look.rows for look in looks if look.rows is not None]
        rows = Rows(torch.cat([one.values for one in found], 1), torch.cat([one.replace for one in found], 1)) if found else None
        noises = [look.noise for look in looks if look.noise is not None]
        return Override(rows, torch.cat(noises, 1) if noises else None, self._expected)

    def _rows(self, step: int, sentence: Ints) -> Rows:
        values = np.zeros((len(self._steering), self._width), dtype=np.float32)
        replace = np.zeros(len(self._steering), dtype=np.bool_)
        for place, one in enumerate(self._steering):
            row = one.row_at(step)
            if row is not None:
                values[place, self._at(place)[: len(row.weights)]] = visible(row, one.hidden)
                replace[place] = True
        return Rows(torch.from_numpy(values[sentence])[:, None], torch.from_numpy(replace[sentence])[:, None])  # [R, 1, S], [R, 1]


def steered(
    config: ModelConfig, memory: Memory, steering: Steering, steps: int, settings: DecodeSettings = DEFAULTS
) -> tuple[Memory, Override]:
    """One source as the steering shows it, and how each of so many steps looks at it: rows and hidden positions, in one call of `step`."""
    plan = Plan(config, settings, [Steering(rows=steering.rows, hidden=steering.hidden)], memory)
    return plan.seen(memory), plan.look_at_all(steps, np.zeros(1, dtype=np.int64))


def uniform_draws(seed: int, count: int) -> Tensor:
    """Uniform numbers of a generator of its own: a longer list begins with the shorter one."""
    return torch.rand(count, generator=torch.Generator().manual_seed(seed))


def gumbel_noise(seed: int, width: int) -> Tensor:
    """[MAX_STEPS, S] for all steps at once, so that a second run, and every hypothesis, meets the same noise.

    Position by position: a sentence has the same noise whether padded or not.
    """
    return gumbel(uniform_draws(seed, width * MAX_STEPS)).view(width, MAX_STEPS).T.contiguous()
