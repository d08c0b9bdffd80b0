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
from seq2seq_core.model.cells import Recurrence
from seq2seq_core.model.encoders import TextEncoder
from seq2seq_core.model.record import Record
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

    With a record the model goes cell by cell, so that every h_j and s_t is there to be asked for its whole gradient: what reaches it
    through the next state, through the attention and through its own output.
    """
    if not isinstance(model.encoder, TextEncoder):
        raise InputError("This model reads no text; the way back through time is shown for text.")
    wanted = (*target, EOS)
    if step is not None and not 0 <= step < len(wanted):
        raise InputError(f"The step is {step}; this output has the steps 0 to {len(wanted) - 1}.")
    reading, writing = Record(), Record()
    with torch.enable_grad():
        memory = model.encode(torch.tensor([list(source)]), torch.tensor([len(source)]), reading)
        output = model.step(torch.tensor([[BOS, *target]]), model.start(memory), memory, record=writing)
        losses = F.cross_entropy(output.logits[0], torch.tensor(wanted), reduction="none")  # [T]
        written = writing.parts(f"layer {model.config.decoder_layers}/after")
        read = reading.parts(f"layer {model.config.encoder_layers}/after")
        back = reading.parts(f"layer {model.config.encoder_layers} backwards/after")[::-1] if model.config.bidirectional else []
        gradients = _gradients(losses.sum() if step is None else losses[step], [*written, *read, *back])
    writes, reads, backs = (
        gradients[: len(written)],
        gradients[len(written) : len(written) + len(read)],
        gradients[len(written) + len(read) :],
    )
    both = [torch.cat(pair) for pair in zip(reads, backs, strict=True)] if backs else reads  # [D, C] each
    hidden, read_hidden = model.config.hidden, model.encoder.recurrence.hidden
    heads = output.weights[0].detach()  # [T, K, S]
    return BackwardPass(
        losses=tuple(losses.tolist()),
        encoder=_norms([one[:, :read_hidden] for one in both]),
        decoder=_norms([one[:, :hidden] for one in writes]),
        encoder_cells=_norms([one[:, read_hidden:] for one in both]),
        decoder_cells=_norms([one[:, hidden:] for one in writes]),
        attention=tuple(map(tuple, (heads.mean(1) if heads.shape[1] else heads.flatten(1)).tolist())),
    )


def _gradients(loss: Tensor, states: Sequence[Tensor]) -> list[Tensor]:
    """Of each state [1, 1, C] the gradient [1, C], 0 where the loss does not depend on it."""
    found = torch.autograd.grad(loss, states, allow_unused=True)
    return [torch.zeros_like(state)[0] if gradient is None else gradient[0] for state, gradient in zip(states, found, strict=True)]


def _norms(gradients: Sequence[Tensor]) -> tuple[float, ...]:
    return tuple(float(one.norm()) for one in gradients) if gradients[0].numel() else ()
