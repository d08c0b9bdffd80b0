"""The equations of one step with that step's own numbers in them: numbers in, Markdown and LaTeX out."""

from __future__ import annotations

import math

import numpy as np

from demo.labs.how_it_works.attention_equations import look
from demo.labs.how_it_works.cell_equations import CELL_SAYS, CELLS, CellNames
from demo.labs.how_it_works.notation import SHARES, Section, Shown, number, total, vector, weight
from demo.labs.how_it_works.token_equations import embedding
from demo.wording import quoted
from seq2seq_core.config import ModelConfig
from seq2seq_core.study.inside import StepNumbers

__all__ = ["Section", "Shown", "sections"]
POSITIONS = {
    "text": "source tokens", "image": "cells of the photo", "sound": "stretches of the recording", "clip": "frames of the clip",
}  # fmt: skip
CHANCE = {False: "p", True: "p_V"}  # of a token; of models that copy what the output layer alone gives it


def sections(config: ModelConfig, numbers: StepNumbers, shown: Shown) -> tuple[Section, ...]:
    """The whole step in the order in which the model computes it."""
    found = [] if config.source == "none" else [_memory(config, numbers, shown)]
    found += [_token(config, numbers, shown), _input(config, numbers)]
    looked = [] if numbers.attention is None else look(config, numbers, numbers.attention, shown)
    cell = [_cell(config, numbers, layer) for layer in range(len(numbers.cells))]
    found += [*looked, *cell] if config.wiring == "input" else [*cell, *looked]
    read = [] if config.straight else [_readout(config, numbers)]
    copied = [] if numbers.copy is None else [_copying(config, numbers, numbers.copy, shown)]
    return (*found, *read, _output(config, numbers, shown), *copied)


def _memory(config: ModelConfig, numbers: StepNumbers, shown: Shown) -> Section:
    count, what = len(numbers.memory), POSITIONS[config.source]
    if numbers.attention is None:
        one = "its last state" if config.in_order else "the mean of their states"
        says = f"The encoder has read {count} {what}, and the decoder is given {one} $h_T$ alone: one vector for all of them."
        return Section("Encoder", says, (rf"h_T = {vector(numbers.summary)}",), "state")
    j = shown.position + 1
    says = f"One state $h_j$ for each of the {count} {what}; the decoder may look at all of them. Chosen: $j = {j}$, {shown.name}."
    lines = [rf"h_1, \dots, h_{{{count}}} \in \mathbb{{R}}^{{{config.hidden}}}"]
    if config.source == "image":
        says += r" It tells of the features $x_j$ of its cell and of their mean $\bar{x}$ over the photo."
        lines.append(r"h_j = \mathrm{norm}(\tanh(W x_j + U \bar{x} + b))")
    return Section("Encoder states", says, (*lines, rf"h_{{{j}}} = {vector(numbers.memory[shown.position])}"), "state")


def _token(config: ModelConfig, numbers: StepNumbers, shown: Shown) -> Section:
    token = "The start sign" if numbers.step == 0 else quoted(shown.words[numbers.token_in])
    return embedding("x_t", config.target_vocab, numbers.token_in, numbers.embedded, token)


def _input(config: ModelConfig, numbers: StepNumbers) -> Section:
    lines = []
    names = [_names(numbers, layer) for layer in range(len(numbers.cells))]
    before = {name: part for one in names for name, part in one.before("t-1" if numbers.step else "0").items()}
    if numbers.step == 0 and config.source != "none":
        first = rf"\tanh({weight('W_s', numbers.start.size, config.hidden)} h_T + b_s)"
        if len(before) > 1:
            every = r";\, ".join(before)
            lines.append(rf"[{every}] = {first} = {vector(numbers.start.flatten())}")
        else:
            before = {f"{name} = {first}": part for name, part in before.items()}
    elif config.carries_context:
        before = {f"{name} = c_{{t-1}}" if name == "s_{t-1}" else name: part for name, part in before.items()}
    lines += [f"{name} = {vector(part)}" for name, part in before.items()]
    says = f"Step $t = {numbers.step + 1}$ begins with that embedding and with the state before it."
    if config.carries_context and numbers.step:
        says += " That is the context of the step before, which took the state’s place."
    return Section("What goes in", says, tuple(lines), "state")


def _names(numbers: StepNumbers, layer: int, x: str = "x_t") -> CellNames:
    return CellNames(numbers.cells[layer], x, layer + 1 if layer + 1 < len(numbers.cells) else 0)


def _entering(config: ModelConfig, numbers: StepNumbers, layer: int) -> tuple[str, str]:
    """The name of what enters a layer, and a line on how it came about."""
    if layer:
        return f"s^{{({layer})}}_t", ""
    joined = "h_T" if config.attention == "every-step" else "c_t" if numbers.attention is not None and config.wiring == "input" else ""
    if not joined:
        return "x_t", ""
    scaled = rf"\beta\, {joined}" if numbers.cell_gate is not None and joined == "c_t" else joined
    return r"\hat{x}_t", rf"\hat{{x}}_t = [x_t;\, {scaled}] = {vector(numbers.cells[0].inputs)}"


