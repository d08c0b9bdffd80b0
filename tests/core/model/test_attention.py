"""Every score function equals its equation, written out by hand position by position."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from seq2seq_core.config import ModelConfig
from seq2seq_core.model.attention import REGISTRY, Additive, Bilinear, Dot, Hard, KeyQuery, Look, Memory, MultiHead, Rows
from seq2seq_core.model.encoders import make_memory

H, S, T, B = 8, 5, 3, 2


def make(name: str) -> tuple[torch.nn.Module, Memory, Tensor]:
    torch.manual_seed(0)
    attention = REGISTRY[name](ModelConfig(attention=name, hidden=H)).eval()  # type: ignore[arg-type]
    for parameter in attention.parameters():
        torch.nn.init.normal_(parameter, std=0.7)
    values, query = torch.randn(B, S, H), torch.randn(B, T, H)
    mask = torch.tensor([[True] * S, [True] * 3 + [False] * 2])
    return attention, make_memory(attention, values, mask, values.mean(1)), query


def by_hand(attention: torch.nn.Module, s: Tensor, h: Tensor) -> float:
    """e for one state and one position, from the equation."""
    if isinstance(attention, Additive):
        inner = [math.tanh(float(attention.u.weight[a] @ s + attention.w.weight[a] @ h)) for a in range(H)]
        return sum(float(attention.v.weight[0, a]) * inner[a] for a in range(H))
    if isinstance(attention, KeyQuery):
        k = [math.tanh(float(attention.w_k.weight[a] @ h + attention.w_k.bias[a])) for a in range(H)]
        q = [math.tanh(float(attention.w_q.weight[a] @ s + attention.w_q.bias[a])) for a in range(H)]
        return sum(a * b for a, b in zip(k, q, strict=True)) / math.sqrt(H)
    if isinstance(attention, Bilinear):
        return float(s @ attention.w.weight @ h)
    assert isinstance(attention, Dot)
    return sum(float(a) * float(b) for a, b in zip(s, h, strict=True))


@pytest.mark.parametrize("name", ["dot", "bilinear", "additive", "key-query", "hard"])
def test_scores_equal_the_equation(name: str) -> None:
    attention, memory, query = make(name)
    out = attention.attend(query, memory)
    for b in range(B):
        for t in range(T):
            for j in range(S):
                assert out.scores[b, t, 0, j].item() == pytest.approx(by_hand(attention, query[b, t], memory.values[b, j]), abs=1e-4)


@pytest.mark.parametrize("name", ["dot", "bilinear", "additive", "key-query"])
def test_weights_are_the_softmax_and_the_context_is_the_mean(name: str) -> None:
    attention, memory, query = make(name)
    out = attention.attend(query, memory)
    for b, real in ((0, 5), (1, 3)):
        for t in range(T):
            powers = [math.exp(float(e)) for e in out.scores[b, t, 0, :real]]
            weights = [p / sum(powers) for p in powers]
            assert out.weights[b, t, 0, :real].tolist() == pytest.approx(weights, abs=1e-5)
            context = sum(w * memory.values[b, j] for j, w in enumerate(weights))
            torch.testing.assert_close(out.context[b, t], context, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", list(REGISTRY))
def test_padding_gets_exactly_nothing(name: str) -> None:
    attention, memory, query = make(name)
    out = attention.attend(query, memory)
    assert (out.weights[1, :, :, 3:] == 0).all()
    assert (out.weights >= 0).all()
    torch.testing.assert_close(out.weights.sum(-1), torch.ones(B, T, attention.heads))


def test_multi_head_equals_pytorch() -> None:
    attention, memory, query = make("multi-head")
    assert isinstance(attention, MultiHead)
    theirs = torch.nn.MultiheadAttention(H, 4, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([attention.w_q.weight, attention.w_k.weight, attention.w_v.weight]))
        theirs.in_proj_bias.copy_(torch.cat([attention.w_q.bias, attention.w_k.bias, attention.w_v.bias]))
        theirs.out_proj.weight.copy_(attention.w_o.weight)
        theirs.out_proj.bias.copy_(attention.w_o.bias)
    context, weights = theirs(query, memory.values, memory.values, key_padding_mask=~memory.mask, average_attn_weights=False)
    out = attention.attend(query, memory)
    torch.testing.assert_close(out.context, context, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(out.weights, weights.transpose(1, 2), atol=1e-6, rtol=1e-4)


def test_the_keys_of_multi_head_are_projected_once_a_sentence() -> None:
    attention, memory, query = make("multi-head")
    calls = []
    attention.w_k.register_forward_hook(lambda *_: calls.append("k"))
    attention.w_v.register_forward_hook(lambda *_: calls.append("v"))
    for _ in range(3):
        attention.attend(query, memory)
    assert calls == []
    make_memory(attention, memory.values, memory.mask, memory.summary)  # type: ignore[arg-type]
    assert sorted(calls) == ["k", "v"]


@pytest.mark.parametrize("name", ["dot", "bilinear", "additive", "key-query"])
def test_a_one_hot_row_gives_that_position(name: str) -> None:
    attention, memory, query = make(name)
    rows = torch.zeros(B, T, S)
    rows[:, :, 1] = 1.0
    replace = torch.zeros(B, T, dtype=torch.bool)
    replace[:, 1] = True
    plain, steered = attention.attend(query, memory), attention.attend(query, memory, Look(Rows(rows, replace)))
    torch.testing.assert_close(steered.context[:, 1], memory.values[:, 1], atol=1e-6, rtol=0)
    assert torch.equal(steered.weights[:, 0], plain.weights[:, 0])


def test_hard_attention_takes_one_position_and_samples_in_proportion() -> None:
    attention, memory, query = make("hard")
    assert isinstance(attention, Hard)
    out = attention.attend(query, memory)
    assert torch.equal(out.marks["glimpse"], out.weights.squeeze(2).argmax(-1))
    torch.testing.assert_close(out.context[0, 0], memory.values[0, int(out.marks["glimpse"][0, 0])])
    many = 4000
    noise = -torch.log(-torch.log(torch.rand(many, 1, S, generator=torch.Generator().manual_seed(0))))
    rows = memory.select(torch.ones(many, dtype=torch.long))
    drawn = attention.attend(query[1:2, :1].expand(many, -1, -1), rows, Look(noise=noise)).marks["glimpse"].flatten()
    shares = torch.bincount(drawn, minlength=S) / many
    torch.testing.assert_close(shares, out.weights[1, 0, 0], atol=0.03, rtol=0)
    assert shares[3:].sum() == 0


def test_hard_attention_can_mix_by_expectation() -> None:
    attention, memory, query = make("hard")
    out = attention.attend(query, memory, Look(expected=True))
    torch.testing.assert_close(out.context, (out.weights.squeeze(2) @ memory.values), atol=1e-6, rtol=1e-5)
