"""Greedy and beam search as they are described, one sentence and one beginning at a time.

The searches of the app do the same for batches, at once and with everything they considered; the tests hold them to these.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from seq2seq_core.inputs.tokenizer import BOS, EOS, PAD, UNK
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.override import NOTHING, Override
from seq2seq_core.model.seq2seq import Seq2Seq

NEVER = (PAD, BOS, UNK)  # no search produces these
Tokens = tuple[int, ...]


@torch.no_grad()
def next_logprobs(model: Seq2Seq, memory: Memory, prefix: Sequence[int], override: Override = NOTHING) -> Tensor:
    """log p of every token after a prefix [V], by running the whole prefix again."""
    output = model.step(torch.tensor([[BOS, *prefix]]), model.start(memory), memory, override)
    return output.logits[0, -1].log_softmax(-1).double()


def continuations(model: Seq2Seq, memory: Memory, prefix: Tokens) -> list[tuple[float, Tokens]]:
    """Every beginning that is one token longer, with the log-probability of that token."""
    logprobs = next_logprobs(model, memory, prefix).tolist()
    return [(logprob, (*prefix, token)) for token, logprob in enumerate(logprobs) if token not in NEVER]


def greedy(model: Seq2Seq, memory: Memory, limit: int) -> Tokens:
    """Always the most probable next token, until the end sign or the limit."""
    tokens: Tokens = ()
    while len(tokens) < limit and EOS not in tokens:
        _, tokens = max(continuations(model, memory, tokens))
    return tokens


def beam(
    model: Seq2Seq, memory: Memory, size: int, limit: int, alpha: float, wanted: int | None = 1
) -> tuple[list[tuple[float, Tokens]], int]:
    """The finished outputs, best score first (total / length ** alpha), and how many steps it took.

    Keep the `size` best beginnings. It is over when no beginning is left, or none can still score better than the `wanted` best
    outputs: totals only fall, so a beginning's own total at the greatest length is the most it can hope for. None: go to the limit.
    """
    live: list[tuple[float, Tokens]] = [(0.0, ())]
    finished: list[tuple[float, Tokens]] = []
    for step in range(1, limit + 1):
        pool = [(total + logprob, tokens) for total, prefix in live for logprob, tokens in continuations(model, memory, prefix)]
        live = []
        for total, tokens in sorted(pool, reverse=True)[: 1 if size == 1 else None]:  # a beam of one is greedy search
            if len(live) == size:
                break
            if tokens[-1] == EOS:
                finished.append((total / step**alpha, tokens))
            else:
                live.append((total, tokens))
        finished.sort(reverse=True)
        hope = live[0][0] / limit**alpha if live else -torch.inf
        if not live or (wanted is not None and len(finished) >= wanted and finished[wanted - 1][0] >= hope):
            return finished, step
    return finished or [(total / limit**alpha, tokens) for total, tokens in live], limit
