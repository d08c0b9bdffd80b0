"""The decoder: one `step` for training, every search, teacher forcing and steering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from seq2seq_core.config import ModelConfig
from seq2seq_core.model.attention import PLAIN, REGISTRY, Attended, AttentionMap, Look, Memory, Rows
from seq2seq_core.model.cells import Recurrence
from seq2seq_core.model.dropout import drop
from seq2seq_core.model.packed import PackedLinear


class StepOutput(NamedTuple):
    """What one step computed, for every row B and step T."""

    logits: Tensor  # [B, T, V]
    state: Tensor  # [B, L, C] after the last step
    hidden: Tensor  # [B, T, H] s_t
    context: Tensor  # [B, T, E] c_t; E = 0 without a map
    weights: Tensor  # [B, T, K, S]; K = 0 without a map
    scores: Tensor  # [B, T, K, S] before the softmax
    marks: dict[str, Tensor]  # one number a step, by name: [B, T]


class Decoder(nn.Module):
    """Embedding -> cell -> attention -> readout tanh(W_o [s_t; c_t]) -> output distribution."""

    def __init__(self, config: ModelConfig, embedding: nn.Embedding) -> None:
        super().__init__()
        self.config = config
        self.embedding = embedding
        self.attention: AttentionMap | None = REGISTRY[config.attention](config) if config.has_map else None
        self.attends_first = config.has_map and config.wiring == "input"
        extra = config.hidden if self.attends_first or config.attention == "every-step" else 0
        self.recurrence = Recurrence(config.cell, config.embedding + extra, config.hidden, config.decoder_layers, dropout=config.dropout)
        if config.source != "none":
            self.bridge = nn.Linear(config.hidden, config.decoder_layers * self.recurrence.state_size)
        if config.gate and config.has_map:
            self.gate = nn.Linear(config.hidden, 1)
        width = config.embedding if config.tie_output else config.hidden
        self.readout = nn.Linear(config.hidden * (2 if config.has_map else 1), width)
        self.output = nn.Linear(width, config.target_vocab)
        nn.init.zeros_(self.output.bias)
        if config.tie_output:
            self.output.weight = embedding.weight
        self.packed: PackedLinear | None = None  # set once, by `pack`, in models that are only decoded with

    def start(self, memory: Memory) -> Tensor:
        """s_0 = tanh(W h_T), or zeros for a language model: [B, L, C]."""
        layers, size = self.config.decoder_layers, self.recurrence.state_size
        if self.config.source == "none":
            return memory.summary.new_zeros(memory.summary.shape[0], layers, size)
        return torch.unflatten(torch.tanh(self.bridge(memory.summary)), -1, (layers, size))

    def step(self, tokens: Tensor, state: Tensor, memory: Memory, look: Look = PLAIN) -> StepOutput:
        """Previous tokens [B, T], state [B, L, C] -> distributions over the next tokens. T = 1 when searching."""
        embedded = self._drop(torch.embedding(self.embedding.weight, tokens))  # [B, T, D]
        if self.attends_first:
            hidden, state, attended = self._attend_then_move(embedded, state, memory, look)
        else:
            if self.config.attention == "every-step":
                embedded = torch.cat([embedded, memory.summary.unsqueeze(1).expand(-1, tokens.shape[1], -1)], -1)
            hidden, state = self.recurrence.sequence(embedded, state)
            attended = self._attend(hidden, memory, look)
        return StepOutput(self._distribution(hidden, attended.context), state, hidden, *attended)

    def _drop(self, values: Tensor) -> Tensor:
        return drop(values, self.config.dropout, self.training)

    def _attend(self, query: Tensor, memory: Memory, look: Look) -> Attended:
        if self.attention is None:
            nothing = query.new_empty(*query.shape[:2], 0, memory.mask.shape[1])
            return Attended(query.new_empty(*query.shape[:2], 0), nothing, nothing, {})
        return self.attention.attend(query, memory, look)

    def _gated(self, query: Tensor, context: Tensor) -> Tensor:
        if self.config.gate and context.shape[-1]:
            return torch.sigmoid(self.gate(query)) * context
        return context

    def _attend_then_move(self, embedded: Tensor, state: Tensor, memory: Memory, look: Look) -> tuple[Tensor, Tensor, Attended]:
        """`input` wiring: the context found with s_{t-1} enters the cell, so steps go one by one."""
        moved, looked = [], []
        for t in range(embedded.shape[1]):
            query = state[:, -1, : self.config.hidden].unsqueeze(1)  # s_{t-1} [B, 1, H]
            attended = self._attend(query, memory, _at(look, t))
            output, state = self.recurrence.step(torch.cat([embedded[:, t], self._gated(query, attended.context)[:, 0]], -1), state)
            moved.append(output)
            looked.append(attended)
        return torch.stack(moved, 1), state, _joined(looked)

    def _distribution(self, hidden: Tensor, context: Tensor) -> Tensor:
        joined = torch.cat([hidden, self._gated(hidden, context)], -1) if context.shape[-1] else hidden
        readout = torch.tanh(F.linear(joined, self.readout.weight, self.readout.bias))
        if self.packed is not None and not torch.is_grad_enabled():
            return self.packed(readout)
        return F.linear(self._drop(readout), self.output.weight, self.output.bias)


def _at(look: Look, t: int) -> Look:
    """The part of `look` that concerns step t."""
    if look is PLAIN:
        return look
    rows = None if look.rows is None else Rows(look.rows.values[:, t : t + 1], look.rows.replace[:, t : t + 1])
    return Look(rows, None if look.noise is None else look.noise[:, t : t + 1], look.expected)


def _joined(looks: Sequence[Attended]) -> Attended:
    """Steps taken one by one, as one."""
    context, weights, scores = (torch.cat(parts, 1) for parts in list(zip(*looks, strict=True))[:3])
    return Attended(context, weights, scores, {name: torch.cat([one.marks[name] for one in looks], 1) for name in looks[0].marks})
