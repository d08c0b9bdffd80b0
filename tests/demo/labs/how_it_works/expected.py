"""What How it works has to print at a moment: the values of all letters by the lab's names, and the numbers of sums and shares."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from demo.labs.how_it_works.notation import Section
from demo.labs.how_it_works.view import ReadView, Run, StepView
from demo.letters import reletter
from seq2seq_core.config import ModelConfig
from seq2seq_core.study.inside import CellNumbers, StepNumbers
from tests.demo.latex_values import Values, evaluate

HALF = 6e-4  # of the last digit that is printed, and what float32 adds
GATES = {"rnn": ("",), "gru": ("_r", "_z", "_n"), "lstm": ("_i", "_f", "_g", "_o")}


def renamed(values: Values, section: Section, lettering: str, cell: str) -> Values:
    """By the lecture's names, which may not give one name to two things."""
    found: Values = {}
    text = re.sub(r"_\{(\w)\}", r"_\1", " ".join(map(without_shapes, section.latex)))
    for name, value in values.items():
        if re.sub(r"_\{(\w)\}", r"_\1", name) not in text:
            continue
        written = reletter(name, lettering, section.about, cell)
        assert written not in found or found[written] is value, f"{name} would be {written}, as something else is"
        found[written] = value
    return found


def without_shapes(latex: str) -> str:
    """Without what is written under the matrices, and under the 1 of a one-hot vector."""
    while (at := latex.find(r"\underset{")) >= 0:
        middle = latex.index("}{", at)
        end, depth = middle + 2, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(latex[end], 0)
            end += 1
        latex = latex[:at] + latex[middle + 2 : end - 1] + latex[end:]
    return latex


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    found: np.ndarray = powers / powers.sum(-1, keepdims=True)
    return found


def scalars(values: Sequence[float] | np.ndarray) -> list[np.ndarray]:
    return [np.array(float(value)) for value in values]


