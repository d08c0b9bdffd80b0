"""All that is there for speed alone, in one place: the rest of the model reads as its equations do, and the tests hold this to it.

Dropout by random bytes, PyTorch's own cells and sequences where they are faster than the plain ones, a GRU to train with its backward
pass written out, and for models that are only decoded with: the projection onto the vocabulary from packed weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

if TYPE_CHECKING:
    from seq2seq_core.model.cells import Recurrence
    from seq2seq_core.model.seq2seq import Seq2Seq


PIECE = 1 << 16  # numbers that are made at once and not kept: 256 kB, which stay in the processor's cache


def drop(values: Tensor, share: float, training: bool) -> Tensor:
    """Dropout: zero a share of the values, to the nearest 256th, and scale the others up so that the mean stays.

    One random byte a value: PyTorch draws value by value, which took a quarter of a captioner's training on a CPU.
    """
    cut = round(256 * share)
    if not training or not cut:
        return values
    words = torch.empty((values.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
    kept = words.view(torch.uint8)[: values.numel()].view(values.shape) >= cut
    return values * kept.to(values.dtype).mul_(256 / (256 - cut))


# -- attention: what is made on the way is a multiple of what is kept, and freed blocks of many sizes are what fills a server --------------


def additive_scores(query: Tensor, keys: Tensor, weight: Tensor) -> Tensor:
    """v . tanh(q + k): [B, T, 1, A] and [B, 1, S, A] -> [B, T, 1, S]. The sums are [B, T, S, A]: many are made a piece at a time."""
    batch, steps, _, width = query.shape
    positions = keys.shape[2]
    if torch.is_grad_enabled() or batch * steps * positions * width <= PIECE:
        return F.linear(torch.tanh(query + keys), weight).transpose(2, 3)
    scores = query.new_empty(batch, steps, 1, positions)
    size = max(1, PIECE // width)
    for row in range(batch):
        for step in range(steps):
            for start in range(0, positions, size):
                part = slice(start, start + size)
                torch.mv((query[row, step] + keys[row, 0, part]).tanh_(), weight[0], out=scores[row, step, 0, part])
    return scores


def times(left: Tensor, right: Tensor) -> Tensor:
    """left @ right, [B, K, T, M] @ [B, K, M, N] -> [B, K, T, N]; where all rows look at one memory, it is not copied for each."""
    if right.stride(0) or len(left) == 1:
        return left @ right
    batch, heads, steps, width = left.shape
    rows = left.transpose(0, 1).reshape(heads, batch * steps, width)
    return torch.unflatten(rows @ right[0], 1, (batch, steps)).transpose(0, 1)


# -- cells ----------------------------------------------------------------------------------------------------------------


def step(recurrence: Recurrence, inputs: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    """`Recurrence.step` by PyTorch's fused cells: inputs [B, I], state [B, L, C] -> output [B, H], state [B, L, C]."""
    if recurrence.single_gru:  # the usual case, with no list
        only: Any = recurrence.stack
        output = torch.gru_cell(inputs, state.select(1, 0), only.weight_ih_l0, only.weight_hh_l0, only.bias_ih_l0, only.bias_hh_l0)
        return output, output.unsqueeze(1)
    new = []
    for layer in range(state.shape[1]):
        weights = recurrence.weights(layer)
        before = state[:, layer]
        if recurrence.cell == "gru":
            after = torch.gru_cell(inputs, before, *weights)
        elif recurrence.cell == "rnn":
            after = torch.rnn_tanh_cell(inputs, before, *weights)
        else:
            after = torch.cat(torch.lstm_cell(inputs, before.chunk(2, -1), *weights), -1)
        new.append(after)
        inputs = after[:, : recurrence.hidden]
    return inputs, torch.stack(new, 1)


def sequence(recurrence: Recurrence, inputs: Tensor, state: Tensor | None, lengths: Tensor | None) -> tuple[Tensor, Tensor]:
    """`Recurrence.sequence` in the fastest way there is: inputs [B, S, I] -> outputs [B, S, D H], last states [B, L D, C]."""
    if inputs.shape[1] == 1 and state is not None and not recurrence.bidirectional:
        output, state = step(recurrence, inputs.select(1, 0), state)
        return output.unsqueeze(1), state
    if recurrence.cell == "gru" and torch.is_grad_enabled():
        return sequence_for_training(recurrence, inputs, state, lengths)
    return packed_sequence(recurrence, inputs, state, lengths)


