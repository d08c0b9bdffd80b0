"""The encoder at one position of the source: its cells in both directions, the state they leave, and at the end h_T."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from demo.labs.how_it_works.cell_equations import CELLS, CellNames
from demo.labs.how_it_works.notation import Section, vector, weight
from demo.labs.how_it_works.token_equations import embedding
from demo.wording import CELLS as POSITIONS
from demo.wording import quoted
from seq2seq_core.config import ModelConfig
from seq2seq_core.study.inside import Inside

FORWARDS, BACKWARDS = r"\overrightarrow{h}", r"\overleftarrow{h}"
READS = {False: "forwards, from the first on", True: "backwards, from the last on"}
NOUNS = {"sound": POSITIONS["recording"], "clip": POSITIONS["clip"]}  # a position of what is read; of a text a word
HEARD = (
    "A stretch is four frames of 10 ms, each with 40 bands of pitch; two convolutions, each of which halves time and pitch, make $x_j$ of "
    "it and of what lies beside it."
)
SEEN = "A small image network has made a vector $f_j$ of each frame; what has changed since four frames before joins it."
ALONE = "A small image network has made a vector $f_j$ of each frame. It stays by itself: the frames are a set."


@dataclass(frozen=True, slots=True)
class Source:
    """What is read, for the equations: the tokens and their ids."""

    names: tuple[str, ...]
    ids: tuple[int, ...]


def reading(config: ModelConfig, inside: Inside, source: Source, position: int) -> tuple[Section, ...]:
    """How h_j comes about at a position, counted from 0."""
    token = embedding(
        "x_j", config.source_vocab, source.ids[position], inside.encoder["embedded"][position], quoted(source.names[position])
    )
    if config.sentences:  # its cells read sentences; what stands at a word is what is known of its sentence
        says = "The words of each sentence are read by one network, and the sentences by a second; every word has what is known of its own."
        return (token, Section("Encoder state", says, (f"h_j = {vector(inside.memory[position])}",), "state"))
    return (token, *_cells(config, inside, position), _state(config, inside, position))


def perceived(config: ModelConfig, inside: Inside, position: int) -> tuple[Section, ...]:
    """The same at a stretch of a recording or a frame of a clip."""
    value = vector(inside.encoder["embedded"][position])
    change = "" if not config.ordered else r" + W_d (f_j - f_{j-4})"
    line, says = (rf"x_j = \mathrm{{ReLU}}(W_f f_j{change} + b_f) = {value}", SEEN if config.ordered else ALONE)
    if config.source == "sound":
        line, says = rf"x_j = \mathrm{{ReLU}}(\mathrm{{conv}}(\mathrm{{ReLU}}(\mathrm{{conv}}(f))))_j = {value}", HEARD
    what = Section(f"{NOUNS[config.source].capitalize()} {position + 1}", says, (line,), "token")
    if not config.ordered:
        return (what, Section("Encoder state", f"What is known of frame {position + 1}.", ("h_j = x_j",), "state"))
    return (what, *_cells(config, inside, position), _state(config, inside, position))


def _cells(config: ModelConfig, inside: Inside, position: int) -> list[Section]:
    ways = (False, True) if config.bidirectional else (False,)
    return [_cell(config, inside, position, layer, way) for layer in range(1, config.encoder_layers + 1) for way in ways]


def _letter(config: ModelConfig, backwards: bool) -> str:
    return "h" if not config.bidirectional else BACKWARDS if backwards else FORWARDS


def _cell(config: ModelConfig, inside: Inside, position: int, layer: int, backwards: bool) -> Section:
    letter = _letter(config, backwards)
    below = rf"^{{({layer - 1})}}_j"
    entering = rf"[{FORWARDS}{below};\, {BACKWARDS}{below}]" if config.bidirectional else f"h{below}"
    top = layer == config.encoder_layers
    names = CellNames(
        inside.encoder_cell(layer, position, backwards), "x_j" if layer == 1 else r"\hat{x}_j", 0 if top else layer, letter, "j",
        "j+1" if backwards else "j-1",
    )  # fmt: skip
    first = position == (len(inside.memory) - 1 if backwards else 0)
    lines = [] if layer == 1 else [rf"\hat{{x}}_j = {entering} = {vector(names.cell.inputs)}"]
    lines += [f"{name} = {'0' if first else vector(part)}" for name, part in names.before(names.then).items()]
    layers = f", layer {layer} of {config.encoder_layers}" if config.encoder_layers > 1 else ""
    way = f", {'backwards' if backwards else 'forwards'}" if config.bidirectional else ""
    says = f"The same cell for every {NOUNS.get(config.source, 'word')}" + (f", read {READS[backwards]}." if config.bidirectional else ".")
    return Section(f"Encoder cell ({config.cell.upper()}{layers}{way})", says, (*lines, *CELLS[config.cell](names)), "cell")


def _state(config: ModelConfig, inside: Inside, position: int) -> Section:
    j = position + 1
    value = vector(inside.memory[position])
    joined = rf"[{FORWARDS}_j;\, {BACKWARDS}_j] = " if config.bidirectional else ""
    says = f"What the encoder knows at {NOUNS.get(config.source, 'word')} {j}." + (" The decoder may look at it." if config.has_map else "")
    return Section("Encoder state", says, (f"h_j = {joined}{value}",), "state")


def all_read(config: ModelConfig, inside: Inside) -> tuple[Section, ...]:
    """h_T when everything is read, and the first state of the decoder."""
    last = rf"[{FORWARDS}_T;\, {BACKWARDS}_1]" if config.in_order and config.bidirectional else ""
    mean = "the mean of the cells' states" if config.source == "image" else "the mean of the frames' vectors"
    made = ("the last state of each direction" if last else "the last state") if config.in_order else mean
    line = f"h_T = {last} = {vector(inside.summary)}" if last else f"h_T = {vector(inside.summary)}"
    found = [Section("The whole source in one vector", f"$h_T$ is {made}.", (line,), "state")]
    matrix = weight("W_s", inside.start.size, config.hidden)
    start = ", ".join(_starts(config, len(inside.start)))
    name = f"[{start.replace(', ', '; ')}]" if "," in start else start
    says = "The decoder begins with a state that is made of $h_T$." + ("" if config.has_map else " " + OPTIONS[config.attention])
    found.append(Section("First state", says, (rf"{name} = \tanh({matrix} h_T + b_s) = {vector(np.ravel(inside.start))}",), "state"))
    return tuple(found)


OPTIONS: Mapping[str, str] = {
    "none": "Option 1 of the lectures: that is all that it is told of the source.",
    "every-step": "Option 2 of the lectures: it is told $h_T$ again at every step.",
}


def _starts(config: ModelConfig, layers: int) -> list[str]:
    letters = "sm" if config.cell == "lstm" else "s"
    return [
        f"{letter}^{{({layer + 1})}}_{{0}}" if layer + 1 < layers else f"{letter}_{{0}}" for layer in range(layers) for letter in letters
    ]
