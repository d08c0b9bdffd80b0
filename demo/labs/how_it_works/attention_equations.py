"""The equations of one look at the memory: score, softmax row, context vector."""

from __future__ import annotations

import math
import re

import numpy as np

from demo.labs.how_it_works.notation import Section, Shown, number, total, vector, weight
from demo.letters import About
from demo.wording import quoted
from seq2seq_core.config import ModelConfig
from seq2seq_core.model.attention import VARIANTS
from seq2seq_core.study.inside import AttentionNumbers, StepNumbers

MATRIX = re.compile(r"(?<![\\A-Za-z])[A-Z](_[a-z])?(?= )")  # W or W_q before what it is multiplied with


def look(config: ModelConfig, numbers: StepNumbers, attention: AttentionNumbers, shown: Shown) -> list[Section]:
    return [_score(config, attention, shown), _row(config, attention, shown), _context(config, numbers, attention, shown)]


def equation(config: ModelConfig) -> str:
    """The score in general: the variant's own equation, with the state that this wiring looks with."""
    found = VARIANTS[config.attention].equation
    return found.replace("s_t", "s_{t-1}") if config.wiring == "input" else found


def _score(config: ModelConfig, attention: AttentionNumbers, shown: Shown) -> Section:
    """How the score of the chosen source position comes about."""
    i, j = shown.head, shown.position
    terms, score = attention.terms[i, j], attention.scores[i, j]
    size, shaped, lines = len(terms), set[str](), []

    def with_shape(found: re.Match[str]) -> str:
        """The first time that a matrix appears."""
        name = found.group()
        new = name not in shaped
        shaped.add(name)
        return weight(name, size, config.hidden) if new else name

    for line, values in attention.lines.items():
        value = values[i, min(j, values.shape[1] - 1)]
        lines.append(f"{_placed(MATRIX.sub(with_shape, line), config, shown, size)} = {vector(value)}")
    formula = _placed(VARIANTS[config.attention].equation, config, shown, size)
    lines.append(f"{formula} = {total([number(term) for term in terms])} = {number(score)}")
    head = f", head {i + 1} of {config.heads}" if config.attention == "multi-head" else ""
    says = f"How well the state fits $h_{{{j + 1}}}$, {shown.name}: a sum of {size} products, of which the first are printed."
    return Section(f"Score of one source position{head}", says, tuple(lines), about(config))


def about(config: ModelConfig) -> About:
    """Of the score's equation, whose letters mean other things elsewhere."""
    return "additive" if config.attention == "additive" else "score"


def _placed(latex: str, config: ModelConfig, shown: Shown, size: int) -> str:
    """An equation for the chosen head i and position j, with the state that looks and the width of a key."""
    i, j = shown.head + 1, shown.position + 1
    for general, own in (
        ("s_t", "s_{t-1}" if config.wiring == "input" else "s_t"), ("{tj}", f"{{t,{j}}}"), ("h_j", f"h_{{{j}}}"), ("k_j", f"k_{{{j}}}"),
        ("{j,i}", f"{{{j},{i}}}"), ("{t,i}", f"{{t,{i}}}"), ("{(i)}", f"{{({i})}}"), (r"\sqrt{d}", rf"\sqrt{{{size}}}"),
    ):  # fmt: skip
        latex = latex.replace(general, own)
    return latex


def _indexed(config: ModelConfig, head: int, j: str, letter: str = "e") -> str:
    return f"{letter}^{{({head + 1})}}_{{t,{j}}}" if config.attention == "multi-head" else f"{letter}_{{t,{j}}}"


def _row(config: ModelConfig, attention: AttentionNumbers, shown: Shown) -> Section:
    """The softmax over the positions, for the chosen one."""
    i, j = shown.head, shown.position
    left, chosen = _indexed(config, i, str(j + 1), r"\alpha"), attention.weights[i]
    if attention.replaced:
        return Section("Attention row", "This row was put in by hand instead of the softmax.", (rf"{left} = {number(chosen[j])}",))
    scores = [rf"\exp({number(score)})" for score in attention.scores[i] if math.isfinite(score)]
    k, top = _indexed(config, i, "k"), number(attention.scores[i, j])
    share = rf"\frac{{\exp {_indexed(config, i, str(j + 1))}}}{{\sum_k \exp {k}}} = \frac{{\exp({top})}}{{{total(scores)}}}"
    lines = [rf"{left} = {share} = {number(chosen[j])}"]
    says = "The softmax makes the scores positive, with sum 1. The largest score gets the largest share."
    if config.attention == "multi-head":
        heads = attention.weights[:, j]
        mean = " + ".join(number(value) for value in heads)
        lines.append(rf"\bar{{\alpha}}_{{t,{j + 1}}} = \tfrac{{1}}{{{len(heads)}}} ({mean}) = {number(heads.mean())}")
        says += " The map shows the average of the heads." if shown.averaged else f" The map shows head {i + 1}."
    return Section("Attention row", says, tuple(lines), "score")


def _context(config: ModelConfig, numbers: StepNumbers, attention: AttentionNumbers, shown: Shown) -> Section:
    i, lines = shown.head, []
    used = attention.used[i]
    order = [int(j) for j in np.argsort(-used, kind="stable") if used[j] > 0]
    if config.attention == "multi-head":
        alpha = _indexed(config, i, "j", r"\alpha")
        value = rf"{weight('W_v', attention.heads.shape[1], config.hidden)} h"
        mix = total([rf"{number(used[j])}\, v_{{{j + 1},{i + 1}}}" for j in order])
        lines += [
            rf"\mathrm{{head}}_{i + 1} = \sum_j {alpha}\, v_{{j,{i + 1}}} = {mix} = {vector(attention.heads[i])}",
            rf"v_{{j,{i + 1}}} = {value}_j + b_v",
            rf"c_t = {weight('W_o', config.hidden, config.hidden)}\, [\mathrm{{head}}_1; \dots] + b_o "
            rf"= {vector(attention.context)}",
        ]
        says = "Each head mixes its own values by its own weights; the heads are joined and projected."
    elif config.attention == "hard" and len(order) == 1:
        lines.append(rf"c_t = h_{{{order[0] + 1}}} = {vector(attention.context)}")
        says = f"Hard attention takes one position alone, here {order[0] + 1}, {quoted(shown.source[order[0]])}."
    else:
        mix = total([rf"{number(used[j])}\, h_{{{j + 1}}}" for j in order])
        lines.append(rf"c_t = \sum_j \alpha_{{tj}}\, h_j = {mix} = {vector(attention.context)}")
        says = "The encoder states, mixed by the attention row; the largest shares come first."
    if numbers.cell_gate is not None:
        lines.append(rf"\beta = \sigma(w^\top s_{{t-1}} + b) = {number(numbers.cell_gate)}")
    return Section("Context vector", says, tuple(lines), "score")