def packed_sequence(recurrence: Recurrence, inputs: Tensor, state: Tensor | None, lengths: Tensor | None) -> tuple[Tensor, Tensor]:
    """By PyTorch's own layers; padding is packed away."""
    lstm = recurrence.cell == "lstm"
    start: Any = None
    if state is not None:
        parts = [part.transpose(0, 1).contiguous() for part in torch.split(state, recurrence.hidden, -1)]
        start = tuple(parts) if lstm else parts[0]
    if lengths is None or int(lengths.min()) == inputs.shape[1]:  # nothing to pack
        outputs, last = recurrence.stack(inputs, start)
    else:
        packed = pack_padded_sequence(inputs, lengths.cpu(), batch_first=True, enforce_sorted=False)
        outputs, last = recurrence.stack(packed, start)
        outputs, _ = pad_packed_sequence(outputs, batch_first=True, total_length=inputs.shape[1])
    last = torch.cat(last, -1) if lstm else last
    return outputs, last.transpose(0, 1)


def sequence_for_training(recurrence: Recurrence, inputs: Tensor, state: Tensor | None, lengths: Tensor | None) -> tuple[Tensor, Tensor]:
    """The GRU by `GRUSequence`, several times as fast to train as nn.GRU on a CPU."""
    batch, steps, _ = inputs.shape
    padding = torch.zeros(steps, batch, 1, dtype=torch.bool)
    if lengths is not None:
        padding = (torch.arange(steps)[:, None] >= lengths).unsqueeze(-1)  # [S, B, 1]
    layer_inputs = inputs.transpose(0, 1)  # [S, B, I]
    last = []
    for layer in range(recurrence.layers):
        if layer:
            layer_inputs = drop(layer_inputs, recurrence.dropout, recurrence.training)
        outputs = []
        for direction in range(recurrence.directions):
            w_ih, w_hh, b_ih, b_hh = recurrence.weights(layer, direction)
            first = inputs.new_zeros(batch, recurrence.hidden) if state is None else state[:, layer * recurrence.directions + direction]
            projected = F.linear(layer_inputs, w_ih, b_ih).float()  # [S, B, 3H]
            if direction:
                states = gru_sequence(projected.flip(0), first, w_hh, b_hh, padding.flip(0))
                last.append(states[-1])
                outputs.append(states.flip(0))
            else:
                states = gru_sequence(projected, first, w_hh, b_hh, padding)
                last.append(states[-1])
                outputs.append(states)
        layer_inputs = torch.cat(outputs, -1).masked_fill(padding, 0.0)  # [S, B, D H]
    return layer_inputs.transpose(0, 1), torch.stack(last, 1)


