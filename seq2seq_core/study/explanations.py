"""Is attention an explanation? Gradient x input and leave-one-out beside it, and a very different row with almost the same output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS
from seq2seq_core.model.encoders import ClipEncoder, SoundEncoder, TextEncoder
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.override import Override, Rows
from seq2seq_core.model.sentences import SentenceEncoder
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.model.transformer import TransformerEncoder
from seq2seq_core.pipeline import DEFAULTS, FREE, Encoded, Pipeline, Prompt
from seq2seq_core.search.job import steered
from seq2seq_core.study.left_out import leave_one_out, leave_region_out, name_of, parts_of
from seq2seq_core.study.measures import kendall_tau
from seq2seq_core.trace.nodes import Doubles, Floats
from seq2seq_core.trace.steering import Steering

DIFFERENT, SAME = 0.3, 0.05  # Jensen-Shannon divergence of the rows in nats (at most ln 2), total variation of the outputs
TINY = 1e-12  # keeps a logarithm and its gradient finite
RESTARTS, CLIMB_STEPS, SPARE = 6, 60, 0.8  # the climb aims below the limit on the output


@torch.inference_mode()
def next_logprobs(pipeline: Pipeline, encoded: Encoded, tokens: Sequence[int], step: int, steering: Steering = FREE) -> Floats:
    """The distribution over the token at `step`, after the tokens before it; rows and hidden positions of the steering hold: [V]."""
    model = pipeline.model
    memory, override = steered(model.config, encoded.memory, steering, step + 1)
    logits = model.step(torch.tensor([[BOS, *tokens[:step]]]), model.start(memory), memory, override).logits[0, -1]
    found: Floats = logits.log_softmax(-1).numpy()
    return found


# -- gradient x input -----------------------------------------------------------------------------------------------------


def gradient_times_input(pipeline: Pipeline, encoded: Encoded, tokens: Sequence[int], step: int, steering: Steering = FREE) -> Doubles:
    """d log p(y_t | ..) / d x_j . x_j for every source position [S], signed; x_j is the embedding, or the features of a picture's cell."""
    model = pipeline.model
    with torch.inference_mode(mode=False), torch.enable_grad():
        inputs, memory = _differentiable(model, encoded)
        memory, override = steered(model.config, memory, steering, step + 1)
        logits = model.step(torch.tensor([[BOS, *tokens[:step]]]), model.start(memory), memory, override).logits[0, -1]
        (gradient,) = torch.autograd.grad(logits.log_softmax(-1)[tokens[step]], inputs)
        products: Doubles = (gradient * inputs).sum(-1)[0].detach().double().numpy()
    return products


def _differentiable(model: Seq2Seq, encoded: Encoded) -> tuple[Tensor, Memory]:
    """The inputs, with a gradient, and the memory made of them."""
    positions = sum(part.positions for part in encoded.parts)
    if isinstance(model.encoder, SentenceEncoder):
        ids = torch.tensor([encoded.parts[0].ids])
        embedded = model.encoder.embedding(ids).detach().requires_grad_()
        return embedded, model.decoder.remember(model.encoder.read(ids, embedded, torch.tensor([positions])))
    if isinstance(model.encoder, TextEncoder | TransformerEncoder):
        ids = torch.tensor([encoded.parts[0].ids])
        embedded = model.encoder.embedding(ids).detach().requires_grad_()
        reading = model.encoder.read(embedded, torch.tensor([positions]))
        return embedded, model.decoder.remember(reading._replace(pieces=ids))
    if model.encoder is None or encoded.features[0] is None:
        raise InputError("A language model has no source to explain its output by.")
    features = encoded.features[0].clone().unsqueeze(0).requires_grad_()
    if isinstance(model.encoder, SoundEncoder | ClipEncoder):
        return features, model.decoder.remember(model.encoder(features, torch.tensor([positions])))
    return features, model.decoder.remember(model.encoder.read(features, torch.ones(1, positions, dtype=torch.bool)))


# -- side by side ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Explanation:
    """Three answers to "which part of the source mattered for this token?", one value per word or region."""

    words: tuple[str, ...]
    positions: tuple[tuple[int, ...], ...]  # of each word in the source
    attention: tuple[float, ...]  # summed over the pieces of a word, averaged over heads
    gradient: tuple[float, ...]  # gradient x input, summed over the pieces; signed
    left_out: tuple[float, ...]  # drops of log p; empty where nothing can be left out
    outputs: tuple[str, ...]  # decoded without the word
    tau_gradient: float | None  # of attention with the size of gradient x input
    tau_left_out: float | None  # of attention with the size of the drop


def explain(
    pipeline: Pipeline,
    encoded: Encoded,
    tokens: Sequence[int],
    step: int,
    attention: Floats,
    settings: DecodeSettings = DEFAULTS,
    prompt: Prompt = (),
) -> Explanation:
    """`attention`: the row of the step [S]; `prompt`: what the decoder was given, with which it decodes anew."""
    source = encoded.parts[0]
    parts = parts_of(source)
    weights = [float(attention[list(one)].sum()) for one in parts]
    products = gradient_times_input(pipeline, encoded, tokens, step)
    gradient = [float(products[list(one)].sum()) for one in parts]
    if source.kind == "grid":
        left = leave_region_out(pipeline, encoded, tokens, step, settings, prompt)
    else:
        left = leave_one_out(pipeline, source, tokens, step, settings, prompt)
    drops = tuple(one.drop for one in left)
    return Explanation(
        tuple(name_of(source, one) for one in parts), parts,
        tuple(weights), tuple(gradient), drops, tuple(one.output for one in left),
        kendall_tau(weights, np.abs(gradient)), kendall_tau(weights, np.abs(drops)) if drops else None,
    )  # fmt: skip