def _cell(config: ModelConfig, numbers: StepNumbers, layer: int) -> Section:
    x, line = _entering(config, numbers, layer)
    part = f", layer {layer + 1} of {len(numbers.cells)}" if len(numbers.cells) > 1 else ""
    lines = CELLS[config.cell](_names(numbers, layer, x))
    return Section(f"New state ({config.cell.upper()}{part})", CELL_SAYS[config.cell], (line, *lines) if line else lines, "cell")


def _joined(config: ModelConfig, numbers: StepNumbers) -> tuple[str, list[str]]:
    """What is read out, and a line on how it came about."""
    if numbers.gate is not None:
        return r"[s_t;\, \beta_t c_t]", [rf"\beta_t = \sigma(w^\top s_t + b) = {number(numbers.gate)}"]
    if config.carries_context:
        return "c_t", []
    return "s_t" if numbers.attention is None else r"[s_t;\, c_t]", []


def _readout(config: ModelConfig, numbers: StepNumbers) -> Section:
    size = len(numbers.readout)
    joined, lines = _joined(config, numbers)
    says = "The state is brought to the size of an embedding."
    if config.carries_context:
        says = "The context takes the place of the state: it is read out, and the next step begins with it."
    elif numbers.attention is not None:
        says = "State and context together are brought to the size of an embedding."
    lines.append(rf"\rho_t = \tanh({weight('W_c', size, len(numbers.joined))} {joined} + b_c) = {vector(numbers.readout)}")
    if not config.tie_output:
        says = says.replace("brought to the size of an embedding", "read out")
    return Section("Readout", says, tuple(lines), "output")


def _output(config: ModelConfig, numbers: StepNumbers, shown: Shown) -> Section:
    y = shown.token_out
    logit, chance = numbers.logits[y], _own_chance(numbers, y)
    matrix = weight("E" if config.tie_output else "W_y", config.target_vocab, len(numbers.readout))
    best = [rf"\exp({number(numbers.logits[k])})" for k in np.argsort(-numbers.logits, kind="stable")[: SHARES + 1]]
    read, before = _joined(config, numbers) if config.straight else (r"\rho_t", [])
    lines = (
        *before,
        rf"\ell_t = {matrix}\, {read} + b_y = {vector(numbers.logits)}",
        rf"{CHANCE[numbers.copy is not None]}(y_t \mid y_{{<t}}{'' if config.source == 'none' else ', x'}) "
        rf"= \frac{{\exp \ell_{{t,y}}}}{{\sum_k \exp \ell_{{t,k}}}} = \frac{{\exp({number(logit)})}}{{{total(best)}}} = {number(chance)}",
        *(() if numbers.copy is not None else (rf"\log p(y_t \mid \dots) = {number(numbers.logprobs[y])}",)),
    )
    tied = " $E$ is the table of target embeddings again." if config.tie_output else ""
    says = f"One number for each of {config.target_vocab:,} tokens, and a softmax over them; here $y$ is {quoted(shown.words[y])}.{tied}"
    if config.straight:
        says += " Nothing stands between: $W_y$ is a matrix for the state and one for the context, side by side."
    return Section("Output distribution", says, lines, "output")


def _own_chance(numbers: StepNumbers, y: int) -> float:
    """By the output layer alone."""
    return float(np.exp(numbers.logits[y] - np.logaddexp.reduce(numbers.logits.astype(np.float64))))


def _copying(config: ModelConfig, numbers: StepNumbers, gate: float, shown: Shown) -> Section:
    """A token may also come from where the step looks (See et al. 2017, eq. 8 and 9)."""
    y = shown.token_out
    assert numbers.attention is not None
    weights = numbers.attention.weights.mean(0)
    there = [j for j, token in enumerate(shown.ids) if token == y]
    copied = float(weights[there].sum())
    own, (joined, _) = _own_chance(numbers, y), _joined(config, numbers)
    lines = (
        rf"g_t = \sigma(w_g^\top {joined} + b_g) = {number(gate)}",
        rf"p(y_t \mid y_{{<t}}, x) = (1 - g_t)\, p_V(y_t \mid y_{{<t}}, x) + g_t \sum_{{j:\, x_j = y_t}} \alpha_{{tj}} "
        rf"= {number(1 - gate)} \times {number(own)} + {number(gate)} \times {number(copied)} = {number(math.exp(numbers.logprobs[y]))}",
        rf"\log p(y_t \mid \dots) = {number(numbers.logprobs[y])}",
    )
    where = f"stands there {len(there)} times" if len(there) > 1 else "stands there once" if there else "does not stand there"
    says = (
        f"A share $g_t$ of the chances goes to the pieces of the source, by how much they are looked at; {quoted(shown.words[y])} {where}."
    )
    return Section("Copying", says, lines, "output")
