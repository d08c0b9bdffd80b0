"""One training step in slow motion: the loss of every time step, and how much of its gradient comes back to every state (BPTT)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor

from seq2seq_core.config import Cell, ModelConfig
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, EOS
from seq2seq_core.model.attention import PLAIN
from seq2seq_core.model.cells import Recurrence
from seq2seq_core.model.encoders import TextEncoder, make_memory
from seq2seq_core.model.seq2seq import Seq2Seq


@dataclass(frozen=True, slots=True)
class BackwardPass:
    """Norms of the gradient of one loss: L_t of one step t, or the sum over all steps."""

    losses: tuple[float, ...]  # [T] -log p(y_t | y_<t, x)
    encoder: tuple[float, ...]  # [S] || dL / dh_j ||, both directions together
    decoder: tuple[float, ...]  # [T] || dL / ds_t ||
    encoder_cells: tuple[float, ...]  # [S] || dL / dc_j ||, the LSTM's cell states; else empty
    decoder_cells: tuple[float, ...]  # [T]
    attention: tuple[tuple[float, ...], ...]  # [T, S], heads averaged; empty without a map


def open_gates(model: Seq2Seq, recurrent: float = 1.0, bias: float = 0.0) -> Seq2Seq:
    """Scale the recurrent weights, and push the gates that keep the old state (GRU: update, LSTM: forget) open by a bias."""
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, Recurrence):
                for name, weight in module.stack.named_parameters():
                    if name.startswith("weight_hh"):
                        weight.mul_(recurrent)
                    elif name.startswith("bias_hh") and module.cell in ("gru", "lstm"):
                        weight[module.hidden : 2 * module.hidden] += bias  # both cells keep that gate in second place
    return model


def fresh_model(config: ModelConfig, seed: int, recurrent: float = 1.0, bias: float = 0.0) -> Seq2Seq:
    """An untrained model; the random numbers of the rest of the program are left alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return open_gates(Seq2Seq(config), recurrent, bias).eval()


def with_cell(config: ModelConfig, cell: Cell, attention: bool) -> ModelConfig:
    """The same model with another cell, reading from left to right alone, so that there is one way back."""
    kept = config.attention if config.has_map else "additive"
    return replace(config, cell=cell, attention=kept if attention else "none", bidirectional=False, dropout=0.0)


def backward_pass(model: Seq2Seq, source: Sequence[int], target: Sequence[int], step: int | None = None) -> BackwardPass:
    """Run one example forward and its loss back. `step`: the loss of this time step alone; None: of all.

    The graph is unrolled cell by cell, as the weights see it, so that every h_j and s_t is there to be asked for its whole gradient:
    what reaches it through the next state, through the attention and through its own output.
    """
    if not isinstance(model.encoder, TextEncoder):
        raise InputError("This model reads no text; the way back through time is shown for text.")
    wanted = (*target, EOS)
    if step is not None and not 0 <= step < len(wanted):
        raise InputError(f"The step is {step}; this output has the steps 0 to {len(wanted) - 1}.")
    with torch.enable_grad():
        encoder_states, values = _read(model.encoder, torch.tensor([list(source)]))
        decoder_states, losses, weights = _write(model, values, wanted)
        loss = losses.sum() if step is None else losses[step]
        gradients = torch.autograd.grad(loss, [*encoder_states, *decoder_states], allow_unused=True)
    found = [torch.zeros_like(s) if g is None else g for s, g in zip([*encoder_states, *decoder_states], gradients, strict=True)]
    directions = len(encoder_states) // len(source)
    reading = [torch.cat([found[j + d * len(source)] for d in range(directions)]) for j in range(len(source))]  # [D, C] each
    writing = found[len(encoder_states) :]
    hidden, read_hidden = model.config.hidden, model.encoder.recurrence.hidden
    return BackwardPass(
        losses=tuple(losses.tolist()),
        encoder=_norms([one[:, :read_hidden] for one in reading]),
        decoder=_norms([one[:, :hidden] for one in writing]),
        encoder_cells=_norms([one[:, read_hidden:] for one in reading]),
        decoder_cells=_norms([one[:, hidden:] for one in writing]),
        attention=tuple(tuple(row) for row in weights.tolist()),
    )


def _norms(gradients: Sequence[Tensor]) -> tuple[float, ...]:
    return tuple(float(one.norm()) for one in gradients) if gradients[0].numel() else ()


def _move(recurrence: Recurrence, suffix: str, inputs: Tensor, before: Tensor) -> Tensor:
    """One cell, one step: inputs [1, I], state [1, C] -> state [1, C]."""
    weights = recurrence._weights(suffix)
    if recurrence.cell == "lstm":
        return torch.cat(torch.lstm_cell(inputs, before.chunk(2, -1), *weights), -1)
    cell = torch.gru_cell if recurrence.cell == "gru" else torch.rnn_tanh_cell
    return cell(inputs, before, *weights)


def _read(encoder: TextEncoder, source: Tensor) -> tuple[list[Tensor], tuple[Tensor, Tensor]]:
    """The top layer's states, forward then backward, each by position; and the memory's values [1, S, H] and summary [1, H]."""
    recurrence, length = encoder.recurrence, source.shape[1]
    inputs = list(encoder.embedding(source).unbind(1))
    for layer in range(recurrence.stack.num_layers):
        kept = []
        for direction in range(encoder.directions):
            state, states = inputs[0].new_zeros(1, recurrence.state_size), {}
            for j in reversed(range(length)) if direction else range(length):
                state = states[j] = _move(recurrence, f"l{layer}" + "_reverse" * direction, inputs[j], state)
            kept.append([states[j] for j in range(length)])
        inputs = [torch.cat([states[j][:, : recurrence.hidden] for states in kept], -1) for j in range(length)]
    last = [states[0] if direction else states[-1] for direction, states in enumerate(kept)]
    summary = torch.cat([state[:, : recurrence.hidden] for state in last], -1)
    return [state for states in kept for state in states], (torch.stack(inputs, 1), summary)


def _write(model: Seq2Seq, values: tuple[Tensor, Tensor], wanted: Sequence[int]) -> tuple[list[Tensor], Tensor, Tensor]:
    """The top layer's states s_t, the losses [T] and the attention [T, S]."""
    decoder, (states, summary) = model.decoder, values
    memory = make_memory(decoder.attention, states, torch.ones(states.shape[:2], dtype=torch.bool), summary)
    state = list(decoder.start(memory).unbind(1))
    hidden = model.config.hidden
    kept, losses, weights = [], [], []
    for before, after in zip((BOS, *wanted[:-1]), wanted, strict=True):
        inputs = decoder.embedding(torch.tensor([before]))
        if decoder.attends_first:
            query = state[-1][:, None, :hidden]
            attended = decoder._attend(query, memory, PLAIN)
            inputs = torch.cat([inputs, decoder._gated(query, attended.context)[:, 0]], -1)
        elif model.config.attention == "every-step":
            inputs = torch.cat([inputs, summary], -1)
        for layer in range(len(state)):
            state[layer] = _move(decoder.recurrence, f"l{layer}", inputs, state[layer])
            inputs = state[layer][:, :hidden]
        kept.append(state[-1])
        if not decoder.attends_first:
            attended = decoder._attend(inputs[:, None], memory, PLAIN)
        logits = decoder._distribution(inputs[:, None], attended.context)[0]
        losses.append(F.cross_entropy(logits, torch.tensor([after])))
        weights.append(attended.weights[0, 0].mean(0) if attended.weights.shape[2] else inputs.new_empty(0))
    return kept, torch.stack(losses), torch.stack(weights).detach()