# -- an adversarial row ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Adversary:
    """The most different attention row found whose output distribution stays almost the same (Jain & Wallace 2019, section 4.2.2)."""

    weights: tuple[float, ...]
    divergence: float  # Jensen-Shannon divergence from the model's own row, in nats
    variation: float  # total variation of the output distributions
    tried: int  # rows

    @property
    def found(self) -> bool:
        """Very different attention, almost the same output; else the honest answer is that none was found."""
        return self.divergence >= DIFFERENT and self.variation <= SAME


class _OneStep:
    """The output at one step as a function of the attention row, for many rows at once."""

    def __init__(self, model: Seq2Seq, memory: Memory, tokens: Sequence[int], step: int, steering: Steering) -> None:
        memory, override = steered(model.config, memory, steering, step)
        self.memory = memory.rows(torch.zeros(1, dtype=torch.long))  # a copy that may enter a gradient
        self.model = model
        before = [BOS, *tokens[:step]]
        state = model.start(self.memory)
        if step:
            state = model.step(torch.tensor([before[:-1]]), state, self.memory, override).state
        self.state, self.last = state, before[-1]
        plain = model.step(torch.tensor([[self.last]]), state, self.memory)
        self.own: Tensor = plain.weights[0, 0].mean(0)  # [S]
        self.logprobs: Tensor = plain.logits[0, 0].log_softmax(-1)

    def outputs(self, rows: Tensor) -> Tensor:
        """Rows [B, S] -> log p [B, V]."""
        count = len(rows)
        override = Override(Rows(rows[:, None], torch.ones(count, 1, dtype=torch.bool)))
        memory = self.memory.rows(torch.zeros(count, dtype=torch.long))
        tokens = torch.full((count, 1), self.last)
        logits = self.model.step(tokens, self.state.expand(count, -1, -1).contiguous(), memory, override).logits
        return logits[:, 0].log_softmax(-1)

    def judge(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Divergence from the own row and variation of the output, each [B]."""
        variation = (self.outputs(rows).exp() - self.logprobs.exp()).abs().sum(-1) / 2
        middle = ((rows + self.own) / 2).clamp_min(TINY)
        parts = [(one * (one.clamp_min(TINY) / middle).log()).sum(-1) for one in (rows, self.own.expand_as(rows))]
        return (parts[0] + parts[1]) / 2, variation


def adversarial_row(
    pipeline: Pipeline, encoded: Encoded, tokens: Sequence[int], step: int, steering: Steering = FREE, seed: int = 0
) -> Adversary:
    """Search: all one-hot rows, the uniform one, shuffles of the own row, and a climb by gradients from the best of them."""
    if not pipeline.model.config.has_map:
        raise InputError(f"This model's attention is {pipeline.model.config.attention!r}: it has no attention row to replace.")
    with torch.inference_mode(mode=False), torch.no_grad():
        one = _OneStep(pipeline.model, encoded.memory, tokens, step, steering)
        rows = _guesses(one, torch.Generator().manual_seed(seed))
        divergence, variation = one.judge(rows)
        best = rows[(divergence - (variation - SAME * SPARE).clamp_min(0) * 10).argsort(descending=True)[:RESTARTS]]
        if pipeline.model.config.attention != "hard":  # a choice of one position has no gradient
            with torch.enable_grad():
                rows = torch.cat([rows, *_climb(one, best)])
            divergence, variation = one.judge(rows)
    allowed = variation <= SAME
    value = torch.where(allowed, divergence, -1 - variation)
    place = int(value.argmax())
    weights = tuple(round(float(weight), 6) for weight in rows[place])
    return Adversary(weights, float(divergence[place]), float(variation[place]), len(rows))


def _guesses(one: _OneStep, generator: torch.Generator) -> Tensor:
    """One-hot rows, the uniform row and shuffles of the own row, over the visible positions: [B, S]."""
    visible = one.memory.mask[0].nonzero()[:, 0]
    size = len(one.own)
    eye = torch.eye(size)[visible]
    uniform = eye.mean(0, keepdim=True)
    shuffled = torch.zeros(40, size)
    for row in shuffled:
        row[visible] = one.own[visible[torch.randperm(len(visible), generator=generator)]]
    return torch.cat([eye, uniform, shuffled])


def _climb(one: _OneStep, starts: Tensor) -> list[Tensor]:
    """Towards a greater divergence, held back where the output changes; the rows on the way."""
    hidden = ~one.memory.mask
    logits = (starts * 0.98 + 0.02 / starts.shape[1]).log().masked_fill(hidden, -30.0).requires_grad_()
    optimizer = torch.optim.Adam([logits], lr=0.25)
    seen: list[Tensor] = []
    for turn in range(CLIMB_STEPS):
        rows = logits.masked_fill(hidden, -torch.inf).softmax(-1)
        divergence, variation = one.judge(rows)
        loss: Any = (10 * (variation - SAME * SPARE).clamp_min(0) - divergence).sum()
        (logits.grad,) = torch.autograd.grad(loss, [logits])
        optimizer.step()
        if turn % 10 == 9:
            seen.append(rows.detach())
    return seen
