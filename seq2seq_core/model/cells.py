"""RNN, GRU and LSTM: three equations each, and layers of them over padded batches.

A state is one tensor [B, L, C]: L layers, and C = H, or 2 H for the LSTM, whose hidden and cell vectors lie side by side.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from seq2seq_core.config import Cell
from seq2seq_core.model import fast
from seq2seq_core.model.record import Record

Weights = tuple[Tensor, Tensor, Tensor, Tensor]  # W, U, b and d: what the input and the old state are multiplied with, and the biases
Moved = tuple[dict[str, Tensor], Tensor]  # gates by name [B, H], the new state [B, C]


def rnn(x: Tensor, state: Tensor, w: Tensor, u: Tensor, b: Tensor, d: Tensor) -> Moved:
    """s_t = tanh(W x + U s + b)   (Elman 1990)."""
    return {}, torch.tanh(F.linear(x, w, b) + F.linear(state, u, d))


def gru(x: Tensor, state: Tensor, w: Tensor, u: Tensor, b: Tensor, d: Tensor) -> Moved:
    """r, z = sigmoid(W x + U s + b), n = tanh(W x + r * (U s + b)), s_t = (1 - z) n + z s   (Cho et al. 2014)."""
    (x_r, x_z, x_n), (s_r, s_z, s_n) = F.linear(x, w, b).chunk(3, -1), F.linear(state, u, d).chunk(3, -1)
    r, z = torch.sigmoid(x_r + s_r), torch.sigmoid(x_z + s_z)
    n = torch.tanh(x_n + r * s_n)
    return {"r": r, "z": z, "n": n}, (1 - z) * n + z * state


def lstm(x: Tensor, state: Tensor, w: Tensor, u: Tensor, b: Tensor, d: Tensor) -> Moved:
    """i, f, o = sigmoid(..), g = tanh(..), m_t = f m + i g, s_t = o tanh(m_t)   (Hochreiter and Schmidhuber 1997, with forget gates)."""
    hidden, cell = state.chunk(2, -1)
    i, f, g, o = (F.linear(x, w, b) + F.linear(hidden, u, d)).chunk(4, -1)
    i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
    cell = f * cell + i * g
    return {"i": i, "f": f, "g": g, "o": o}, torch.cat([o * torch.tanh(cell), cell], -1)


CELLS: dict[Cell, Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor], Moved]] = {"rnn": rnn, "gru": gru, "lstm": lstm}
STACKS: dict[Cell, Callable[..., nn.RNNBase]] = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


class Recurrence(nn.Module):
    """A stack of recurrent layers. Padding never enters a state.

    With a record every cell is computed by its equations above and written down; without one, by the equal and faster ways of `fast`.
    """

    def __init__(self, cell: Cell, inputs: int, hidden: int, layers: int = 1, bidirectional: bool = False, dropout: float = 0.0) -> None:
        super().__init__()
        self.cell = cell
        self.hidden = hidden
        self.layers = layers
        self.bidirectional = bidirectional
        self.directions = 2 if bidirectional else 1
        self.dropout = dropout
        self.single_gru = cell == "gru" and layers == 1 and not bidirectional
        self.stack = STACKS[cell](
            inputs, hidden, layers, bidirectional=bidirectional, batch_first=True, dropout=dropout if layers > 1 else 0.0
        )
        for name, weight in self.stack.named_parameters():
            if name.startswith("weight_hh"):
                nn.init.orthogonal_(weight)
            elif name.startswith("weight_ih"):
                nn.init.xavier_uniform_(weight)
            else:
                nn.init.zeros_(weight)

    @property
    def state_size(self) -> int:
        return 2 * self.hidden if self.cell == "lstm" else self.hidden

    def weights(self, layer: int, direction: int = 0) -> Weights:
        """W, U, b and d of one layer; direction 1 reads backwards."""
        get, name = self.stack._parameters, f"l{layer}" + "_reverse" * direction
        return get[f"weight_ih_{name}"], get[f"weight_hh_{name}"], get[f"bias_ih_{name}"], get[f"bias_hh_{name}"]  # type: ignore[return-value]

    def step(self, inputs: Tensor, state: Tensor, record: Record | None = None) -> tuple[Tensor, Tensor]:
        """One token for every row: inputs [B, I], state [B, L, C] -> output [B, H], state [B, L, C]."""
        if record is None:
            return fast.step(self, inputs, state)
        new = []
        for layer, before in enumerate(state.unbind(1)):
            after = self._move(inputs, before, layer, 0, record)
            new.append(after)
            inputs = after[:, : self.hidden]
        return inputs, torch.stack(new, 1)

    def sequence(
        self, inputs: Tensor, state: Tensor | None = None, lengths: Tensor | None = None, record: Record | None = None
    ) -> tuple[Tensor, Tensor]:
        """Whole sequences: inputs [B, S, I] -> outputs [B, S, D H] (0 on padding), last states [B, L D, C]; D directions."""
        if record is None:
            return fast.sequence(self, inputs, state, lengths)
        batch, steps, _ = inputs.shape
        real = torch.ones(batch, steps, dtype=torch.bool) if lengths is None else torch.arange(steps) < lengths[:, None]  # [B, S]
        last: list[Tensor] = []
        for layer in range(self.layers):
            inputs = fast.drop(inputs, self.dropout, self.training) if layer else inputs
            outputs = []
            for direction in range(self.directions):
                before = inputs.new_zeros(batch, self.state_size) if state is None else state[:, len(last)]
                states = {}
                for j in reversed(range(steps)) if direction else range(steps):
                    after = self._move(inputs[:, j], before, layer, direction, record)
                    before = torch.where(real[:, j, None], after, before)
                    states[j] = after[:, : self.hidden]
                last.append(before)
                outputs.append(torch.stack([states[j] for j in range(steps)], 1))
            inputs = torch.cat(outputs, -1) * real.unsqueeze(-1)  # [B, S, D H]
        return inputs, torch.stack(last, 1)

    def _move(self, inputs: Tensor, before: Tensor, layer: int, direction: int, record: Record) -> Tensor:
        """One cell, one step, written down: inputs [B, I], state [B, C] -> state [B, C].

        What is written down stands on the way, [B, 1, ..]: a gradient asked for at `before` is what comes back over this cell alone.
        """
        inputs, before = inputs.unsqueeze(1), before.unsqueeze(1)
        gates, moved = CELLS[self.cell](inputs[:, 0], before[:, 0], *self.weights(layer, direction))
        after = moved.unsqueeze(1)
        cell = record.under(f"layer {layer + 1}{' backwards' * direction}")
        cell.add(inputs=inputs, before=before, **{name: gate.unsqueeze(1) for name, gate in gates.items()})
        cell.add(after=after)
        return after[:, 0]
