"""The attention variants: each is one small class that knows its score function, its equation, its words and its paper.

Shapes: batch B, target steps T, source positions S, heads K, hidden H, memory width E, width of a key A. Every class keeps to
query q [B, T, K, A], keys k [B, K, S, A] -> scores e [B, T, K, S] -> weights alpha = softmax(e) over the unmasked positions
-> context c_t = sum_j alpha_tj h_j [B, T, E]. A score is a sum of terms, so that every number of it can be shown.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from seq2seq_core.config import ATTENTIONS, ModelConfig
from seq2seq_core.model import fast
from seq2seq_core.model.memory import Look
from seq2seq_core.model.override import NOTHING, Override
from seq2seq_core.model.record import Record


class Variant:
    """What a variant says of itself."""

    name = ""  # as in `config.Attention`
    equation = ""  # LaTeX; indices t and i, j for heads and positions, d the width of a key
    says = ""  # one sentence, without its full stop
    paper = ""

    @classmethod
    def told(cls) -> str:
        return f"{cls.says} ({cls.paper})."


class NoAttention(Variant):
    name = "none"
    equation = r"s_0 = \tanh(W_s h_T + b_s)"
    says = "The decoder receives the source once: its first state is made from h_T, one vector for the whole source"
    paper = "Sutskever et al. 2014"


class EveryStep(Variant):
    name = "every-step"
    equation = r"s_t = f(s_{t-1},\ [x_t;\, h_T])"
    says = "The decoder receives the same vector h_T, the encoder's last state, beside every previous token"
    paper = "Cho et al. 2014"


class Attended(NamedTuple):
    context: Tensor  # [B, T, E]
    weights: Tensor  # [B, T, K, S]
    marks: dict[str, Tensor]  # one number a step, by name: [B, T]. Whole numbers are positions: "glimpse", where hard attention looked


class AttentionMap(Variant, nn.Module):
    """What all score functions share: one head; queries, keys and values are the states themselves."""

    heads = 1

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()

    def query(self, states: Tensor) -> Tensor:
        """What is compared with the keys: [B, T, H] -> q [B, T, K, A]."""
        return states.unsqueeze(2)

    def keys(self, values: Tensor) -> Tensor:
        """What a query is compared with, projected once a sentence: [B, S, E] -> k [B, K, S, A]."""
        return values.unsqueeze(1)

    def mixed(self, values: Tensor) -> Tensor:
        """What the weights mix: [B, S, E] -> [B, K, S, E / K]."""
        return values.unsqueeze(1)

    def terms(self, query: Tensor, keys: Tensor) -> Tensor:
        """The summands of every score: [B, T, K, A], [B, K, S, A] -> [B, T, K, S, A]."""
        raise NotImplementedError

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        """e [B, T, K, S]; a class that can say it faster does."""
        return self.terms(query, keys).sum(-1)

    def lines(self, query: Tensor, keys: Tensor) -> dict[str, Tensor]:
        """What comes before the sum, by its equation: each [B, T, K, S, A], or with 1 for T or S."""
        return {}

    def use(self, weights: Tensor, override: Override) -> tuple[Tensor, dict[str, Tensor]]:
        """What mixes, from the weights [B, T, K, S]; and marks."""
        return weights, {}

    def join(self, heads: Tensor) -> Tensor:
        """The mixes of all heads as one context: [B, K, T, E / K] -> [B, T, E]."""
        return heads.squeeze(1)

    def attend(
        self, states: Tensor, look: Look, mask: Tensor | None, override: Override = NOTHING, record: Record | None = None
    ) -> Attended:
        """States [B, T, H] -> contexts and weights. `mask`: [B, S] True where there is a position, or [B, T, S]; None: everywhere."""
        query = self.query(states)
        scores = self.scores(query, look.keys)
        weights = softmax(scores, mask, override)
        used, marks = self.use(weights, override)
        heads = fast.times(used.transpose(1, 2), look.mixed)  # sum_j alpha_tj h_j: [B, K, T, S] @ [B, K, S, E / K] -> [B, K, T, E / K]
        context = self.join(heads)
        if record is not None:
            record.add(states=states, query=query, terms=self.terms(query, look.keys), scores=scores, weights=weights, used=used)
            record.add(heads=heads.transpose(1, 2), context=context)
            lines = {line: value.expand(-1, query.shape[1], -1, -1, -1) for line, value in self.lines(query, look.keys).items()}
            record.under("lines").add(**lines)
        return Attended(context, weights, marks)


def softmax(scores: Tensor, mask: Tensor | None, override: Override) -> Tensor:
    """Over the unmasked positions, of which a masked one gets exactly 0; or the row that a person put in."""
    if mask is not None:
        scores = scores.masked_fill(~(mask[:, None, None] if mask.dim() == 2 else mask.unsqueeze(2)), -math.inf)
    weights = scores.softmax(-1)
    if override.rows is not None:
        weights = torch.where(override.rows.replace[:, :, None, None], override.rows.values.unsqueeze(2), weights)
    return weights


class Product(AttentionMap):
    """Scores that are products q_t . k_j, divided by sqrt(d) where they are scaled."""

    scaled = False

    def terms(self, query: Tensor, keys: Tensor) -> Tensor:
        terms = query.unsqueeze(3) * keys.unsqueeze(1)
        return terms / math.sqrt(keys.shape[-1]) if self.scaled else terms

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        """All queries with all keys of their head, as one matrix product."""
        query = query / math.sqrt(keys.shape[-1]) if self.scaled else query
        return fast.times(query.transpose(1, 2), keys.transpose(2, 3)).transpose(1, 2)  # [B, K, T, A] @ [B, K, A, S] -> [B, T, K, S]


class Dot(Product):
    """e_tj = s_t . h_j   (Luong et al. 2015, eq. 8, "dot")."""

    name = "dot"
    equation = r"e_{tj} = s_t^\top h_j"
    says = "At every step the decoder looks at all source positions; the score is the dot product e = s . h"
    paper = "Luong et al. 2015"


class Bilinear(Product):
    """e_tj = s_t W h_j   (Luong et al. 2015, eq. 8, "general")."""

    name = "bilinear"
    equation = r"e_{tj} = s_t^\top W h_j"
    says = "At every step the decoder looks at all source positions; the score is e = s W h"
    paper = "Luong et al. 2015"

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.w = nn.Linear(config.hidden, config.hidden, bias=False)

    def keys(self, values: Tensor) -> Tensor:
        return super().keys(self.w(values))

    def lines(self, query: Tensor, keys: Tensor) -> dict[str, Tensor]:
        return {r"W h_j": keys.unsqueeze(1)}


class Additive(AttentionMap):
    """e_tj = v . tanh(U s_t + W h_j)   (Bahdanau et al. 2015, appendix A.1.2)."""

    name = "additive"
    equation = r"e_{tj} = v^\top \tanh(U s_t + W h_j)"
    says = "At every step the decoder looks at all source positions; the score is e = v . tanh(U s + W h)"
    paper = "Bahdanau et al. 2015"

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.u = nn.Linear(config.hidden, config.hidden, bias=False)
        self.w = nn.Linear(config.hidden, config.hidden, bias=False)
        self.v = nn.Linear(config.hidden, 1, bias=False)

    def query(self, states: Tensor) -> Tensor:
        return F.linear(states, self.u.weight).unsqueeze(2)

    def keys(self, values: Tensor) -> Tensor:
        return super().keys(self.w(values))

    def terms(self, query: Tensor, keys: Tensor) -> Tensor:
        return self.v.weight[0] * torch.tanh(query.unsqueeze(3) + keys.unsqueeze(1))

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        return fast.additive_scores(query, keys, self.v.weight)

    def lines(self, query: Tensor, keys: Tensor) -> dict[str, Tensor]:
        q, k = query.unsqueeze(3), keys.unsqueeze(1)
        return {r"U s_t": q, r"W h_j": k, r"\tanh(U s_t + W h_j)": torch.tanh(q + k)}


class KeyQuery(Product):
    """k_j = tanh(W_k h_j), q_t = tanh(W_q s_t), e_tj = q_t . k_j / sqrt(d)   (scaled as in Vaswani et al. 2017)."""

    name = "key-query"
    equation = r"e_{tj} = \frac{q_t^\top k_j}{\sqrt{d}}"
    says = "At every step the decoder looks at all positions; k = tanh(W_k h), q = tanh(W_q s), e = q . k / sqrt(d)"
    paper = "scaled as in Vaswani et al. 2017"
    scaled = True

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.w_k = nn.Linear(config.hidden, config.hidden)
        self.w_q = nn.Linear(config.hidden, config.hidden)

    def query(self, states: Tensor) -> Tensor:
        return super().query(torch.tanh(self.w_q(states)))

    def keys(self, values: Tensor) -> Tensor:
        return super().keys(torch.tanh(self.w_k(values)))

    def lines(self, query: Tensor, keys: Tensor) -> dict[str, Tensor]:
        return {r"q_t = \tanh(W_q s_t + b_q)": query.unsqueeze(3), r"k_j = \tanh(W_k h_j + b_k)": keys.unsqueeze(1)}


class Hard(KeyQuery):
    """Scores as `KeyQuery`, but the context is one position, c_t = h_j with j drawn from alpha_t   (Xu et al. 2015, section 4.1).

    A draw from a categorical distribution is argmax_j (log alpha_j + g_j) with Gumbel noise g.
    """

    name = "hard"
    says = "At every step the decoder looks at one position only, drawn from the attention distribution"
    paper = "Xu et al. 2015"

    def use(self, weights: Tensor, override: Override) -> tuple[Tensor, dict[str, Tensor]]:
        chances = weights.squeeze(2).detach().log()  # [B, T, S], -inf on masked positions
        glimpse = (chances if override.noise is None else chances + override.noise).argmax(-1)  # [B, T]
        used = weights if override.expected else torch.zeros_like(weights).scatter_(3, glimpse[:, :, None, None], 1.0)
        return used, {"glimpse": glimpse}


class MultiHead(Product):
    """head_i = softmax(q_i k_i / sqrt(d)) v_i with q, k, v projected to d = H / K; c = W_o [head_1; ..; head_K]   (Vaswani et al. 2017)."""

    name = "multi-head"
    equation = r"e^{(i)}_{tj} = \frac{q_{t,i}^\top k_{j,i}}{\sqrt{d}}"
    says = "At every step four heads look at the source, each with keys, queries and values of its own"
    paper = "Vaswani et al. 2017"
    scaled = True

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.heads = config.heads
        self.w_q = nn.Linear(config.hidden, config.hidden)
        self.w_k = nn.Linear(config.hidden, config.hidden)
        self.w_v = nn.Linear(config.hidden, config.hidden)
        self.w_o = nn.Linear(config.hidden, config.hidden)

    def _split(self, projected: Tensor) -> Tensor:
        return torch.unflatten(projected, -1, (self.heads, -1))  # [B, S, H] -> [B, S, K, d]

    def query(self, states: Tensor) -> Tensor:
        return self._split(self.w_q(states))

    def keys(self, values: Tensor) -> Tensor:
        return self._split(self.w_k(values)).transpose(1, 2)

    def mixed(self, values: Tensor) -> Tensor:
        return self._split(self.w_v(values)).transpose(1, 2)

    def join(self, heads: Tensor) -> Tensor:
        out: Tensor = self.w_o(heads.transpose(1, 2).flatten(2))  # [B, K, T, d] -> [B, T, H]
        return out

    def lines(self, query: Tensor, keys: Tensor) -> dict[str, Tensor]:
        return {r"q_{t,i} = W_q s_t + b_q": query.unsqueeze(3), r"k_{j,i} = W_k h_j + b_k": keys.unsqueeze(1)}


VARIANTS: dict[str, type[Variant]] = {
    one.name: one for one in list(globals().values()) if isinstance(one, type) and issubclass(one, Variant) and one.name in ATTENTIONS
}
REGISTRY: dict[str, type[AttentionMap]] = {name: one for name, one in VARIANTS.items() if issubclass(one, AttentionMap)}