@dataclass
class Expected:
    """What has to stand in the sections of one moment: values by the lab's names, and the numbers of sums and shares, in order."""

    run: Run
    view: StepView | ReadView

    @property
    def config(self) -> ModelConfig:
        return self.run.config

    @property
    def now(self) -> StepNumbers:
        assert isinstance(self.view, StepView)
        return self.view.numbers

    # -- by name ----------------------------------------------------------------------------------------------------------

    def values(self, section: Section) -> Values:
        model = self.run.pipeline.model
        found: Values = {"h_T": self.run.inside.summary} | {f"h_{{{j + 1}}}": one for j, one in enumerate(self.run.inside.memory)}
        if self.config.source != "none":
            found |= {"W_s": array(model.decoder.bridge.weight), "b_s": array(model.decoder.bridge.bias)}
        return found | (self._step(section) if isinstance(self.view, StepView) else self._reading(section))

    def _step(self, section: Section) -> Values:
        model, now = self.run.pipeline.model, self.now
        found: Values = {"E": array(model.decoder.output.weight if section.about == "output" else model.decoder.embedding.weight)}
        found |= {f"\\delta_{{{now.token_in}}}": np.eye(self.config.target_vocab)[now.token_in]}
        found |= {"x_t": now.embedded, r"\hat{x}_t": now.cells[0].inputs, r"\rho_t": now.readout, r"\ell_t": now.logits}
        found |= {"s_t": now.hidden} | ({} if now.attention is None else {"c_t": now.attention.context})
        for layer, cell in enumerate(now.cells, 1):
            up = f"^{{({layer})}}" if layer < len(now.cells) else ""
            found |= both(self.config, f"s{up}", f"m{up}", "t", cell.after) | both(self.config, f"s{up}", f"m{up}", "t-1", cell.before)
            if now.step == 0:
                found |= both(self.config, f"s{up}", f"m{up}", "0", cell.before)
            if f"layer {layer}" in section.name or len(now.cells) == 1:
                found |= weights(self.config, cell, model.decoder.recurrence.weights(layer - 1), "t")
        if self.config.carries_context:
            found["c_{t-1}"] = found["s_{t-1}"]
        if model.decoder.readout is not None:
            found |= {"W_c": array(model.decoder.readout.weight), "b_c": array(model.decoder.readout.bias)}
        found |= {"W_y": array(model.decoder.output.weight), "b_y": array(model.decoder.output.bias)}
        if now.gate is not None:
            found[r"\beta_t"] = np.array(now.gate)
        if now.cell_gate is not None:
            found[r"\beta"] = np.array(now.cell_gate)
        if section.name == "Copying":
            gate = model.decoder.copying.gate
            found |= {"g_t": np.array(now.copy), "w_g": array(gate.weight)[0], "b_g": array(gate.bias)}
        return found | (
            self._score(section) if section.about in ("score", "additive") else {} if section.about == "cell" else self._gates()
        )

    def _gates(self) -> Values:
        gate = getattr(self.run.pipeline.model.decoder, "gate", None)
        return {} if gate is None or self.now.gate is None else {"w": array(gate.weight)[0]} | ({"b": array(gate.bias)})

    def _score(self, section: Section) -> Values:
        """The letters of the score, which have other meanings in the cell."""
        if section.name == "Context vector":
            return self._gates()
        assert isinstance(self.view, StepView)
        part, j, head = self.run.pipeline.model.decoder.attention, self.view.shown.position, self.view.shown.head
        found: Values = {}
        for letter in ("u", "w", "w_q", "w_k"):
            if (layer := getattr(part, letter, None)) is not None:
                width = self.config.hidden // self.config.heads if self.config.attention == "multi-head" else self.config.hidden
                rows = slice(head * width, head * width + width) if self.config.attention == "multi-head" else slice(None)
                found[letter[0].upper() + letter[1:]] = array(layer.weight)[rows]
                if layer.bias is not None:
                    found["b" + letter[1:]] = array(layer.bias)[rows]
        if hasattr(part, "v"):
            found["v"] = array(part.v.weight)[0]
        squeeze = (lambda values: values) if self.config.attention == "multi-head" else np.tanh
        if "W_q" in found:
            asks = self.now.before[: self.config.hidden] if self.config.wiring == "input" else self.now.hidden
            q, k = found["W_q"] @ asks + found["b_q"], found["W_k"] @ self.now.memory[j] + found["b_k"]
            found |= {"q_t": squeeze(q), f"k_{{{j + 1}}}": squeeze(k)}
            found |= {f"q_{{t,{head + 1}}}": found["q_t"], f"k_{{{j + 1},{head + 1}}}": found[f"k_{{{j + 1}}}"]}
        return found

    def _reading(self, section: Section) -> Values:
        assert isinstance(self.view, ReadView)
        inside, encoder, config = self.run.inside, self.run.pipeline.model.encoder, self.config
        ways = {r"\overrightarrow{h}": False, r"\overleftarrow{h}": True} if config.bidirectional else {"h": False}
        if self.view.position is None:
            found = both(config, "s", "m", "0", inside.start[-1]) | both(config, "s^{(1)}", "m^{(1)}", "0", inside.start[0])
            size = config.hidden // len(ways)
            ends = dict(zip((r"\overrightarrow{h}_T", r"\overleftarrow{h}_1"), inside.summary.reshape(-1, size), strict=False))
            return found | (ends if config.bidirectional else {})
        j = self.view.position
        token = self.view.source.ids[j]
        found = {"x_j": inside.encoder["embedded"][j], "E": array(encoder.embedding.weight)}
        found |= {f"\\delta_{{{token}}}": np.eye(config.source_vocab)[token], "h_j": inside.memory[j]}
        for letter, backwards in ways.items():
            for layer in range(1, config.encoder_layers + 1):
                up = f"^{{({layer})}}" if layer < config.encoder_layers else ""
                cell, last = inside.encoder_cell(layer, j, backwards), "j+1" if backwards else "j-1"
                named = both(config, f"{letter}{up}", f"m{up}", "j", cell.after) | both(
                    config, f"{letter}{up}", f"m{up}", last, cell.before
                )
                here = ("backwards" in section.name) == backwards and (f"layer {layer}" in section.name or config.encoder_layers == 1)
                found |= {name: value for name, value in named.items() if here or not name.startswith("m")}
                if here and section.about == "cell":
                    found |= weights(config, cell, encoder.recurrence.weights(layer - 1, backwards), "j") | {r"\hat{x}_j": cell.inputs}
        return found

    # -- sums and shares --------------------------------------------------------------------------------------------------

    def printed(self, section: Section, line: str) -> list[np.ndarray] | None:
        """Of what is no formula of named things alone: all numbers in it, computed here. None: the line says how it is computed."""
        if isinstance(self.view, ReadView):
            return None
        if section.name == "Copying":
            return self._copying(line)
        if section.name.startswith("Output"):
            y, logits = self.view.shown.token_out, self.now.logits
            if "exp" in line:
                return scalars([logits[y], *np.sort(logits)[::-1][:3], softmax(logits)[y]])
            return scalars([math.log(softmax(logits)[y])]) if line.startswith(r"\log") else None
        if self.now.attention is None or section.name.startswith(("Encoder", "What", "Token", "New", "Readout")):
            return None
        return self._look(section, line, softmax(self.now.attention.scores))

    def _copying(self, line: str) -> list[np.ndarray] | None:
        assert isinstance(self.view, StepView) and self.now.attention is not None and self.now.copy is not None
        y, g = self.view.shown.token_out, self.now.copy
        own = softmax(self.now.logits)[y]
        there = np.array(self.run.trace.parts[0].ids) == y
        copied = softmax(self.now.attention.scores).mean(0)[there].sum()
        p = (1 - g) * own + g * copied
        if line.startswith(r"\log"):
            return scalars([math.log(p)])
        return scalars([1 - g, own, g, copied, p]) if r"\times" in line else None

    def _look(self, section: Section, line: str, weights: np.ndarray) -> list[np.ndarray] | None:
        assert isinstance(self.view, StepView) and self.now.attention is not None
        attention, j, head = self.now.attention, self.view.shown.position, self.view.shown.head
        model, memory, many = self.run.pipeline.model, self.now.memory, self.config.attention == "multi-head"
        if section.name.startswith("Score"):
            if not line.startswith("e"):
                return None
            values = renamed(self.values(section), section, "lab", self.config.cell)
            score = evaluate(without_shapes(line).split(" = ")[1], values)
            return scalars([*attention.terms[head, j][:3], np.ravel(score)[0]])
        if section.name == "Attention row":
            if r"\tfrac" in line:
                return scalars([*weights[:, j], weights[:, j].mean()])
            return scalars([attention.scores[head, j], *attention.scores[head][:3], weights[head, j]])
        if line.startswith(r"\beta"):
            return None
        used = np.eye(len(memory))[weights.argmax(-1)] if self.config.attention == "hard" else weights
        mixed = np.stack([weights @ memory for weights in used])
        shares = [] if self.config.attention == "hard" else np.sort(used[head])[::-1][:3]
        if many:
            part, width = model.decoder.attention, self.config.hidden // self.config.heads
            values = (memory @ array(part.w_v.weight).T + array(part.w_v.bias)).reshape(len(memory), -1, width)
            heads = np.stack([used[i] @ values[:, i] for i in range(self.config.heads)])
            if "head" in line.split(" = ")[0]:
                return [*scalars(shares), heads[head]]
            return [array(part.w_o.weight) @ heads.ravel() + array(part.w_o.bias)] if line.startswith("c_t") else []
        return [*scalars(shares), mixed[0]]

    # -- tables -----------------------------------------------------------------------------------------------------------

    def check_tables(self, tables: Mapping[str, Mapping[str, list[str]]]) -> None:
        assert isinstance(self.view, StepView)
        ids = list(dict.fromkeys([*self.view.likely, self.view.shown.token_out]))
        said = next(table for table in tables.values() if "probability" in table)
        np.testing.assert_allclose([float(one) for one in said["logit"]], self.now.logits[ids], atol=HALF)
        np.testing.assert_allclose([float(one) for one in said["probability"]], np.exp(self.now.logprobs[ids]), atol=HALF)
        if self.now.attention is not None:
            row = tables["Attention row"]
            at = [int(j) - 1 for j in list(row.values())[1]]  # of a photo the cells that are looked at most
            scores = self.now.attention.scores[self.view.shown.head]
            np.testing.assert_allclose([float(one) for one in row["score"]], scores[at], atol=HALF)
            np.testing.assert_allclose([float(one) for one in row["weight"]], softmax(scores)[at], atol=HALF)


def array(weight: torch.Tensor) -> np.ndarray:
    found: np.ndarray = weight.detach().numpy()
    return found


def both(config: ModelConfig, letter: str, cell: str, time: str, state: np.ndarray) -> Values:
    """A state by its name, and an LSTM's cell vector."""
    parts = state.reshape(2, -1) if config.cell == "lstm" else state[None]
    return {f"{name}_{{{time}}}" if len(time) > 1 else f"{name}_{time}": part for name, part in zip((letter, cell), parts, strict=False)}


def weights(config: ModelConfig, cell: CellNumbers, parts: Sequence[torch.Tensor], time: str) -> Values:
    """Of one cell: W, U and b of its gates, and the gates."""
    w, u, b, d = map(array, parts)
    size, found = len(w) // len(GATES[config.cell]), dict[str, np.ndarray]()
    for place, gate in enumerate(GATES[config.cell]):
        part = slice(size * place, size * place + size)
        apart = gate == "_n"  # its two biases are not added up
        found |= {f"W{gate}": w[part], f"U{gate}": u[part], f"b{gate}": b[part] if apart else b[part] + d[part]}
        if apart:
            found["d_n"] = d[part]
    return found | {f"{name}_{time}": value for name, value in cell.gates.items()}
