"""The score functions: each says how well a decoder state s_t fits each memory position h_j, in one small class.

Shapes: batch B, target steps T, source positions S, heads K, hidden H, memory width E. Every class keeps to
scores e [B, T, K, S] -> weights alpha = softmax(e) over the unmasked positions -> context c_t = sum_j alpha_tj h_j [B, T, E].
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from seq2seq_core.config import ModelConfig


@dataclass(frozen=True, slots=True)
class Memory:
    """What the decoder may look at. Made once a sentence, never changed: projected keys are values here, not state of a module."""

    values: Tensor  # [B, S, E] the encoder's states h_j
    keys: Tensor  # [B, K, S, A] what a query is compared with; K = 0 without a map
    mixed: Tensor  # [B, K, S, E / K] what the weights mix
    mask: Tensor  # [B, S] True where there is a source position
    summary: Tensor  # [B, E] h_T, the whole source in one vector
    full: bool = False  # every position is real, so nothing has to be masked

    def select(self, rows: Tensor) -> Memory:
        return Memory(self.values[rows], self.keys[rows], self.mixed[rows], self.mask[rows], self.summary[rows], self.full)

    def repeated(self, times: int) -> Memory:
        """Each source so many times, one after the other."""

        def several(values: Tensor) -> Tensor:
            return values.unsqueeze(1).expand(-1, times, *values.shape[1:]).flatten(0, 1)

        if times == 1:
            return self
        values, keys, mixed, mask, summary = map(several, (self.values, self.keys, self.mixed, self.mask, self.summary))
        return Memory(values, keys, mixed, mask, summary, self.full)

    def hide(self, positions: Tensor) -> Memory:
        """The same memory with positions [B, S] masked out."""
        return replace(self, mask=self.mask & ~positions, full=False)


@dataclass(frozen=True, slots=True)
class Rows:
    """Attention rows to use instead of the model's own: values [B, T, S] where replace [B, T] is True, for every head."""

    values: Tensor
    replace: Tensor


@dataclass(frozen=True, slots=True)
class Look:
    """How to look: rows put in by a person, and for hard attention Gumbel noise [B, T, S] to sample with (none: the likeliest)."""

    rows: Rows | None = None
    noise: Tensor | None = None
    expected: bool = False  # hard attention: mix by the weights instead of choosing a position


def gumbel(uniform: Tensor) -> Tensor:
    """Uniform numbers as the noise that turns the likeliest into a draw (Gumbel 1954); they are clamped in place."""
    return -torch.log(-torch.log(uniform.clamp_(1e-9, 1 - 1e-7)))


class Attended(NamedTuple):
    context: Tensor  # [B, T, E]
    weights: Tensor  # [B, T, K, S]
    scores: Tensor  # [B, T, K, S]
    marks: dict[str, Tensor]  # one number a step, by name: [B, T]. Whole numbers are positions: "glimpse", where hard attention looked


PLAIN = Look()


class AttentionMap(nn.Module):
    """What all score functions share: one head, keys and values are the memory itself."""

    heads = 1

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.hidden = config.hidden

    def keys(self, values: Tensor) -> Tensor:
        """What a query is compared with, projected once a sentence: [B, S, E] -> [B, K, S, A]."""
        return values.unsqueeze(1)

    def mixed(self, values: Tensor) -> Tensor:
        """What the weights mix: [B, S, E] -> [B, K, S, E / K]."""
        return values.unsqueeze(1)

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        """[B, T, H], [B, K, S, A] -> e [B, T, K, S]."""
        raise NotImplementedError

    def weigh(self, scores: Tensor, memory: Memory, look: Look) -> Tensor:
        """Softmax over the unmasked positions; a masked one gets exactly 0."""
        weights = (scores if memory.full else scores.masked_fill(~memory.mask[:, None, None], -math.inf)).softmax(-1)
        if look.rows is not None:
            weights = torch.where(look.rows.replace[:, :, None, None], look.rows.values.unsqueeze(2), weights)
        return weights

    def mix(self, weights: Tensor, mixed: Tensor) -> Tensor:
        """c_t = sum_j alpha_tj h_j: [B, T, 1, S], [B, 1, S, E] -> [B, T, E]."""
        return (weights.transpose(1, 2) @ mixed).squeeze(1)

    def attend(self, query: Tensor, memory: Memory, look: Look = PLAIN) -> Attended:
        """States [B, T, H] -> contexts, weights and scores."""
        scores = self.scores(query, memory.keys)
        weights = self.weigh(scores, memory, look)
        return Attended(self.mix(weights, memory.mixed), weights, scores, {})


