"""The equations of one look at the memory: score, softmax row, context vector."""

from __future__ import annotations

import math

import numpy as np

from demo.labs.how_it_works.notation import Section, Shown, number, total, vector, weight
from demo.wording import quoted
from seq2seq_core.config import ModelConfig
from seq2seq_core.study.analysis import AttentionNumbers, StepNumbers


def look(config: ModelConfig, numbers: StepNumbers, attention: AttentionNumbers, shown: Shown) -> list[Section]:
    return [_score(config, attention, shown), _row(config, attention, shown), _context(config, numbers, attention, shown)]


def _score(config: ModelConfig, attention: AttentionNumbers, shown: Shown) -> Section:
    """How the score of the chosen source position comes about."""
    i, j = shown.head, shown.position
    query, key = attention.query[i], attention.keys[i, j]
    state, h, size = ("s_{t-1}" if config.wiring == "input" else "s_t"), f"h_{{{j + 1}}}", len(query)
    square = (config.hidden, config.hidden)
    lines: dict[str, tuple[str, ...]] = {
        "dot": (),
        "bilinear": (rf"{weight('W', *square)} {h} = {vector(key)}",),
        "additive": (
            rf"{weight('U', *square)} {state} = {vector(query)}",
            rf"{weight('W', *square)} {h} = {vector(key)}",
            rf"\tanh(U {state} + W {h}) = {vector(np.tanh(query + key))}",
        ),
        "key-query": (
            rf"q_t = \tanh({weight('W_q', *square)} {state} + b_q) = {vector(query)}",
            rf"k_{{{j + 1}}} = \tanh({weight('W_k', *square)} {h} + b_k) = {vector(key)}",
        ),
        "multi-head": (
            rf"q_{{t,{i + 1}}} = {weight('W_q', size, config.hidden)} {state} + b_q = {vector(query)}",
            rf"k_{{{j + 1},{i + 1}}} = {weight('W_k', size, config.hidden)} {h} + b_k = {vector(key)}",
        ),
    }
    lines["hard"] = lines["key-query"]
    terms, score = attention.terms[i, j], attention.scores[i, j]
    formula = _formula(config, state, h, (i + 1, j + 1), size)
    line = rf"{_e(config, i, str(j + 1))} = {formula} = {total([number(term) for term in terms])} = {number(score)}"
    head = f", head {i + 1} of {config.heads}" if config.attention == "multi-head" else ""
    says = f"How well the state fits $h_{{{j + 1}}}$, {shown.name}: a sum of {size} products, of which the first are printed."
    return Section(f"Score of one source position{head}", says, (*lines[config.attention], line))


def _formula(config: ModelConfig, state: str, h: str, places: tuple[int, int], size: int) -> str:
    i, j = places
    key_query = rf"\frac{{q_t^\top k_{{{j}}}}}{{\sqrt{{{size}}}}}"
    return {
        "dot": rf"{state}^\top {h}",
        "bilinear": rf"{state}^\top W {h}",
        "additive": rf"v^\top \tanh(U {state} + W {h})",
        "key-query": key_query,
        "hard": key_query,
        "multi-head": rf"\frac{{q_{{t,{i}}}^\top k_{{{j},{i}}}}}{{\sqrt{{{size}}}}}",
    }[config.attention]


def _e(config: ModelConfig, head: int, j: str, letter: str = "e") -> str:
    return f"{letter}^{{({head + 1})}}_{{t,{j}}}" if config.attention == "multi-head" else f"{letter}_{{t,{j}}}"


def _row(config: ModelConfig, attention: AttentionNumbers, shown: Shown) -> Section:
    """The softmax over the positions, for the chosen one."""
    i, j = shown.head, shown.position
    left, chosen = _e(config, i, str(j + 1), r"\alpha"), attention.weights[i]
    if attention.replaced:
        return Section("Attention row", "This row was put in by hand instead of the softmax.", (rf"{left} = {number(chosen[j])}",))
    scores = [rf"\exp({number(score)})" for score in attention.scores[i] if math.isfinite(score)]
    k, top = _e(config, i, "k"), number(attention.scores[i, j])
    share = rf"\frac{{\exp {_e(config, i, str(j + 1))}}}{{\sum_k \exp {k}}} = \frac{{\exp({top})}}{{{total(scores)}}}"
    lines = [rf"{left} = {share} = {number(chosen[j])}"]
    if config.attention == "multi-head":
        heads = attention.weights[:, j]
        mean = " + ".join(number(value) for value in heads)
        lines.append(rf"\bar{{\alpha}}_{{t,{j + 1}}} = \tfrac{{1}}{{{len(heads)}}} ({mean}) = {number(heads.mean())}")
    says = "The softmax makes the scores positive, with sum 1. The largest score gets the largest share."
    if config.attention == "multi-head":
        says += " The map shows the average of the heads."
    return Section("Attention row", says, tuple(lines))


def _context(config: ModelConfig, numbers: StepNumbers, attention: AttentionNumbers, shown: Shown) -> Section:
    i, lines = shown.head, []
    used = attention.used[i]
    order = [int(j) for j in np.argsort(-used, kind="stable") if used[j] > 0]
    if config.attention == "multi-head":
        alpha = _e(config, i, "j", r"\alpha")
        value = rf"{weight('W_v', len(attention.query[i]), config.hidden)} h"
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
    return Section("Context vector", says, tuple(lines))
