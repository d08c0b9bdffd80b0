"""Multi-head attention is PyTorch's own: its lines with a model's weights, and how far their output is from ours."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from seq2seq_core.model.attention import MultiHead
from seq2seq_core.model.transformer import TransformerDecoder, TransformerEncoder

if TYPE_CHECKING:
    from seq2seq_core.model.seq2seq import Seq2Seq
    from seq2seq_core.study.inside import Inside
    from seq2seq_core.trace.nodes import Floats


def by_torch(ours: MultiHead, states: Tensor, memory: Tensor, hidden: Tensor) -> Tensor:
    theirs = torch.nn.MultiheadAttention(states.shape[-1], ours.heads, batch_first=True)
    weights = torch.cat([ours.w_q.weight, ours.w_k.weight, ours.w_v.weight])
    biases = torch.cat([ours.w_q.bias, ours.w_k.bias, ours.w_v.bias])
    own = {"in_proj_weight": weights, "in_proj_bias": biases, "out_proj.weight": ours.w_o.weight, "out_proj.bias": ours.w_o.bias}
    theirs.load_state_dict(own)
    context: Tensor = theirs(states[None], memory[None], memory[None], attn_mask=hidden)[0]
    return context[0]


def lines() -> str:
    """The same lines, as they are run."""
    return inspect.getsource(by_torch)


@dataclass(frozen=True, slots=True)
class Look:
    """One look of a multi-head attention, at all steps."""

    name: str
    attention: MultiHead
    states: Tensor  # [T, H] what asks
    memory: Tensor  # [S, H] what is looked at
    hidden: Tensor  # [T, S] True where a step may not look
    context: Tensor  # [T, H] what our own code brought


def looks(model: Seq2Seq, inside: Inside) -> list[Look]:
    """Every multi-head look that a model took for one output, in the order in which it took them. Rows put in by hand are left out."""
    source = torch.from_numpy(inside.memory)
    steps = len(inside.tokens)
    shut = (torch.from_numpy(inside.mask) == 0).expand(steps, -1)
    own = torch.tensor([not replaced for replaced in inside.replaced])
    decoder = model.decoder
    if not isinstance(decoder, TransformerDecoder):
        single = [("the source", decoder.attention, "attention")] if isinstance(decoder.attention, MultiHead) else []
        return [_look(name, attention, inside.values, place, source, shut, own) for name, attention, place in single]
    found = []
    if isinstance(model.encoder, TransformerEncoder):
        for number, layer in enumerate(model.encoder.layers, 1):
            found.append(_look(f"encoder, layer {number}", layer.itself.attention, inside.encoder, f"layer {number}"))  # type: ignore[union-attr, arg-type]
    later = torch.ones(steps, steps, dtype=torch.bool).triu(1)
    for number, layer in enumerate(decoder.layers, 1):
        itself = layer.itself.attention  # type: ignore[union-attr]
        found.append(_look(f"decoder at itself, layer {number}", itself, inside.values, f"layer {number}/itself", hidden=later))  # type: ignore[arg-type]
        at = f"layer {number}/attention"
        found.append(_look(f"decoder at the source, layer {number}", layer.attention, inside.values, at, source, shut, own))  # type: ignore[arg-type]
    return found


def _look(
    name: str, attention: MultiHead, values: Mapping[str, Floats], place: str,
    memory: Tensor | None = None, hidden: Tensor | None = None, own: Tensor | None = None,
) -> Look:  # fmt: skip
    """`memory` None: it looks at what asks. `own`: the steps whose row is the model's own."""
    states, context = (torch.from_numpy(values[f"{place}/{what}"]) for what in ("states", "context"))
    memory = states if memory is None else memory
    hidden = torch.zeros(len(states), len(memory), dtype=torch.bool) if hidden is None else hidden
    kept = slice(None) if own is None else own
    return Look(name, attention, states[kept], memory, hidden[kept], context[kept])


@torch.no_grad()
def differences(model: Seq2Seq, inside: Inside) -> dict[str, float]:
    """By look: the largest difference between the contexts that PyTorch's layer brings and ours."""
    found = {}
    for look in looks(model, inside):
        theirs = by_torch(look.attention, look.states, look.memory, look.hidden)
        found[look.name] = float((theirs - look.context).abs().max()) if len(look.states) else 0.0
    return found