def products(query: Tensor, keys: Tensor) -> Tensor:
    """All states with all keys of the one head, as one product: [B, T, A], [B, 1, S, A] -> [B, T, 1, S]."""
    return (query.unsqueeze(1) @ keys.transpose(2, 3)).transpose(1, 2)


class Dot(AttentionMap):
    """e_tj = s_t . h_j   (Luong et al. 2015, eq. 8, "dot")."""

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        return products(query, keys)


class Bilinear(AttentionMap):
    """e_tj = s_t W h_j   (Luong et al. 2015, eq. 8, "general")."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.w = nn.Linear(config.hidden, config.hidden, bias=False)

    def keys(self, values: Tensor) -> Tensor:
        return super().keys(self.w(values))

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        return products(query, keys)


class Additive(AttentionMap):
    """e_tj = v . tanh(U s_t + W h_j)   (Bahdanau et al. 2015, appendix A.1.2)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.u = nn.Linear(config.hidden, config.hidden, bias=False)
        self.w = nn.Linear(config.hidden, config.hidden, bias=False)
        self.v = nn.Linear(config.hidden, 1, bias=False)

    def keys(self, values: Tensor) -> Tensor:
        return super().keys(self.w(values))

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        summed = torch.tanh(F.linear(query, self.u.weight).unsqueeze(2) + keys)  # [B, T, 1, A] + [B, 1, S, A] -> [B, T, S, A]
        return F.linear(summed, self.v.weight).transpose(2, 3)  # [B, T, S, 1] -> [B, T, 1, S]


class KeyQuery(AttentionMap):
    """k_j = tanh(W_k h_j), q_t = tanh(W_q s_t), e_tj = q_t . k_j / sqrt(d)   (scaled as in Vaswani et al. 2017)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.w_k = nn.Linear(config.hidden, config.hidden)
        self.w_q = nn.Linear(config.hidden, config.hidden)

    def keys(self, values: Tensor) -> Tensor:
        return super().keys(torch.tanh(self.w_k(values)))

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        return products(torch.tanh(self.w_q(query)) / math.sqrt(self.hidden), keys)


class MultiHead(AttentionMap):
    """head_i = softmax(q_i k_i / sqrt(d)) v_i with q, k, v projected to d = H / K; c = W_o [head_1; ..; head_K]   (Vaswani et al. 2017)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.heads = config.heads
        self.w_q = nn.Linear(config.hidden, config.hidden)
        self.w_k = nn.Linear(config.hidden, config.hidden)
        self.w_v = nn.Linear(config.hidden, config.hidden)
        self.w_o = nn.Linear(config.hidden, config.hidden)

    def _split(self, projected: Tensor) -> Tensor:
        return torch.unflatten(projected, -1, (self.heads, -1)).transpose(1, 2)  # [B, S, H] -> [B, K, S, d]

    def keys(self, values: Tensor) -> Tensor:
        return self._split(self.w_k(values))

    def mixed(self, values: Tensor) -> Tensor:
        return self._split(self.w_v(values))

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        q = self._split(self.w_q(query)) / math.sqrt(keys.shape[-1])  # [B, K, T, d]
        return (q @ keys.transpose(2, 3)).transpose(1, 2)  # [B, K, T, S] -> [B, T, K, S]

    def mix(self, weights: Tensor, mixed: Tensor) -> Tensor:
        heads = weights.transpose(1, 2) @ mixed  # [B, K, T, S] @ [B, K, S, d] -> [B, K, T, d]
        out: Tensor = self.w_o(heads.transpose(1, 2).flatten(2))
        return out


class Hard(KeyQuery):
    """Scores as `KeyQuery`, but the context is one position, c_t = h_j with j drawn from alpha_t   (Xu et al. 2015, section 4.1).

    A draw from a categorical distribution is argmax_j (log alpha_j + g_j) with Gumbel noise g.
    """

    def attend(self, query: Tensor, memory: Memory, look: Look = PLAIN) -> Attended:
        scores = self.scores(query, memory.keys)
        weights = self.weigh(scores, memory, look)
        chances = weights.squeeze(2).detach().log()  # [B, T, S], -inf on masked positions
        glimpse = (chances if look.noise is None else chances + look.noise).argmax(-1)  # [B, T]
        used = weights if look.expected else torch.zeros_like(weights).scatter_(3, glimpse[:, :, None, None], 1.0)
        return Attended(self.mix(used, memory.mixed), weights, scores, {"glimpse": glimpse})


REGISTRY: dict[str, type[AttentionMap]] = {
    "dot": Dot,
    "bilinear": Bilinear,
    "additive": Additive,
    "key-query": KeyQuery,
    "multi-head": MultiHead,
    "hard": Hard,
}
