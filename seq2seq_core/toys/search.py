"""A task so small that every output can be visited: the exact best beside what greedy and beam search find."""

from __future__ import annotations

import random
from dataclasses import dataclass

import torch
from torch.nn.functional import cross_entropy

from seq2seq_core.config import DecodeSettings, ModelConfig
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import PAD, CharacterTokenizer
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.search.exhaustive import visits
from seq2seq_core.training.readers import Example, collate

LETTERS = "abc"
LONGEST = 6  # letters of a source
STEPS, BATCH, HIDDEN = 150, 64, 16  # it is not sure of itself yet: then searches differ


def toy_pipeline(seed: int = 1) -> Pipeline:
    """A model that has begun to learn to write letters backwards; the same one for the same seed."""
    letters = CharacterTokenizer(list(LETTERS))
    size = letters.size
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        config = ModelConfig(
            task="transliteration", source_vocab=size, target_vocab=size, embedding=8, hidden=HIDDEN, encoder_layers=1, dropout=0.0
        )
        model = Seq2Seq(config)
    rng = random.Random(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(STEPS):
        sources = ["".join(rng.choice(LETTERS) for _ in range(rng.randint(1, LONGEST))) for _ in range(BATCH)]
        batch = collate([Example(letters.encode(one).ids, letters.encode(one[::-1]).ids) for one in sources])
        memory = model.encode(batch.source, batch.lengths)
        logits = model.step(batch.target_in, model.start(memory), memory).logits
        loss = cross_entropy(logits.flatten(0, 1), batch.target_out.flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return Pipeline("toy/reverse", model.eval(), letters, letters, {"task": "transliteration"})


@dataclass(frozen=True, slots=True)
class Found:
    """What one search found."""

    name: str
    output: str
    total: float
    looked_at: int  # sequences, for the exhaustive search; continuations, for a beam


@dataclass(frozen=True, slots=True)
class ToySearch:
    """All searches of one source, the exhaustive one first; every one ranks by the plain log-probability."""

    found: tuple[Found, ...]
    limit: int  # greatest length L, the end sign included
    upper: int  # (D + 2)^L, with D letters and the two signs


def search_all(pipeline: Pipeline, source: str, beams: tuple[int, ...] = (1, 2, 3, 5)) -> ToySearch:
    if not source or len(source) > LONGEST or set(source) - set(LETTERS):
        raise InputError(f"{source[:20]!r} is not a source of the toy task; type 1 to {LONGEST} of the letters {', '.join(LETTERS)}.")
    limit = len(source) + 2
    exact = pipeline.decode(source, DecodeSettings(search="exhaustive", length_penalty=0.0, max_length=limit))
    found = [Found("exhaustive", exact.text(), exact.hypotheses[0].total, visits(len(LETTERS) + 1, limit))]
    for size in beams:
        trace = pipeline.decode(source, DecodeSettings(beam_size=size, length_penalty=0.0, max_length=limit))
        found.append(Found("greedy" if size == 1 else f"beam {size}", trace.text(), trace.hypotheses[0].total, len(trace.nodes)))
    return ToySearch(tuple(found), limit, (len(LETTERS) + 2) ** limit)
