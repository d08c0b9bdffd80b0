"""A Transformer in place of the recurrent parts (Vaswani et al. 2017), with the norm before each part (Xiong et al. 2020).

It leaves the same `Reading`, looks through the same `MultiHead` and takes the same `step`: its state is what it has seen of its own output.
Every part adds to a stream x [B, T, H]: x + attention(norm(x)), then x + W_2 relu(W_1 norm(x) + b_1) + b_2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from seq2seq_core.config import ModelConfig
from seq2seq_core.inputs.part import Head
from seq2seq_core.model import fast
from seq2seq_core.model.attention import Attended, MultiHead
from seq2seq_core.model.decoder import StepOutput
from seq2seq_core.model.memory import Look, Memory, Reading
from seq2seq_core.model.override import NOTHING, Override
from seq2seq_core.model.record import Record


def placed(embedded: Tensor, first: int = 0) -> Tensor:
    """sqrt(H) e + p for positions from `first` on: p_(t, 2i) = sin(t / 10000^(2i / H)), p_(t, 2i + 1) the cosine: [B, T, H]."""
    count, width = embedded.shape[1:]
    pace = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000) / width))  # [H / 2]
    angle = torch.arange(first, first + count).unsqueeze(1) * pace
    return math.sqrt(width) * embedded + torch.stack([angle.sin(), angle.cos()], -1).flatten(1)


class Forward(nn.Module):
    """W_2 relu(W_1 norm(x) + b_1) + b_2, position by position."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.hidden)
        self.w_1 = nn.Linear(config.hidden, config.forward)
        self.w_2 = nn.Linear(config.forward, config.hidden)

    def forward(self, stream: Tensor) -> Tensor:
        found: Tensor = self.w_2(torch.relu(self.w_1(self.norm(stream))))
        return found


