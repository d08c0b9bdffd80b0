"""The decoder: one `step` for training, every search, teacher forcing, steering and looking inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from seq2seq_core.config import ModelConfig
from seq2seq_core.inputs.part import Head
from seq2seq_core.model import fast
from seq2seq_core.model.attention import REGISTRY, Attended, AttentionMap
from seq2seq_core.model.cells import Recurrence
from seq2seq_core.model.copying import Copying
from seq2seq_core.model.memory import Look, Memory, Reading
from seq2seq_core.model.override import NOTHING, Override
from seq2seq_core.model.record import Record


class StepOutput(NamedTuple):
    """What one step computed, for every row B and step T."""

    logits: Tensor  # [B, T, V]
    state: Tensor  # [B, L, C] after the last step
    hidden: Tensor  # [B, T, H] s_t
    weights: Tensor  # [B, T, K, S]; K = 0 without a map
    marks: dict[str, Tensor]  # one number a step, by name: [B, T]


class Decoder(nn.Module):
    """Embedding -> cell -> attention -> readout tanh(W_o [s_t; c_t]) -> output distribution; what joins what is the `wiring`."""

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
        joined = config.hidden * (2 if config.has_map and not config.carries_context else 1)
        width = joined if config.straight else config.embedding if config.tie_output else config.hidden
        self.readout = None if config.straight else nn.Linear(joined, width)
        self.output = nn.Linear(width, config.target_vocab)
        nn.init.zeros_(self.output.bias)
        if config.tie_output:
            self.output.weight = embedding.weight
        self.copying = Copying(config) if config.copying else None
        self.packed: fast.PackedLinear | None = None  # set once, by `pack`, in models that are only decoded with

    @property
    def heads(self) -> tuple[Head, ...]:
        """What the K of an attention row [K, S] are."""
        count = self.attention.heads if self.attention is not None else 0
        return tuple(Head(f"head {place + 1}" if count > 1 else "attention") for place in range(count))

    def remember(self, *parts: Reading) -> Memory:
        """What was read, with the keys of the map projected once."""
        full = all(bool(part.mask.all()) for part in parts)
        memory = Memory(parts, (), full)
        if self.attention is None:
            return memory
        return Memory(parts, (Look(self.attention.keys(memory.states), self.attention.mixed(memory.states)),), full)

    def start(self, memory: Memory) -> Tensor:
        """s_0 = tanh(W h_T + b), or zeros for a language model: [B, L, C]."""
        layers, size = self.config.decoder_layers, self.recurrence.state_size
        if self.config.source == "none":
            return memory.summary.new_zeros(memory.summary.shape[0], layers, size)
        return torch.unflatten(torch.tanh(self.bridge(memory.summary)), -1, (layers, size))

    def step(self, tokens: Tensor, state: Tensor, memory: Memory, override: Override = NOTHING, record: Record | None = None) -> StepOutput:
        """Previous tokens [B, T], state [B, L, C] -> distributions over the next tokens. T = 1 when searching."""
        embedded = self._drop(torch.embedding(self.embedding.weight, tokens))  # [B, T, D]
        if record is not None:
            record.add(embedded=embedded)
        if self.attends_first:
            hidden, state, attended = self._attend_then_move(embedded, state, memory, override, record)
        elif self.config.carries_context:
            hidden, state, attended = self._move_then_carry(embedded, state, memory, override, record)
        else:
            if self.config.attention == "every-step":
                embedded = torch.cat([embedded, memory.summary.unsqueeze(1).expand(-1, tokens.shape[1], -1)], -1)
            hidden, state = self.recurrence.sequence(embedded, state, None, record)
            attended = self._attend(hidden, memory, override, record)
        logits, marks = self._say(hidden, attended, memory, record)
        return StepOutput(logits, state, hidden, attended.weights, marks)

    def _drop(self, values: Tensor) -> Tensor:
        return fast.drop(values, self.config.dropout, self.training)

    def _attend(self, states: Tensor, memory: Memory, override: Override, record: Record | None) -> Attended:
        if self.attention is None:
            nothing = states.new_empty(*states.shape[:2], 0, memory.mask.shape[1])
            return Attended(states.new_empty(*states.shape[:2], 0), nothing, {})
        mask = None if memory.full else memory.mask
        return self.attention.attend(states, memory.looks[0], mask, override, None if record is None else record.under("attention"))

    def _gated(self, states: Tensor, context: Tensor, record: Record | None, name: str = "gate") -> Tensor:
        """beta c_t with a gate beta = sigmoid(w s + b), in models that have one."""
        if not (self.config.gate and context.shape[-1]):
            return context
        gate = torch.sigmoid(self.gate(states))  # [B, T, 1]
        if record is not None:
            record.add(**{name: gate})
        return gate * context

    def _attend_then_move(
        self, embedded: Tensor, state: Tensor, memory: Memory, override: Override, record: Record | None
    ) -> tuple[Tensor, Tensor, Attended]:
        """`input` wiring: the context found with s_{t-1} enters the cell, so steps go one by one."""
        moved, looked = [], []
        for t in range(embedded.shape[1]):
            before = state[:, -1, : self.config.hidden].unsqueeze(1)  # s_{t-1} [B, 1, H]
            attended = self._attend(before, memory, override.at(t), record)
            entering = self._gated(before, attended.context, record, "cell gate")
            output, state = self.recurrence.step(torch.cat([embedded[:, t], entering[:, 0]], -1), state, record)
            moved.append(output)
            looked.append(attended)
        return torch.stack(moved, 1), state, _joined(looked)

    def _move_then_carry(
        self, embedded: Tensor, state: Tensor, memory: Memory, override: Override, record: Record | None
    ) -> tuple[Tensor, Tensor, Attended]:
        """`state` wiring: the context found with s_t takes its place, and the next step begins with it."""
        moved, looked = [], []
        for t in range(embedded.shape[1]):
            output, after = self.recurrence.step(embedded[:, t], state, record)
            attended = self._attend(output.unsqueeze(1), memory, override.at(t), record)
            top = torch.cat([attended.context[:, 0], after[:, -1, self.config.hidden :]], -1)  # an LSTM keeps its cell vector
            state = torch.cat([after[:, :-1], top.unsqueeze(1)], 1)
            moved.append(output)
            looked.append(attended)
        return torch.stack(moved, 1), state, _joined(looked)

    def _say(self, hidden: Tensor, attended: Attended, memory: Memory, record: Record | None) -> tuple[Tensor, dict[str, Tensor]]:
        """Logits [B, T, V], and the marks of the steps."""
        context, marks = attended.context, attended.marks
        if self.config.carries_context:
            joined = context
        else:
            joined = torch.cat([hidden, self._gated(hidden, context, record)], -1) if context.shape[-1] else hidden
        readout = joined if self.readout is None else torch.tanh(F.linear(joined, self.readout.weight, self.readout.bias))
        logits = fast.project(self._drop(readout), self.output, self.packed)
        if self.copying is not None:
            logits, copied = self.copying(logits, joined, attended.weights, memory.pieces, record)
            marks = {**marks, "copy": copied}
        if record is not None:
            record.add(hidden=hidden, joined=joined, readout=readout, logits=logits)
        return logits, marks


def _joined(looks: Sequence[Attended]) -> Attended:
    """Steps taken one by one, as one."""
    context, weights = (torch.cat(parts, 1) for parts in list(zip(*looks, strict=True))[:2])
    return Attended(context, weights, {name: torch.cat([one.marks[name] for one in looks], 1) for name in looks[0].marks})
