"""A Transformer's equations with its own numbers: positions, self-attention, attention to the source, what each layer adds, the output."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from demo.labs.how_it_works.notation import SHARES, Section, Shown, number, total, vector, weight
from demo.labs.how_it_works.token_equations import embedding
from demo.wording import quoted

if TYPE_CHECKING:
    from demo.labs.how_it_works.encoder_equations import Source
    from seq2seq_core.config import ModelConfig
    from seq2seq_core.study.inside import Inside
    from seq2seq_core.trace.nodes import Floats

GENERAL = (
    r"x^{(0)}_t = \sqrt{H}\, x_t + p_t",
    r"u_t = x_t + \mathrm{look}(\mathrm{norm}(x)_t,\ \mathrm{norm}(x)_{\le t})",
    r"v_t = u_t + \mathrm{look}(\mathrm{norm}(u)_t,\ h)",
    r"x^{+}_t = v_t + W_2\, \mathrm{relu}(W_1\, \mathrm{norm}(v_t) + b_1) + b_2",
    r"s_t = \mathrm{norm}(x^{(L)}_t)",
    r"p(y_t \mid y_{<t}, x) = \mathrm{softmax}(E s_t + b_y)",
)


def says(config: ModelConfig) -> str:
    return (
        f"Encoder: {config.encoder_layers} layers in which every position looks at every other, with {config.heads} heads. Decoder: "
        f"{config.decoder_layers} layers; each step looks at the steps before it, then at the encoder's states $h_j$. Nothing is "
        f"recurrent: what a step needs of the past it looks up. Every part adds to a stream $x \\in \\mathbb{{R}}^{{{config.hidden}}}$."
    )


def place_of(config: ModelConfig, head: int) -> tuple[str, int]:
    """Where the record keeps a head that looks at the source, counted through all layers, and its number there."""
    if config.body != "transformer":
        return "attention", head
    return f"layer {head // config.heads + 1}/attention", head % config.heads


def positions(step: int, width: int) -> Floats:
    """p_t: sines and cosines of the step, counted from 0."""
    angle = step * np.exp(np.arange(0, width, 2) * (-math.log(10_000) / width))
    return np.stack([np.sin(angle), np.cos(angle)], -1).reshape(-1).astype(np.float32)


def sections(config: ModelConfig, inside: Inside, step: int, shown: Shown) -> tuple[Section, ...]:
    """A step of the decoder, in the layer of the chosen head."""
    values = inside.values
    token = "The start sign" if step == 0 else quoted(shown.words[inside.tokens[step]])
    layer, head = shown.head // config.heads + 1, shown.head % config.heads
    itself = {name: values[f"layer {layer}/itself/{name}"][step] for name in ("scores", "weights", "terms", "heads", "context")}
    looked = {name: values[f"layer {layer}/attention/{name}"][step] for name in ("scores", "weights", "terms", "heads", "context")}
    before = int(itself["weights"][head, : step + 1].argmax())
    name = f"layer {layer} of {config.decoder_layers}, head {head + 1} of {config.heads}"
    return (
        embedding("x_t", config.target_vocab, inside.tokens[step], values["embedded"][step], token),
        _placed(config, values["embedded"][step], step, "t"),
        *_looks(f"Self-attention, {name}", itself, head, before, step + 1, "i", "the steps so far"),
        *_looks(f"Attention to the source, {name}", looked, head, shown.position, len(inside.memory), "j", shown.name),
        _layer(config),
        _output(config, inside, step, shown),
    )


def reading(config: ModelConfig, inside: Inside, source: Source, position: int) -> tuple[Section, ...]:
    """The encoder at a position, in its last layer."""
    values, layer = inside.encoder, config.encoder_layers
    found = {name: values[f"layer {layer}/{name}"][position] for name in ("scores", "weights", "terms", "heads", "context")}
    other = int(found["weights"][0].argmax())
    name = f"Self-attention, layer {layer} of {layer}, head 1 of {config.heads}"
    token = embedding("x_j", config.source_vocab, source.ids[position], values["embedded"][position], quoted(source.names[position]))
    line = rf"h_j = \mathrm{{norm}}(x^{{({layer})}}_j) = {vector(inside.memory[position])}"
    return (
        token,
        _placed(config, values["embedded"][position], position, "j"),
        *_looks(name, found, 0, other, len(inside.memory), "i", quoted(source.names[other]), "j"),
        _layer(config),
        Section("Encoder state", "What all layers together leave at this position.", (line,), "state"),
    )


def _placed(config: ModelConfig, embedded: Floats, step: int, index: str) -> Section:
    p = positions(step, config.hidden)
    says = "Attention knows no order, so the place is added: sines and cosines of the position, counted from 0."
    placed = vector(math.sqrt(config.hidden) * embedded + p)
    lines = (rf"p_{index} = {vector(p)}", rf"x^{{(0)}}_{index} = \sqrt{{{config.hidden}}}\, x_{index} + p_{index} = {placed}")
    return Section("Position", says, lines, "token")


def _looks(
    name: str, found: dict[str, Floats], head: int, at: int, count: int, letter: str, where: str, asks: str = "t"
) -> tuple[Section, Section]:
    """The score of one position and the row; then what the heads bring."""
    terms, score, row = found["terms"][head, at], found["scores"][head, at], found["weights"][head, :count]
    products = total([number(term) for term in terms])
    spot, size = at + 1, len(terms)
    scores = [rf"\exp({number(one)})" for one in found["scores"][head, :count] if math.isfinite(one)]
    lines = (
        rf"e_{{{asks},{spot}}} = \frac{{q_{asks}^\top k_{{{spot}}}}}{{\sqrt{{{size}}}}} = {products} = {number(score)}",
        rf"\alpha_{{{asks},{spot}}} = \frac{{\exp({number(score)})}}{{{total(scores)}}} = {number(row[at])}",
    )
    told = f"Query, key and value are linear in $\\mathrm{{norm}}(x)$. Printed for {letter} = {spot}, {where}."
    order = [int(i) for i in np.argsort(-row, kind="stable") if row[i] > 0]
    mix = total([rf"{number(row[i])}\, v_{{{i + 1}}}" for i in order])
    context = (
        rf"\mathrm{{head}}_{{{head + 1}}} = {mix} = {vector(found['heads'][head])}",
        rf"c_{asks} = W_o\, [\mathrm{{head}}_1; \dots] + b_o = {vector(found['context'])}",
    )
    brings = "The heads, joined and projected, are added to the stream."
    return Section(name, told, lines, "score"), Section("What it brings", brings, context, "score")


def _layer(config: ModelConfig) -> Section:
    says = "Then each position by itself, through a layer that is wider inside; this too is added. The next layer begins with the sum."
    w_1, w_2 = weight("W_1", config.forward, config.hidden), weight("W_2", config.hidden, config.forward)
    return Section("Feed-forward", says, (rf"x \leftarrow x + {w_2}\, \mathrm{{relu}}({w_1}\, \mathrm{{norm}}(x) + b_1) + b_2",))


def _output(config: ModelConfig, inside: Inside, step: int, shown: Shown) -> Section:
    y, logits, logprobs = shown.token_out, inside.values["logits"][step], inside.logprobs(step)
    best = [rf"\exp({number(logits[k])})" for k in np.argsort(-logits, kind="stable")[: SHARES + 1]]
    share = rf"\frac{{\exp({number(logits[y])})}}{{{total(best)}}}"
    matrix = weight("E" if config.tie_output else "W_y", config.target_vocab, config.hidden)
    lines = (
        rf"s_t = \mathrm{{norm}}(x^{{({config.decoder_layers})}}_t) = {vector(inside.values['hidden'][step])}",
        rf"\ell_t = {matrix} s_t + b_y = {vector(logits)}",
        rf"p(y_t \mid y_{{<t}}, x) = \frac{{\exp \ell_{{t,y}}}}{{\sum_k \exp \ell_{{t,k}}}} = {share} = {number(math.exp(logprobs[y]))}",
        rf"\log p(y_t \mid \dots) = {number(logprobs[y])}",
    )
    says = f"One number for each of {config.target_vocab:,} tokens, and a softmax over them; here $y$ is {quoted(shown.words[y])}."
    return Section("Output distribution", says, lines, "output")
