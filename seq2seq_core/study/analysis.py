"""Numbers about a decode: entropy and coverage of an attention map, parameters by part, and all that one step computes.

A step is computed again from the model's weights, equation by equation; the tests hold the result to the model's own `step`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.tokenizer import BOS, PAD, UNK
from seq2seq_core.model.attention import Additive, AttentionMap, Hard, KeyQuery, Look, Memory, MultiHead
from seq2seq_core.model.cells import Recurrence
from seq2seq_core.model.decoder import Decoder
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.search.plan import Plan
from seq2seq_core.trace.nodes import Doubles, Floats
from seq2seq_core.trace.steering import Steering

GREEDY = DecodeSettings(search="greedy")
FREE = Steering()


def entropy_bits(rows: Floats) -> Doubles:
    """The entropy of each attention row [T, S] in bits: 0 looks at one position, log2 S at all alike."""
    weights = np.asarray(rows, dtype=np.float64)
    found: Doubles = -(weights * np.log2(np.where(weights > 0, weights, 1.0))).sum(-1)
    return np.abs(found)


def coverage(rows: Floats) -> float | None:
    """The mean over source positions of min(1, sum_t alpha_tj) (Wu et al. 2016, eq. 14): 1 when each was looked at in full."""
    if not rows.size:
        return None
    return float(np.minimum(np.asarray(rows, dtype=np.float64).sum(0), 1.0).mean())


@dataclass(frozen=True, slots=True)
class CellNumbers:
    """One recurrent layer at one step. Gates by name: GRU r, z, n; LSTM i, f, g, o; the RNN has none."""

    inputs: Floats  # [I]
    before: Floats  # [C] C = H, or 2 H for the LSTM: hidden and cell vector
    after: Floats  # [C]
    gates: Mapping[str, Floats]  # [H] each


@dataclass(frozen=True, slots=True)
class AttentionNumbers:
    """One look at the memory, for K heads."""

    state: Floats  # [H] s_t, or s_{t-1} with the `input` wiring
    query: Floats  # [K, A] what is compared with the keys: s, U s or q
    keys: Floats  # [K, S, A]
    terms: Floats  # [K, S, A] a score is the sum of these
    scores: Floats  # [K, S] e_tj
    weights: Floats  # [K, S] alpha_tj, or the row put in by a person
    used: Floats  # [K, S] what mixes: the weights, or one position for hard attention
    heads: Floats  # [K, E / K] the mix of each head
    context: Floats  # [E] c_t
    replaced: bool  # the weights were put in by a person


@dataclass(frozen=True, slots=True)
class StepNumbers:
    """Everything that one step computed, from s_{t-1} to the distribution over the next token."""

    step: int  # from 0
    token_in: int  # y_{t-1}
    memory: Floats  # [S, E] h_1 .. h_S
    mask: Floats  # [S] 1 where the position may be looked at
    summary: Floats  # [E] h_T
    start: Floats  # [L, C] s_0
    embedded: Floats  # [D] x_t, the embedding of y_{t-1}
    cells: tuple[CellNumbers, ...]  # from the lowest layer up
    attention: AttentionNumbers | None
    cell_gate: float | None  # models with a gate: how much of c_t enters the cell (`input` wiring), found with s_{t-1}
    gate: float | None  # and how much enters the readout, found with s_t
    hidden: Floats  # [H] s_t
    joined: Floats  # [H] or [H + E] what the readout reads
    readout: Floats  # [D]
    logits: Floats  # [V]
    logprobs: Floats  # [V]

    @property
    def before(self) -> Floats:
        """s_{t-1} of the top layer [H]."""
        return self.cells[-1].before[: len(self.hidden)]

    def top(self, count: int) -> tuple[int, ...]:
        """The ids of the most probable tokens, best first; padding, the start sign and the unknown sign are never produced."""
        order = [int(token) for token in np.argsort(-self.logprobs, kind="stable")[: count + 3]]
        return tuple(token for token in order if token not in (PAD, BOS, UNK))[:count]


@torch.inference_mode()
def step_numbers(
    model: Seq2Seq,
    memory: Memory,
    tokens: Sequence[int],
    step: int,
    settings: DecodeSettings = GREEDY,
    steering: Steering = FREE,
) -> StepNumbers:
    """What the model computes at `step` of the path `tokens`, for the memory of one source."""
    plan = Plan(model.config, settings, [steering], memory.mask.shape[1])
    hidden = plan.hidden()
    memory = memory if hidden is None else memory.hide(hidden)
    inputs = [BOS, *tokens][: step + 1]
    start = state = model.start(memory)
    sentence = np.zeros(1, dtype=np.int64)
    if step:
        state = model.step(torch.tensor([inputs[:-1]]), state, memory, plan.look_at_all(step, sentence)).state
    return _one_step(model.decoder, memory, step, inputs[-1], (start, state), plan.look(step, sentence))


def _one_step(decoder: Decoder, memory: Memory, step: int, token: int, states: tuple[Tensor, Tensor], look: Look) -> StepNumbers:
    embedded, summary = decoder.embedding.weight[token], memory.summary[0]
    before = states[1][0]  # [L, C]
    attended: AttentionNumbers | None = None
    cell_gate: float | None = None
    entering = embedded
    if decoder.attention is not None and decoder.attends_first:
        query = before[-1, : decoder.config.hidden]
        attended = _attend(decoder.attention, query, memory, look)
        cell_gate = _gate(decoder, query)
        entering = torch.cat([embedded, _scaled(attended, cell_gate)])
    elif decoder.config.attention == "every-step":
        entering = torch.cat([embedded, summary])
    cells = _move(decoder.recurrence, entering, before)
    hidden = torch.from_numpy(cells[-1].after[: decoder.config.hidden])
    if decoder.attention is not None and attended is None:
        attended = _attend(decoder.attention, hidden, memory, look)
    gate = None if attended is None else _gate(decoder, hidden)
    joined = hidden if attended is None else torch.cat([hidden, _scaled(attended, gate)])
    readout = torch.tanh(decoder.readout.weight @ joined + decoder.readout.bias)
    logits = decoder.output.weight @ readout + decoder.output.bias
    return StepNumbers(
        step, token, _floats(memory.values[0]), _floats(memory.mask[0].float()), _floats(summary), _floats(states[0][0]),
        _floats(embedded), cells, attended, cell_gate, gate, _floats(hidden), _floats(joined), _floats(readout), _floats(logits),
        _floats(torch.log_softmax(logits, -1)),
    )  # fmt: skip


def _floats(tensor: Tensor) -> Floats:
    found: Floats = tensor.detach().float().numpy()
    return found


def _gate(decoder: Decoder, state: Tensor) -> float | None:
    """sigmoid(w . s + b), for models that scale their context by it."""
    return float(torch.sigmoid(decoder.gate(state))) if decoder.config.gate else None


def _scaled(attended: AttentionNumbers, gate: float | None) -> Tensor:
    context = torch.from_numpy(attended.context)
    return context if gate is None else gate * context


def _move(recurrence: Recurrence, inputs: Tensor, before: Tensor) -> tuple[CellNumbers, ...]:
    """The cell's equations, layer by layer: inputs [I], before [L, C]."""
    moved = []
    for layer, state in enumerate(before):
        weights = recurrence._weights(f"l{layer}")
        gates, after = CELLS[recurrence.cell](inputs, state, *weights)
        moved.append(CellNumbers(_floats(inputs), _floats(state), _floats(after), {name: _floats(gate) for name, gate in gates.items()}))
        inputs = after[: recurrence.hidden]
    return tuple(moved)