class GRUSequence(torch.autograd.Function):
    """A GRU over a sequence, with its backward pass written out so that every weight gradient is one product, not S.

    r = sigmoid(i_r + W_r h), z = sigmoid(i_z + W_z h), n = tanh(i_n + r * (W_n h)), h' = (1 - z) n + z h   (Cho et al. 2014).
    On padding z is set to 1: the state passes unchanged and every gradient into the gates is 0.
    Under autocast the products with the recurrent weights run in bfloat16; states stay float32.
    """

    @staticmethod
    def forward(ctx: Any, projected: Tensor, first: Tensor, weight: Tensor, bias: Tensor, padding: Tensor) -> Tensor:
        steps, batch, width = projected.shape
        hidden = width // 3
        dtype = torch.bfloat16 if torch.is_autocast_enabled("cpu") else torch.float32
        recurrent = weight.to(dtype).t()
        states = projected.new_empty(steps + 1, batch, hidden)
        states[0] = first
        gates = torch.empty_like(projected)  # r, z, n of every step
        inner = projected.new_empty(steps, batch, hidden)  # W_n h of every step
        for t in range(steps):
            product = (states[t].to(dtype) @ recurrent).float().add_(bias)  # [B, 3H]
            rz = torch.add(projected[t, :, : 2 * hidden], product[:, : 2 * hidden], out=gates[t, :, : 2 * hidden]).sigmoid_()
            rz[:, hidden:].masked_fill_(padding[t], 1.0)
            inner[t] = product[:, 2 * hidden :]
            n = torch.addcmul(projected[t, :, 2 * hidden :], rz[:, :hidden], inner[t], out=gates[t, :, 2 * hidden :]).tanh_()
            torch.lerp(n, states[t], rz[:, hidden:], out=states[t + 1])
        ctx.save_for_backward(states, gates, inner, weight)
        ctx.dtype = dtype
        return states[1:]

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, None]:
        states, gates, inner, weight = ctx.saved_tensors
        (d_states,) = gradients
        steps, batch, width = gates.shape
        hidden = width // 3
        recurrent = weight.to(ctx.dtype)
        r, z, n = gates.split(hidden, 2)
        to_n = (1 - z) * (1 - n * n)  # dh'/d(input of tanh)
        to_z = (states[:-1] - n) * z * (1 - z)
        to_r = inner * r * (1 - r)
        d_projected = torch.empty_like(gates)
        d_product = torch.empty_like(gates)
        d_state = torch.zeros_like(states[0])
        for t in range(steps - 1, -1, -1):
            d_state = d_state + d_states[t]
            dn = torch.mul(d_state, to_n[t], out=d_projected[t, :, 2 * hidden :])
            torch.mul(d_state, to_z[t], out=d_projected[t, :, hidden : 2 * hidden])
            torch.mul(dn, to_r[t], out=d_projected[t, :, :hidden])
            d_product[t, :, : 2 * hidden] = d_projected[t, :, : 2 * hidden]
            torch.mul(dn, r[t], out=d_product[t, :, 2 * hidden :])
            d_state = torch.addcmul((d_product[t].to(ctx.dtype) @ recurrent).float(), d_state, z[t])
        flat = d_product.flatten(0, 1)
        d_weight = (flat.to(ctx.dtype).t() @ states[:-1].flatten(0, 1).to(ctx.dtype)).float()
        return d_projected, d_state, d_weight, flat.sum(0), None


def gru_sequence(projected: Tensor, first: Tensor, weight: Tensor, bias: Tensor, padding: Tensor) -> Tensor:
    """Input products [S, B, 3H], first state [B, H], recurrent weight and bias, padding [S, B, 1] -> states [S, B, H]."""
    states: Tensor = GRUSequence.apply(projected, first, weight, bias, padding)  # type: ignore[no-untyped-call]
    return states


# -- models that are only decoded with ------------------------------------------------------------------------------------


class PackedLinear:
    """y = W x + b with W in float16, read-only after it is made, so threads may share it: most of a decoding step.

    Weights are first rounded to float16 in place, so packed and plain products agree to the order of summation: activations and sums
    stay float32. Packing halves what is read from memory; on x86 it makes the product 1.7 (one row) to 3.8 times (five rows) as fast.
    """

    def __init__(self, packed: Any) -> None:
        self._packed = packed
        self._product = torch.ops.quantized.linear_dynamic_fp16.default

    @classmethod
    def make(cls, linear: nn.Linear) -> PackedLinear | None:
        """Round the weights and pack them; None where this build of PyTorch or this processor cannot."""
        if "fbgemm" not in torch.backends.quantized.supported_engines:
            return None
        with torch.no_grad():
            linear.weight.copy_(linear.weight.half().float())
            return cls(torch.ops.quantized.linear_prepack_fp16(linear.weight, linear.bias))

    def __call__(self, inputs: Tensor) -> Tensor:
        product: Tensor = self._product(inputs, self._packed)
        return product


def project(inputs: Tensor, linear: nn.Linear, packed: PackedLinear | None) -> Tensor:
    """W x + b, from packed weights where there are some and no gradient is wanted."""
    if packed is not None and not torch.is_grad_enabled():
        return packed(inputs)
    return F.linear(inputs, linear.weight, linear.bias)


def pack(model: Seq2Seq) -> None:
    """Make a model that will not be trained further decode faster; its output weights keep float16 precision."""
    model.decoder.packed = PackedLinear.make(model.decoder.output)
    for module in model.modules():  # found as plain attributes, parts and weights cost a tenth of a module's look-up
        module.__dict__.update(module._modules)
        module.__dict__.update(module._parameters)
