"""The six parts of a learning system, task, data, model, parameters, loss and algorithm, filled in for one model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from demo.labs.how_it_works import transformer
from demo.labs.how_it_works.attention_equations import about, equation
from demo.letters import BEREYHI, LAB, About, reletter, reletter_text
from demo.tasks import TASKS
from demo.wording import plain
from seq2seq_core.config import ModelConfig

CELL_NAMES = {"rnn": "simple recurrent", "gru": "GRU", "lstm": "LSTM"}
GOES = {  # the context vector, by the wiring
    "output": "joins the state before the output",
    "straight": "goes beside the state into the output layer, with nothing between",
    "input": "enters the next state",
    "state": "takes the place of the state: it is read out, and the next step begins with it",
}
PAIR = (
    "Sequence-to-sequence: any network that makes one sequence of another would deserve the name; what is meant is a pair, an encoder "
    "that reads and a decoder that writes. "
)
OWN_CRITIC = (
    "the model is its own critic: several captions $\\hat y$ of each photo are drawn from it, and one with a better CIDEr $r$ than the "
    "mean $\\bar r$ of the others becomes likelier, a worse one less likely (self-critical training, Rennie et al. 2017). "
    "A little cross-entropy stays beside it."
)


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    says: str  # Markdown
    lines: tuple[str, ...] = ()  # LaTeX


def six_parts(config: ModelConfig, card: Mapping[str, Any], counts: Mapping[str, int], lettering: str = LAB) -> tuple[Part, ...]:
    """`counts`: the parameters of each part of the model."""
    lines = tuple(reletter(line, lettering, about, config.cell) for line, about in _equations(config))
    return (
        Part("Task", TASKS[config.task].about, (reletter(_task(config), lettering),)),
        Part("Data", _data(card)),
        Part("Model", reletter_text(_model(config), lettering, cell=config.cell), lines),
        Part("Parameters", f"{sum(counts.values()):,} numbers $\\theta$, learnt from the data and then fixed." + _own(config, lettering)),
        _loss(config, card, lettering),
        Part("Algorithm", _algorithm(config, card)),
    )


def _task(config: ModelConfig) -> str:
    given = "" if config.source == "none" else ", x"
    return rf"\hat{{y}} = \arg\max_y \prod_t p(y_t \mid y_{{<t}}{given})"


def _equations(config: ModelConfig) -> tuple[tuple[str, About], ...]:
    """The model in short: each cell is a name, and only what goes in and comes out is written."""
    cell, both = rf"\mathrm{{{config.cell.upper()}}}", config.cell == "lstm"

    def moved(letter: str, time: str, inputs: str, old: str = "") -> str:
        names = ((letter, time), (old or letter, f"{{{time}-1}}"))
        after, before = (rf"({name}_{now},\, m_{now})" if both else f"{name}_{now}" for name, now in names)
        return rf"{after} = {cell}({before.strip('()')},\ {inputs})"

    if config.body == "transformer":
        return tuple((line, "score") for line in transformer.GENERAL)
    joins = "h_T" if config.attention == "every-step" else "c_t" if config.has_map and config.wiring == "input" else ""
    lines: list[tuple[str, About]] = [(moved("h", "j", "x_j"), "cell")] if config.in_order else []
    if config.source != "none":
        first = r"[s_0;\, m_0]" if both else "s_0"
        lines.append((rf"{first} = \tanh(W_s h_T + b_s)", "state"))
    lines.append((moved("s", "t", rf"[x_t;\, {joins}]" if joins else "x_t", "c" if config.carries_context else ""), "cell"))
    if config.has_map:
        lines.append((equation(config), about(config)))
        lines += [(r"\alpha_{tj} = \mathrm{softmax}_j\, e_{tj}", "score"), (r"c_t = \sum_j \alpha_{tj}\, h_j", "score")]
    given = "" if config.source == "none" else ", x"
    read = "c_t" if config.carries_context else r"[s_t;\, c_t]" if config.has_map else "s_t"
    matrix = "E" if config.tie_output else "W_y"
    readout = rf"\rho_t = \tanh(W_c {read} + b_c)"
    said = read if config.straight else r"\rho_t"
    out = [rf"{'p_V' if config.copying else 'p'}(y_t \mid y_{{<t}}{given}) = \mathrm{{softmax}}({matrix} {said} + b_y)"]
    if config.copying:
        out.append(r"p(y_t \mid y_{<t}, x) = (1 - g_t)\, p_V(y_t \mid y_{<t}, x) + g_t \sum_{j:\, x_j = y_t} \alpha_{tj}")
    return (*lines, *((line, "output") for line in ([] if config.straight else [readout]) + out))


def _own(config: ModelConfig, lettering: str) -> str:
    """Of a language model by name, for it has few: the lectures' U, W, V, b and c."""
    if config.source != "none":
        return ""
    gates = {
        "rnn": "$W$, $U$ and $b$",
        "gru": "$W$, $U$ and $b$ of two gates and a candidate",
        "lstm": "$W$, $U$ and $b$ of three gates and a candidate",
    }
    matrix, bias = (reletter(name, lettering, "output") for name in ("E", "b_y"))
    return (
        f" The cell has {gates[config.cell]}, the readout $W_c$ and $b_c$, the output ${matrix}$, which is the table of embeddings too, "
        f"and ${bias}$."
    )