Moved = tuple[dict[str, Tensor], Tensor]  # gates by name, the new state [C]


def _rnn(x: Tensor, state: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Moved:
    """s_t = tanh(W x + U s + b)   (Elman 1990)."""
    return {}, torch.tanh(w_ih @ x + b_ih + w_hh @ state + b_hh)


def _gru(x: Tensor, state: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Moved:
    """r, z = sigmoid(W x + U s + b), n = tanh(W x + r * (U s + b)), s_t = (1 - z) n + z s   (Cho et al. 2014)."""
    (x_r, x_z, x_n), (s_r, s_z, s_n) = (w_ih @ x + b_ih).chunk(3), (w_hh @ state + b_hh).chunk(3)
    r, z = torch.sigmoid(x_r + s_r), torch.sigmoid(x_z + s_z)
    n = torch.tanh(x_n + r * s_n)
    return {"r": r, "z": z, "n": n}, (1 - z) * n + z * state


def _lstm(x: Tensor, state: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Moved:
    """i, f, o = sigmoid(..), g = tanh(..), m_t = f m + i g, s_t = o tanh(m_t)   (Hochreiter and Schmidhuber 1997, with forget gates)."""
    hidden, cell = state.chunk(2)
    i, f, g, o = (w_ih @ x + b_ih + w_hh @ hidden + b_hh).chunk(4)
    i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
    cell = f * cell + i * g
    return {"i": i, "f": f, "g": g, "o": o}, torch.cat([o * torch.tanh(cell), cell])


CELLS = {"rnn": _rnn, "gru": _gru, "lstm": _lstm}


def _attend(attention: AttentionMap, state: Tensor, memory: Memory, look: Look) -> AttentionNumbers:
    """Scores, softmax row and context, for one state [H] and the memory of one source."""
    query, keys = _query(attention, state), memory.keys[0]  # [K, A], [K, S, A]
    terms = _terms(attention, query, keys)
    scores = terms.sum(-1)  # [K, S]
    weights = scores.masked_fill(~memory.mask[0], -math.inf).softmax(-1)
    replaced = look.rows is not None and bool(look.rows.replace[0, 0])
    if look.rows is not None and replaced:
        weights = look.rows.values[0].expand_as(weights)
    used = weights
    if isinstance(attention, Hard) and not look.expected:
        chances = weights[0].log()
        place = (chances if look.noise is None else chances + look.noise[0, 0]).argmax()
        used = torch.zeros_like(weights)
        used[0, place] = 1.0
    heads = (used.unsqueeze(1) @ memory.mixed[0]).squeeze(1)  # [K, 1, S] @ [K, S, E / K] -> [K, E / K]
    context = heads.flatten()
    if isinstance(attention, MultiHead):
        context = attention.w_o.weight @ context + attention.w_o.bias
    return AttentionNumbers(
        _floats(state), _floats(query), _floats(keys), _floats(terms), _floats(scores), _floats(weights), _floats(used),
        _floats(heads), _floats(context), replaced,
    )  # fmt: skip


def _query(attention: AttentionMap, state: Tensor) -> Tensor:
    """What is compared with the keys: s, U s, or q [K, A]."""
    if isinstance(attention, Additive):
        return (attention.u.weight @ state).unsqueeze(0)
    if isinstance(attention, KeyQuery):
        return torch.tanh(attention.w_q.weight @ state + attention.w_q.bias).unsqueeze(0)
    if isinstance(attention, MultiHead):
        return (attention.w_q.weight @ state + attention.w_q.bias).view(attention.heads, -1)
    return state.unsqueeze(0)


def _terms(attention: AttentionMap, query: Tensor, keys: Tensor) -> Tensor:
    """The summands of every score [K, S, A]."""
    if isinstance(attention, Additive):
        return attention.v.weight[0] * torch.tanh(query.unsqueeze(1) + keys)
    products = query.unsqueeze(1) * keys
    return products / math.sqrt(keys.shape[-1]) if isinstance(attention, KeyQuery | MultiHead) else products


PARTS = (  # the beginning of a parameter's name, and what it belongs to
    ("encoder.embedding", "source embedding"),
    ("encoder.", "encoder"),
    ("decoder.embedding", "target embedding"),
    ("decoder.bridge", "first state"),
    ("decoder.recurrence", "decoder cell"),
    ("decoder.attention", "attention"),
    ("decoder.gate", "attention"),
    ("decoder.readout", "readout"),
    ("decoder.output", "output layer"),
)


def parameter_counts(model: Seq2Seq) -> dict[str, int]:
    """The parameters of each part, in the order in which a sentence passes through them; a shared weight counts once."""
    counts: dict[str, int] = {}
    for name, parameter in model.named_parameters():
        part = next(label for start, label in PARTS if name.startswith(start))
        if model.config.share_embeddings and part == "source embedding":
            part = "embedding of source and target"
        counts[part] = counts.get(part, 0) + parameter.numel()
    order = ["embedding of source and target", *dict.fromkeys(label for _, label in PARTS)]
    return {part: counts[part] for part in order if part in counts}
