"""Multi-head attention is PyTorch's own: its lines with this model's weights, and how far its output is from ours."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from seq2seq_core.model.attention import MultiHead
    from seq2seq_core.study.inside import Inside


def by_torch(ours: MultiHead, states: Tensor, memory: Tensor, hidden: Tensor) -> Tensor:
    theirs = torch.nn.MultiheadAttention(states.shape[-1], ours.heads, batch_first=True)
    weights = torch.cat([ours.w_q.weight, ours.w_k.weight, ours.w_v.weight])
    biases = torch.cat([ours.w_q.bias, ours.w_k.bias, ours.w_v.bias])
    own = {"in_proj_weight": weights, "in_proj_bias": biases, "out_proj.weight": ours.w_o.weight, "out_proj.bias": ours.w_o.bias}
    theirs.load_state_dict(own)
    context: Tensor = theirs(states[None], memory[None], memory[None], key_padding_mask=hidden[None])[0]
    return context[0]


def lines() -> str:
    """The same lines, as they are run."""
    return inspect.getsource(by_torch)


@torch.no_grad()
def largest_difference(ours: MultiHead, inside: Inside) -> float:
    """Between the contexts of all steps, theirs and ours. A row that a person put in is not the softmax's: it is left out."""
    states, memory = torch.from_numpy(inside.values["attention/states"]), torch.from_numpy(inside.memory)
    theirs = by_torch(ours, states, memory, torch.from_numpy(inside.mask) == 0)
    own = torch.tensor([not replaced for replaced in inside.replaced])
    difference = (theirs - torch.from_numpy(inside.values["attention/context"]))[own].abs()
    return float(difference.max()) if own.any() else 0.0
