"""The six parts of a learning system, task, data, model, parameters, loss and algorithm, filled in for one model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from demo.labs.how_it_works.attention_equations import equation
from demo.tasks import TASKS
from demo.wording import plain
from seq2seq_core.config import ModelConfig

CELL_NAMES = {"rnn": "simple recurrent", "gru": "GRU", "lstm": "LSTM"}
OWN_CRITIC = (
    "the model is its own critic: several captions $\\hat y$ of each photo are drawn from it, and one with a better CIDEr $r$ than the "
    "mean $\\bar r$ of the others becomes likelier, a worse one less likely (self-critical training, Rennie et al. 2017). "
    "A little cross-entropy stays beside it."
)


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    says: str  # Markdown
    latex: str = ""


def six_parts(config: ModelConfig, card: Mapping[str, Any], counts: Mapping[str, int]) -> tuple[Part, ...]:
    """`counts`: the parameters of each part of the model."""
    return (
        Part("Task", TASKS[config.task].about, _task(config)),
        Part("Data", _data(card)),
        Part("Model", _model(config), "" if config.source == "none" else equation(config)),
        Part("Parameters", f"{sum(counts.values()):,} numbers $\\theta$, learnt from the data and then fixed."),
        _loss(config, card),
        Part("Algorithm", _algorithm(card)),
    )


def _task(config: ModelConfig) -> str:
    given = "" if config.source == "none" else ", x"
    return rf"\hat{{y}} = \arg\max_y \prod_t p(y_t \mid y_{{<t}}{given})"


def _data(card: Mapping[str, Any]) -> str:
    data = card.get("data") or {}
    known = [f"{name}: {plain(str(data[key]))}." for name, key in (("Language", "language"), ("Trained on", "trained_on")) if data.get(key)]
    return " ".join(one.replace("..", ".") for one in known) or "The model's card does not say what it was trained on."


def _model(config: ModelConfig) -> str:
    cell = CELL_NAMES[config.cell]
    if config.source == "text":
        both = ", read in both directions" if config.bidirectional else ""
        reads = f"Encoder: {config.encoder_layers} {cell} layer{'s' * (config.encoder_layers > 1)}{both}. "
    else:
        grid = "Encoder: the grid features of a fixed image network, each cell and the mean of all through one dense layer. "
        reads = grid if config.source == "image" else ""
    layers = f"{config.decoder_layers} {cell} layer{'s' * (config.decoder_layers > 1)}"
    decodes = f"Decoder: {layers} with states $s_t \\in \\mathbb{{R}}^{{{config.hidden}}}$. "
    if config.source == "none":
        return decodes + "It has no encoder."
    if not config.has_map:
        how = "at every step" if config.attention == "every-step" else "as its first state only"
        return f"{reads}{decodes}No attention: it receives the one vector $h_T$, {how}."
    wiring = "enters the next state" if config.wiring == "input" else "joins the state before the output"
    return f"{reads}{decodes}{config.attention.capitalize()} attention over the encoder states; the context vector {wiring}."


def _loss(config: ModelConfig, card: Mapping[str, Any]) -> Part:
    given = "" if config.source == "none" else ", x"
    says = "Cross-entropy: minus the log-probability of each true token, given the true tokens before it (teacher forcing)."
    if config.label_smoothing:
        says += f" Label smoothing: a share of {config.label_smoothing:g} of the target is spread evenly over all tokens."
    lines = [rf"L(\theta) = -\frac{{1}}{{m}} \sum_{{t=1}}^{{m}} \log p_\theta(y_t \mid y_{{<t}}{given})"]
    if config.coverage:
        says += f" A penalty of weight {config.coverage:g} asks that every source position be looked at once in all."
        lines.append(rf"\quad + \frac{{{config.coverage:g}}}{{S}} \sum_j \Bigl(1 - \sum_t \alpha_{{tj}}\Bigr)^2")
    if config.attention == "hard":
        says += " The choice of a position has no gradient: it is learnt by REINFORCE."
    last = card.get("self_critical")
    if isinstance(last, int) and last > 0:
        says += f" In the last {'epoch' if last == 1 else f'{last} epochs'} {OWN_CRITIC}"
        lines.append(r"L_r(\theta) = -\frac{r - \bar r}{m} \log p_\theta(\hat y \mid x)")
    joined = r" \\ ".join(f"& {line}" for line in lines)
    return Part("Loss", says, rf"\begin{{aligned}} {joined} \end{{aligned}}")


def _algorithm(card: Mapping[str, Any]) -> str:
    says = "Gradient descent by AdamW, with the gradients from backpropagation through time."
    epochs, seconds = card.get("epochs"), card.get("training_seconds")
    if isinstance(epochs, int):
        says += f" {epochs} epoch{'s' * (epochs > 1)}"
        says += f" in {max(1, round(seconds / 60))} min." if isinstance(seconds, int | float) else "."
    return says + " To decode, greedy or beam search: the model gives probabilities, the search chooses."
