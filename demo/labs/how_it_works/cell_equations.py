"""The equations of the recurrent cells: RNN, GRU and LSTM."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from demo.labs.how_it_works.notation import vector, weight
from seq2seq_core.study.inside import CellNumbers

CELL_SAYS = {
    "rnn": "The simple recurrent cell adds what comes in to what it remembers, and squeezes the sum between -1 and 1.",
    "gru": "Gates between 0 and 1: $z_t$ says how much of the old state is kept, $r_t$ how much of it the candidate $n_t$ sees.",
    "lstm": "Gates between 0 and 1 write ($i_t$), forget ($f_t$) and read ($o_t$) the cell vector, here called $m_t$.",
}


@dataclass(frozen=True, slots=True)
class CellNames:
    """A cell's numbers, and how its input, its states and its times are called."""

    cell: CellNumbers
    x: str
    layer: int  # 0: the top layer, whose state is s_t
    letter: str = "s"
    now: str = "t"
    then: str = "t-1"

    @property
    def hidden(self) -> int:
        return len(self.cell.before) // 2 if "i" in self.cell.gates else len(self.cell.before)

    def state(self, letter: str, time: str) -> str:
        return f"{letter}^{{({self.layer})}}_{{{time}}}" if self.layer else f"{letter}_{{{time}}}"

    def before(self, time: str) -> dict[str, np.ndarray]:
        """The state that the step begins with, by name: s_{t-1}, and an LSTM's m_{t-1}; `time` is how t - 1 is written."""
        return {
            self.state(letter, time): part
            for letter, part in zip((self.letter, "m"), self.cell.before.reshape(-1, self.hidden), strict=False)
        }

    @property
    def new(self) -> str:
        return self.state(self.letter, self.now)

    @property
    def old(self) -> str:
        return self.state(self.letter, self.then)

    def affine(self, gate: str = "") -> str:
        """W x + U s + b, with the shapes of W and U under them."""
        at = f"_{gate}" if gate else ""
        w, u = weight(f"W{at}", self.hidden, len(self.cell.inputs)), weight(f"U{at}", self.hidden, self.hidden)
        return f"{w} {self.x} + {u} {self.old} + b{at}"

    def gate(self, name: str, function: str = r"\sigma") -> str:
        return rf"{name}_{self.now} = {function}({self.affine(name)}) = {vector(self.cell.gates[name])}"


def _rnn(names: CellNames) -> tuple[str, ...]:
    return (rf"{names.new} = \tanh({names.affine()}) = {vector(names.cell.after)}",)


def _gru(names: CellNames) -> tuple[str, ...]:
    now, before = names.now, names.old
    return (
        names.gate("r"),
        names.gate("z"),
        rf"n_{now} = \tanh(W_n {names.x} + b_n + r_{now} \odot (U_n {before} + d_n)) = {vector(names.cell.gates['n'])}",
        rf"{names.new} = (1 - z_{now}) \odot n_{now} + z_{now} \odot {before} = {vector(names.cell.after)}",
    )


def _lstm(names: CellNames) -> tuple[str, ...]:
    hidden, cell = np.split(names.cell.after, 2)
    now, m, before = names.now, names.state("m", names.now), names.state("m", names.then)
    return (
        *(names.gate(name) for name in "ifo"),
        names.gate("g", r"\tanh"),
        rf"{m} = f_{now} \odot {before} + i_{now} \odot g_{now} = {vector(cell)}",
        rf"{names.new} = o_{now} \odot \tanh({m}) = {vector(hidden)}",
    )


CELLS: dict[str, Callable[[CellNames], tuple[str, ...]]] = {"rnn": _rnn, "gru": _gru, "lstm": _lstm}
