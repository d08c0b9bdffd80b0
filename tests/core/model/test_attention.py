"""Every score function equals its equation, written out by hand position by position."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import pytest
import torch
from torch import Tensor

from seq2seq_core.config import ATTENTIONS, WITHOUT_MAP, ModelConfig
from seq2seq_core.model import fast
from seq2seq_core.model.attention import REGISTRY, VARIANTS, Attended, AttentionMap, Hard, MultiHead
from seq2seq_core.model.memory import Look
from seq2seq_core.model.override import NOTHING, Override, Rows

H, S, T, B = 8, 5, 3, 2
MASK = torch.tensor([[True] * S, [True] * 3 + [False] * 2])


def make(name: str) -> tuple[AttentionMap, Tensor, Tensor]:
    """A variant, memory values [B, S, H] and states [B, T, H]."""
    torch.manual_seed(0)
    attention = REGISTRY[name](ModelConfig(attention=name, hidden=H)).eval()  # type: ignore[arg-type]
    for parameter in attention.parameters():
        torch.nn.init.normal_(parameter, std=0.7)
    return attention, torch.randn(B, S, H), torch.randn(B, T, H)


def attend(attention: AttentionMap, values: Tensor, states: Tensor, override: Override = NOTHING, mask: Tensor = MASK) -> Attended:
    return attention.attend(states, Look(attention.keys(values), attention.mixed(values)), mask, override)


def evaluated(latex: str, names: Mapping[str, Any]) -> Tensor:
    """The right side of an equation with values for its letters; what stands beside each other is multiplied."""
    code = re.sub(r"\\frac\{(.*)\}\{(.*)\}", r"(\1) / (\2)", latex.split(" = ")[-1])
    code = code.replace(r"\sqrt{d}", "math.sqrt(d)").replace(r"^\top", "").replace(r"\tanh", "torch.tanh")
    code = re.sub(r"_\{?([a-z,]+)\}?", lambda found: "_" + found[1].replace(",", ""), code)
    found: Tensor = eval(re.sub(r"(?<=[\w)]) (?=[\w(])", " @ ", code), {"math": math, "torch": torch}, dict(names))
    return found


def letters(attention: AttentionMap, head: int) -> dict[str, Tensor]:
    """The weights as the equations call them: w_q.weight is W_q, its bias b_q; of several heads the part of one."""
    found = {}
    for name, value in attention.named_parameters():
        letter, kind = name.split(".")
        part = value[0] if len(value) == 1 else value.unflatten(0, (attention.heads, -1))[head]
        found[letter.replace("w", "b") if kind == "bias" else letter if len(value) == 1 else letter.capitalize()] = part
    return found


@pytest.mark.parametrize("name", list(REGISTRY))
def test_a_variant_is_its_own_equation_and_its_terms_are_its_score(name: str) -> None:
    """The equation that is printed is worked out, state by state and position by position, and gives what the model computes."""
    attention, values, states = make(name)
    query, keys = attention.query(states), attention.keys(values)
    scores, terms, lines = attention.scores(query, keys), attention.terms(query, keys), attention.lines(query, keys)
    torch.testing.assert_close(terms.sum(-1), scores, atol=1e-5, rtol=1e-4)
    for b, t, i, j in [(b, t, i, j) for b in range(B) for t in range(T) for i in range(attention.heads) for j in range(S)]:
        names = {**letters(attention, i), "s_t": states[b, t], "h_j": values[b, j], "d": keys.shape[-1]}
        for line, value in lines.items():
            printed = value.expand(-1, T, -1, S, -1)[b, t, i, j]
            torch.testing.assert_close(printed, evaluated(line, names), atol=1e-5, rtol=1e-4)
            if " = " in line:
                names[re.sub(r"[{},]", "", line.split(" = ")[0])] = printed
        torch.testing.assert_close(scores[b, t, i, j], evaluated(attention.equation, names), atol=1e-5, rtol=1e-4)


def test_every_variant_has_a_class_and_something_to_say() -> None:
    assert set(VARIANTS) == set(ATTENTIONS)
    assert set(REGISTRY) == set(ATTENTIONS) - set(WITHOUT_MAP)
    for variant in VARIANTS.values():
        assert variant.equation and variant.paper and variant.told().endswith(f"({variant.paper}).")
        assert variant.equation.count("{") == variant.equation.count("}")


@pytest.mark.parametrize("name", ["dot", "bilinear", "additive", "key-query"])
def test_weights_are_the_softmax_and_the_context_is_the_mean(name: str) -> None:
    attention, values, states = make(name)
    out, scores = attend(attention, values, states), attention.scores(attention.query(states), attention.keys(values))
    for b, real in ((0, 5), (1, 3)):
        for t in range(T):
            powers = [math.exp(float(e)) for e in scores[b, t, 0, :real]]
            weights = [p / sum(powers) for p in powers]
            assert out.weights[b, t, 0, :real].tolist() == pytest.approx(weights, abs=1e-5)
            context = sum(w * values[b, j] for j, w in enumerate(weights))
            torch.testing.assert_close(out.context[b, t], context, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", list(REGISTRY))
def test_padding_gets_exactly_nothing(name: str) -> None:
    attention, values, states = make(name)
    out = attend(attention, values, states)
    assert (out.weights[1, :, :, 3:] == 0).all()
    assert (out.weights >= 0).all()
    torch.testing.assert_close(out.weights.sum(-1), torch.ones(B, T, attention.heads))


def test_multi_head_equals_pytorch() -> None:
    attention, values, states = make("multi-head")
    assert isinstance(attention, MultiHead)
    theirs = torch.nn.MultiheadAttention(H, 4, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([attention.w_q.weight, attention.w_k.weight, attention.w_v.weight]))
        theirs.in_proj_bias.copy_(torch.cat([attention.w_q.bias, attention.w_k.bias, attention.w_v.bias]))
        theirs.out_proj.weight.copy_(attention.w_o.weight)
        theirs.out_proj.bias.copy_(attention.w_o.bias)
    context, weights = theirs(states, values, values, key_padding_mask=~MASK, average_attn_weights=False)
    out = attend(attention, values, states)
    torch.testing.assert_close(out.context, context, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(out.weights, weights.transpose(1, 2), atol=1e-6, rtol=1e-4)


def test_the_keys_of_multi_head_are_projected_once_a_sentence() -> None:
    attention, values, states = make("multi-head")
    calls: list[str] = []
    attention.w_k.register_forward_hook(lambda *_: calls.append("k"))  # type: ignore[union-attr]
    attention.w_v.register_forward_hook(lambda *_: calls.append("v"))  # type: ignore[union-attr]
    look = Look(attention.keys(values), attention.mixed(values))
    assert sorted(calls) == ["k", "v"]
    for _ in range(3):
        attention.attend(states, look, MASK)
    assert len(calls) == 2


@pytest.mark.parametrize("name", ["dot", "bilinear", "additive", "key-query"])
def test_a_one_hot_row_gives_that_position(name: str) -> None:
    attention, values, states = make(name)
    rows = torch.zeros(B, T, S)
    rows[:, :, 1] = 1.0
    replace = torch.zeros(B, T, dtype=torch.bool)
    replace[:, 1] = True
    plain, steered = attend(attention, values, states), attend(attention, values, states, Override(Rows(rows, replace)))
    torch.testing.assert_close(steered.context[:, 1], values[:, 1], atol=1e-6, rtol=0)
    assert torch.equal(steered.weights[:, 0], plain.weights[:, 0])


def test_hard_attention_takes_one_position_and_samples_in_proportion() -> None:
    attention, values, states = make("hard")
    assert isinstance(attention, Hard)
    out = attend(attention, values, states)
    assert torch.equal(out.marks["glimpse"], out.weights.squeeze(2).argmax(-1))
    torch.testing.assert_close(out.context[0, 0], values[0, int(out.marks["glimpse"][0, 0])])
    many = 4000
    noise = -torch.log(-torch.log(torch.rand(many, 1, S, generator=torch.Generator().manual_seed(0))))
    state, rows, mask = (one.expand(many, *one.shape[1:]) for one in (states[1:2, :1], values[1:2], MASK[1:2]))
    drawn = attend(attention, rows, state, Override(noise=noise), mask).marks["glimpse"].flatten()
    shares = torch.bincount(drawn, minlength=S) / many
    torch.testing.assert_close(shares, out.weights[1, 0, 0], atol=0.03, rtol=0)
    assert shares[3:].sum() == 0


def test_hard_attention_can_mix_by_expectation() -> None:
    attention, values, states = make("hard")
    out = attend(attention, values, states, Override(expected=True))
    torch.testing.assert_close(out.context, (out.weights.squeeze(2) @ values), atol=1e-6, rtol=1e-5)


def test_many_rows_over_one_memory_look_as_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a beam does over a long source: one memory for all rows, uncopied, and scores a piece at a time."""
    for name in REGISTRY:
        attention, values, _ = make(name)
        states = torch.randn(4, T, H)
        look = Look(attention.keys(values[:1]), attention.mixed(values[:1]))
        shared = Look(look.keys.expand(4, -1, -1, -1), look.mixed.expand(4, -1, -1, -1))
        with torch.inference_mode():
            for piece in (fast.PIECE, 3 * H):
                monkeypatch.setattr(fast, "PIECE", piece)
                together = attention.attend(states, shared, None)
                alone = [attention.attend(states[row : row + 1], look, None) for row in range(4)]
                for part in ("context", "weights"):
                    expected = torch.cat([getattr(one, part) for one in alone])
                    torch.testing.assert_close(getattr(together, part), expected, msg=f"{name}: {part}")
            monkeypatch.undo()