class SelfAttention(nn.Module):
    """Queries, keys and values of one sequence."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.hidden)
        self.attention = MultiHead(config)

    def forward(self, stream: Tensor, before: Tensor | None, mask: Tensor | None, record: Record | None) -> tuple[Tensor, Tensor]:
        """Stream [B, T, H], keys and values of P positions before [B, P, 2 H] -> mixed [B, T, H], the new ones [B, T, 2 H].

        `mask`: [B, P + T] or, where each step sees others, [1, T, P + T].
        """
        states = self.norm(stream)
        new = torch.cat([_flat(self.attention.keys(states)), _flat(self.attention.mixed(states))], -1)
        keys, mixed = (new if before is None else torch.cat([before, new], 1)).chunk(2, -1)
        look = Look(self._heads(keys), self._heads(mixed))
        return self.attention.attend(states, look, mask, NOTHING, record).context, new

    def _heads(self, values: Tensor) -> Tensor:
        return torch.unflatten(values, -1, (self.attention.heads, -1)).transpose(1, 2)  # [B, S, H] -> [B, K, S, d]


def _flat(heads: Tensor) -> Tensor:
    return heads.transpose(1, 2).flatten(2)  # [B, K, S, d] -> [B, S, H]


class EncoderLayer(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.dropout = config.dropout
        self.itself = SelfAttention(config)
        self.forwards = Forward(config)

    def forward(self, stream: Tensor, mask: Tensor | None, record: Record | None) -> Tensor:
        stream = stream + fast.drop(self.itself(stream, None, mask, record)[0], self.dropout, self.training)
        return stream + fast.drop(self.forwards(stream), self.dropout, self.training)


class TransformerEncoder(nn.Module):
    """Every position looks at every other, layer by layer; h_T is the mean of what they leave."""

    def __init__(self, config: ModelConfig, embedding: nn.Embedding) -> None:
        super().__init__()
        self.embedding = embedding
        self.dropout = config.dropout
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.norm = nn.LayerNorm(config.hidden)

    def forward(self, source: Tensor, lengths: Tensor, record: Record | None = None) -> Reading:
        """Pieces [B, S], lengths [B] -> states [B, S, H], mask [B, S], their mean [B, H]."""
        return self.read(self.embedding(source), lengths, record)

    def read(self, embedded: Tensor, lengths: Tensor, record: Record | None = None) -> Reading:
        """The same from the embeddings [B, S, H], so that a gradient can be taken there."""
        if record is not None:
            record.add(embedded=embedded)
        mask = torch.arange(embedded.shape[1]) < lengths[:, None]
        stream = fast.drop(placed(embedded), self.dropout, self.training)
        for number, layer in enumerate(self.layers):
            stream = layer(stream, mask, None if record is None else record.under(f"layer {number + 1}"))
        states = self.norm(stream)
        mean = (states * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True).clamp_min(1)
        return Reading(states, mask, mean)


class DecoderLayer(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.dropout = config.dropout
        self.itself = SelfAttention(config)
        self.norm = nn.LayerNorm(config.hidden)
        self.attention = MultiHead(config)
        self.forwards = Forward(config)

    def forward(
        self,
        stream: Tensor,
        before: Tensor,
        causal: Tensor | None,
        look: Look,
        mask: Tensor | None,
        override: Override,
        record: Record | None,
    ) -> tuple[Tensor, Tensor, Attended]:
        """Stream [B, T, H] -> the stream, the new keys and values [B, T, 2 H], and where it looked in the source."""
        mixed, new = self.itself(stream, before, causal, None if record is None else record.under("itself"))
        stream = stream + self._drop(mixed)
        looked = self.attention.attend(self.norm(stream), look, mask, override, None if record is None else record.under("attention"))
        stream = stream + self._drop(looked.context)
        return stream + self._drop(self.forwards(stream)), new, looked

    def _drop(self, values: Tensor) -> Tensor:
        return fast.drop(values, self.dropout, self.training)


class TransformerDecoder(nn.Module):
    """Each step looks at the steps before it and at the source; the state [B, P, C] holds the keys and values of the P steps so far."""

    def __init__(self, config: ModelConfig, embedding: nn.Embedding) -> None:
        super().__init__()
        self.config = config
        self.embedding = embedding
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.norm = nn.LayerNorm(config.hidden)
        self.output = nn.Linear(config.hidden, config.target_vocab)
        nn.init.zeros_(self.output.bias)
        if config.tie_output:
            self.output.weight = embedding.weight
        self.packed: fast.PackedLinear | None = None  # set once, by `pack`, in models that are only decoded with

    @property
    def heads(self) -> tuple[Head, ...]:
        """Of every layer its heads at the source."""
        return tuple(
            Head(f"layer {layer + 1}, head {head + 1}", layer=layer)
            for layer in range(self.config.decoder_layers)
            for head in range(self.config.heads)
        )

    def remember(self, *parts: Reading) -> Memory:
        """What was read, with the keys and values of every layer projected once."""
        memory = Memory(parts, (), all(bool(part.mask.all()) for part in parts))
        looks = tuple(Look(layer.attention.keys(memory.states), layer.attention.mixed(memory.states)) for layer in self.layers)  # type: ignore[union-attr, operator]
        return Memory(parts, looks, memory.full)

    def start(self, memory: Memory) -> Tensor:
        """Nothing is said yet: [B, 0, C] with C = 2 H for each layer."""
        return memory.summary.new_zeros(len(memory.mask), 0, 2 * self.config.hidden * self.config.decoder_layers)

    def step(self, tokens: Tensor, state: Tensor, memory: Memory, override: Override = NOTHING, record: Record | None = None) -> StepOutput:
        """Previous tokens [B, T], state [B, P, C] -> distributions over the next tokens, state [B, P + T, C]. T = 1 when searching."""
        past, steps = state.shape[1], tokens.shape[1]
        embedded = torch.embedding(self.embedding.weight, tokens)
        if record is not None:
            record.add(embedded=embedded)
        causal = None if steps == 1 else torch.ones(1, steps, past + steps, dtype=torch.bool).tril(past)
        mask = None if memory.full else memory.mask
        stream = fast.drop(placed(embedded, past), self.config.dropout, self.training)
        new, weights = [], []
        for number, (layer, before, look) in enumerate(zip(self.layers, state.chunk(len(self.layers), -1), memory.looks, strict=True)):
            under = None if record is None else record.under(f"layer {number + 1}")
            stream, seen, looked = layer(stream, before, causal, look, mask, override, under)
            new.append(seen)
            weights.append(looked.weights)
        hidden = self.norm(stream)
        logits = fast.project(fast.drop(hidden, self.config.dropout, self.training), self.output, self.packed)
        if record is not None:
            record.add(hidden=hidden, logits=logits)
        return StepOutput(logits, torch.cat([state, torch.cat(new, -1)], 1), hidden, torch.cat(weights, 2), {})