def _data(card: Mapping[str, Any]) -> str:
    data = card.get("data") or {}
    known = [f"{name}: {plain(str(data[key]))}." for name, key in (("Language", "language"), ("Trained on", "trained_on")) if data.get(key)]
    return " ".join(one.replace("..", ".") for one in known) or "The model's card does not say what it was trained on."


def _model(config: ModelConfig) -> str:
    if config.body == "transformer":
        return f"{PAIR if config.source == 'text' else ''}{transformer.says(config)}"
    cell = CELL_NAMES[config.cell]
    if config.source == "text":
        both = ", read in both directions" if config.bidirectional else ""
        reads = f"{PAIR}Encoder: {config.encoder_layers} {cell} layer{'s' * (config.encoder_layers > 1)}{both}. "
    else:
        taught = ", whose last blocks were taught to name what captions name" if config.eyes == "everyday" else ""
        grid = f"Encoder: the grid features of a fixed image network{taught}; each cell and the mean of all through one dense layer. "
        reads = grid if config.source == "image" else _in_order(config, cell)
    layers = f"{config.decoder_layers} {cell} layer{'s' * (config.decoder_layers > 1)}"
    decodes = f"Decoder: {layers} with states $s_t \\in \\mathbb{{R}}^{{{config.hidden}}}$. "
    if config.source == "none":
        return decodes + (
            "It has no encoder: here the recurrent cell encodes what was said so far in $s_t$, and the output layer decodes it into "
            "the next word. The state stands for all words before: $p(y_t \\mid y_{<t}) = p(y_t \\mid s_t)$. Every output belongs to one "
            "input, the word before it, so nothing has to be aligned."
        )
    if not config.has_map:
        how = "at every step (Option 2 of the lectures)" if config.attention == "every-step" else "as its first state only (Option 1)"
        return f"{reads}{decodes}No attention: it receives the one vector $h_T$, {how}."
    copies = " Pieces of the source may be copied from where it looks." if config.copying else ""
    goes = f"the context vector {GOES[config.wiring]}"
    return f"{reads}{decodes}{config.attention.capitalize()} attention over the encoder states; {goes}.{copies}"


def _in_order(config: ModelConfig, cell: str) -> str:
    """The encoder of a recording or a clip; none of a language model."""
    layers = (
        f"{config.encoder_layers} {cell} layer{'s' * (config.encoder_layers > 1)}{', read in both directions' * config.bidirectional}. "
    )
    if config.source == "sound":
        return f"Encoder: a spectrogram through two convolutions, so that a position is 40 ms, and {layers}"
    if config.source != "clip":
        return ""
    eyes = "Encoder: a small image network looks at each frame"
    return f"{eyes}; {layers}" if config.ordered else f"{eyes}, and one dense layer follows: the frames are a set. "


def _loss(config: ModelConfig, card: Mapping[str, Any], lettering: str) -> Part:
    given = "" if config.source == "none" else ", x"
    says = "Cross-entropy: minus the log-probability of each true token, given the true tokens before it (teacher forcing)."
    if config.label_smoothing:
        says += f" Label smoothing: a share of {config.label_smoothing:g} of the target is spread evenly over all tokens."
    each, critic, looks = rf"\sum_{{t=1}}^{{m}} \log p_\theta(y_t \mid y_{{<t}}{given})", "", ""
    if config.coverage:
        says += f" A penalty of weight {config.coverage:g} asks that every source position be looked at once in all."
        looks = rf" + \frac{{{config.coverage:g}}}{{S}} \sum_j (1 - \sum_t \alpha_{{tj}})^2"
    losses = [rf"L(\theta) = -\frac{{1}}{{m}} {each}{looks}"]
    if lettering != LAB:
        says += " The lecture adds up over the steps; this model was trained with the mean."
        whole = r"\hat{R}(\theta)" if lettering == BEREYHI else r"L(\theta)"
        losses = [f"{whole} = -{each}", rf"\frac{{1}}{{m}} {whole}{looks}"]
    if config.attention == "hard":
        says += " The choice of a position has no gradient: it is learnt by REINFORCE."
    last = card.get("self_critical")
    if isinstance(last, int) and last > 0:
        says += f" In the last {'epoch' if last == 1 else f'{last} epochs'} {OWN_CRITIC}"
        critic = r"L_r(\theta) = -\frac{r - \bar r}{m} \log p_\theta(\hat y \mid x)"
    return Part("Loss", says, tuple(reletter(line, lettering) for line in (*losses, critic) if line))


def _algorithm(config: ModelConfig, card: Mapping[str, Any]) -> str:
    through = "" if config.body == "transformer" else " through time"  # all steps at once: none waits for the one before it
    says = f"Gradient descent by AdamW, with the gradients from backpropagation{through}."
    epochs, seconds = card.get("epochs"), card.get("training_seconds")
    if isinstance(epochs, int):
        says += f" {epochs} epoch{'s' * (epochs > 1)}"
        says += f" in {max(1, round(seconds / 60))} min." if isinstance(seconds, int | float) else "."
    return says + " To decode, greedy or beam search: the model gives probabilities, the search chooses."
