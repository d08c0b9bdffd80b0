"""Inside a decode: every number of every equation, the encoder's steps too, from one teacher-forced call of the model with a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, PAD, UNK
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.record import Record
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.pipeline import Encoded, Pipeline
from seq2seq_core.search.job import steered
from seq2seq_core.trace.nodes import Floats
from seq2seq_core.trace.trace import DecodeTrace

MOST_NUMBERS = 2_500_000  # of the summands of all scores: with what is made on the way 60 MB


@dataclass(frozen=True, slots=True)
class CellNumbers:
    """One recurrent layer at one step. Gates by name: GRU r, z, n; LSTM i, f, g, o; the RNN has none."""

    inputs: Floats  # [I]
    before: Floats  # [C] C = H, or 2 H for the LSTM: hidden and cell vector; with the `state` wiring the hidden one is c_{t-1}
    after: Floats  # [C]
    gates: Mapping[str, Floats]  # [H] each


@dataclass(frozen=True, slots=True)
class AttentionNumbers:
    """One look at the memory, for K heads."""

    state: Floats  # [H] s_t, or s_{t-1} with the `input` wiring
    lines: Mapping[str, Floats]  # what comes before the sum, by its equation: [K, S or 1, A]
    terms: Floats  # [K, S, A] a score is the sum of these
    scores: Floats  # [K, S] e_tj
    weights: Floats  # [K, S] alpha_tj, or the row put in by a person
    used: Floats  # [K, S] what mixes: the weights, or one position for hard attention
    heads: Floats  # [K, E / K] the mix of each head
    context: Floats  # [E] c_t
    replaced: bool  # the weights were put in by a person


@dataclass(frozen=True, slots=True)
class StepNumbers:
    """Everything that one step computed, from s_{t-1} to the distribution over the next token."""

    step: int  # from 0
    token_in: int  # y_{t-1}
    memory: Floats  # [S, E] h_1 .. h_S
    mask: Floats  # [S] 1 where the position may be looked at
    summary: Floats  # [E] h_T
    start: Floats  # [L, C] s_0
    embedded: Floats  # [D] x_t, the embedding of y_{t-1}
    cells: tuple[CellNumbers, ...]  # from the lowest layer up
    attention: AttentionNumbers | None
    cell_gate: float | None  # models with a gate: how much of c_t enters the cell (`input` wiring), found with s_{t-1}
    gate: float | None  # and how much enters the readout, found with s_t
    hidden: Floats  # [H] s_t
    joined: Floats  # [H] or [H + E] what the readout reads; [E] with the `state` wiring
    readout: Floats  # [D]; with the `straight` wiring the same as joined
    logits: Floats  # [V] of the output layer
    copy: float | None  # models that copy: g_t, the share of the chances that comes from where the step looks
    logprobs: Floats  # [V]

    @property
    def before(self) -> Floats:
        """s_{t-1} of the top layer; of an LSTM [s_{t-1}; m_{t-1}]: [C]."""
        return self.cells[-1].before


@dataclass(frozen=True, slots=True)
class Inside:
    """What a model computed on its way along one output, by the names that its modules gave."""

    reads: Mapping[str, Floats]  # where an encoder's positions looked at each other: [K, S, S]; recurrent encoders do not
    looks: Mapping[str, Floats]  # where the decoder looked: [K, T, S]
    values: Mapping[str, Floats]  # of every step of the decoder: [T, ..]
    encoder: Mapping[str, Floats]  # of every position of the source, whichever way it was read: [S, ..]
    tokens: tuple[int, ...]  # [T] what each step was given: the start sign, then the output
    memory: Floats  # [S, E]
    mask: Floats  # [S]
    summary: Floats  # [E]
    start: Floats  # [L, C]
    replaced: tuple[bool, ...]  # [T] the attention row was put in by a person

    def cell(self, layer: int, step: int) -> CellNumbers:
        """A layer of the decoder, counted from 1 at the bottom."""
        return _cell(self.values, f"layer {layer}", step)

    def encoder_cell(self, layer: int, position: int, backwards: bool = False) -> CellNumbers:
        """A layer of the encoder at a position of the source."""
        return _cell(self.encoder, f"layer {layer}{' backwards' * backwards}", position)

    def logprobs(self, step: int) -> Floats:
        """[V]"""
        return _floats(torch.log_softmax(torch.from_numpy(self.values["logits"][step]), -1))

    def top(self, step: int, count: int) -> tuple[int, ...]:
        """The ids of the most probable tokens, best first; padding, the start sign and the unknown sign are never produced."""
        order = [int(token) for token in np.argsort(-self.values["logits"][step], kind="stable")[: count + 3]]
        return tuple(token for token in order if token not in (PAD, BOS, UNK))[:count]

    def at(self, step: int) -> StepNumbers:
        """One step of a recurrent decoder, as its equations are written."""
        now = {name: value[step] for name, value in self.values.items()}
        return StepNumbers(
            step=step,
            token_in=self.tokens[step],
            memory=self.memory,
            mask=self.mask,
            summary=self.summary,
            start=self.start,
            embedded=now["embedded"],
            cells=tuple(self.cell(layer + 1, step) for layer in range(len(self.start))),
            attention=_attention(now, self.replaced[step]) if self.looks else None,
            cell_gate=float(now["cell gate"][0]) if "cell gate" in now else None,
            gate=float(now["gate"][0]) if "gate" in now else None,
            hidden=now["hidden"],
            joined=now["joined"],
            readout=now["readout"],
            logits=now.get("own logits", now["logits"]),
            copy=float(now["copy"][0]) if "copy" in now else None,
            logprobs=self.logprobs(step),
        )


@torch.inference_mode()
def inside(pipeline: Pipeline, trace: DecodeTrace, hypothesis: int = 0, encoded: Encoded | None = None) -> Inside:
    """Everything that was computed for one output of a trace. `encoded`: the picture, which is not in its trace."""
    model, tokens = pipeline.model, trace.token_ids(hypothesis)
    if len(tokens) * trace.positions * model.config.hidden > MOST_NUMBERS:
        raise InputError(
            f"An output of {len(tokens):,} tokens over {trace.positions:,} positions has too many numbers to look at; "
            "take a shorter source or a shorter output."
        )
    reading, writing = Record(), Record()
    memory = _read(model, trace, encoded, reading)
    memory, override = steered(model.config, memory, trace.steering, len(tokens), trace.settings)
    before = (BOS, *tokens[:-1])
    start = model.start(memory)
    model.step(torch.tensor([before]), start, memory, override, writing)
    values = {name: _floats(writing.whole(name)[0]) for name in writing.names()}
    encoder = {name: _floats(reading.whole(name)[0]) for name in reading.names()}
    replaced = [False] * len(tokens) if override.rows is None else override.rows.replace[0].tolist()
    return Inside(
        reads=_maps(encoder),
        looks=_maps(values),
        values=values,
        encoder={name: value[::-1] if " backwards/" in name else value for name, value in encoder.items()},
        tokens=before,
        memory=_floats(memory.states[0]),
        mask=_floats(memory.mask[0].float()),
        summary=_floats(memory.summary[0]),
        start=_floats(start[0]),
        replaced=tuple(replaced),
    )


def _read(model: Seq2Seq, trace: DecodeTrace, encoded: Encoded | None, record: Record) -> Memory:
    if not trace.parts:
        return model.encode_nothing()
    count = torch.tensor([trace.positions])
    if trace.parts[0].kind == "text":
        return model.encode(torch.tensor([trace.parts[0].ids]), count, record)
    features = None if encoded is None else encoded.features[0]
    if features is None:
        raise InputError("A picture is not in its trace; give it again, encoded.")
    return model.encode(features.unsqueeze(0), count, record)


def _maps(values: Mapping[str, Floats]) -> dict[str, Floats]:
    """The attention maps among the values [T, K, S], by the module that made each: [K, T, S]."""
    return {name.removesuffix("/weights"): value.transpose(1, 0, 2) for name, value in values.items() if name.endswith("/weights")}


def _cell(values: Mapping[str, Floats], place: str, step: int) -> CellNumbers:
    found = {name.removeprefix(f"{place}/"): value[step] for name, value in values.items() if name.startswith(f"{place}/")}
    return CellNumbers(found.pop("inputs"), found.pop("before"), found.pop("after"), found)


def _attention(now: Mapping[str, Floats], replaced: bool) -> AttentionNumbers:
    found = {name.removeprefix("attention/"): value for name, value in now.items() if name.startswith("attention/")}
    lines = {name.removeprefix("lines/"): value for name, value in found.items() if name.startswith("lines/")}
    return AttentionNumbers(
        found["states"], lines, found["terms"], found["scores"], found["weights"], found["used"], found["heads"], found["context"], replaced
    )


def _floats(tensor: Tensor) -> Floats:
    found: Floats = tensor.detach().float().numpy()
    return found
