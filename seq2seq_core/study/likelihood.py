"""How likely a model finds a text, word by word: perplexity as `evaluate` counts it, and how open each place was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.text import check_text
from seq2seq_core.inputs.tokenizer import BOS
from seq2seq_core.pipeline import Encoded, Given, Pipeline
from seq2seq_core.search.job import NEVER
from seq2seq_core.search.paths import chances
from seq2seq_core.study.explanations import next_logprobs
from seq2seq_core.study.measures import entropy_bits
from seq2seq_core.trace.nodes import Candidate, Doubles, Floats, Ints
from seq2seq_core.trace.trace import DecodeTrace

SHOWN = DecodeSettings(search="greedy", candidates=10)


@dataclass(frozen=True, slots=True)
class Piece:
    """One token of a text, and the distribution it was read from."""

    token: str
    logprob: float  # log p(piece | everything before it)
    rank: int  # 1: no token was likelier
    entropy: float  # of the distribution over all tokens at this place, in bits
    candidates: tuple[Candidate, ...]  # its best tokens


@dataclass(frozen=True, slots=True)
class Word:
    """Pieces that are one word, one sign, or the end: their probabilities multiply, so their logarithms add up."""

    text: str
    begin: int  # of the word in the text; the end sign stands behind the last character
    end: int
    first: int  # step of its first piece
    pieces: tuple[Piece, ...]

    @property
    def logprob(self) -> float:
        return math.fsum(piece.logprob for piece in self.pieces)

    @property
    def entropy(self) -> float:
        """At the place where the word begins, in bits."""
        return self.pieces[0].entropy


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as a model reads it; the end of the sentence is its last word, as in `evaluate`."""

    text: str
    words: tuple[Word, ...]
    spans: tuple[tuple[int, int], ...]  # of each piece in the text
    trace: DecodeTrace

    @property
    def nbytes(self) -> int:
        """What it takes of memory, nearly: each candidate of each piece is an object."""
        return self.trace.nbytes + 200 * sum(len(piece.candidates) + 1 for piece in self.pieces)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(piece for word in self.words for piece in word.pieces)

    @property
    def total(self) -> float:
        return math.fsum(word.logprob for word in self.words)

    @property
    def perplexity(self) -> float:
        """Per word: exp of the mean negative log-probability; punctuation marks and the end count as words."""
        return perplexity(self.total, len(self.words))

    @property
    def piece_perplexity(self) -> float:
        return perplexity(self.total, len(self.pieces))


def perplexity(total: float, count: int) -> float:
    """Infinite where it is too large for a number."""
    return math.exp(min(-total / count, 700.0))


def output_perplexity(trace: DecodeTrace, hypothesis: int = 0) -> float:
    """Per word, of an output that was searched for; one that was cut off has no end to count."""
    found = trace.hypotheses[hypothesis]
    return perplexity(found.total, len(set(found.groups)))


def read(pipeline: Pipeline, given: Given | Encoded, text: str) -> Reading:
    """Score a text after a source, or after nothing for a language model."""
    text = check_text(text).strip()
    encoding = pipeline.target_tokenizer.encode(text)
    encoded = given if isinstance(given, Encoded) else pipeline.encode(given)
    trace = pipeline.score(encoded, encoding.ids, SHOWN)
    path = trace.path()
    entropies, ranks = _open_places(pipeline, encoded, trace.token_ids())
    pieces = [
        Piece(node.token, node.logprob, int(rank), float(entropy), node.candidates)
        for node, entropy, rank in zip(path, entropies, ranks, strict=True)
    ]
    spans = (*encoding.spans, (len(text), len(text)))
    groups = trace.hypotheses[0].groups
    starts = [t for t in range(len(groups)) if t == 0 or groups[t] != groups[t - 1]]
    words = []
    for first, after in pairwise([*starts, len(groups)]):
        begin, end = spans[first][0], spans[after - 1][1]
        words.append(Word(text[begin:end].strip() or pieces[first].token, begin, end, first, tuple(pieces[first:after])))
    return Reading(text, tuple(words), spans, trace)


@torch.inference_mode()
def _open_places(pipeline: Pipeline, encoded: Encoded, ids: Sequence[int]) -> tuple[Doubles, Ints]:
    """For each token the entropy of its distribution in bits, and its place among all tokens, the likeliest first: [T] each."""
    model = pipeline.model
    before = torch.tensor([[BOS, *ids[:-1]]])
    logprobs = model.step(before, model.start(encoded.memory), encoded.memory).logits[0].log_softmax(-1)  # [T, V]
    own = logprobs.gather(1, torch.tensor(ids)[:, None])
    ranks = (logprobs > own).sum(1) + 1
    rank: Ints = ranks.numpy()
    return entropy_bits(logprobs.exp().numpy()), rank


def next_chances(pipeline: Pipeline, given: Given | Encoded, prefix: Sequence[int], ways: Sequence[DecodeSettings]) -> Floats:
    """What each way of sampling makes of the distribution over the token after `prefix`: [ways, V]; signs never written have none."""
    encoded = given if isinstance(given, Encoded) else pipeline.encode(given)
    logprobs = torch.from_numpy(np.array(next_logprobs(pipeline, encoded, prefix, len(prefix))))[None]
    logprobs.index_fill_(1, NEVER, -torch.inf)
    found: Floats = torch.cat([chances(logprobs, way) for way in ways]).float().numpy()
    return found
