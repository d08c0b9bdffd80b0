"""One training step, forwards and backwards: the gradient of a pair's loss at everything on the way, and the loss after the update.

Nothing of the model is written anew: one teacher-forced call with a record, one call of autograd for the gradients at what was written
down, and vector-Jacobian products for each way by which a gradient comes into a state.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, EOS
from seq2seq_core.model.decoder import Decoder
from seq2seq_core.model.encoders import ImageEncoder, TextEncoder
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.record import Record
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.study.measures import part_of
from seq2seq_core.trace.nodes import Floats

MOST_SOURCE, MOST_TARGET = 60, 60  # tokens of a text: every cell is kept with its graph, and drawn

Source = Sequence[int] | Tensor | None  # tokens, the features [S, C] of a picture, or nothing
Asked = dict[str, Sequence[Tensor]]  # what was written down, by name; parts of one name follow each other along T


@dataclass(frozen=True, slots=True)
class Ways:
    """A gradient, state by state, as the sum of what comes in over each way."""

    ways: Mapping[str, Floats]  # [N, H]
    whole: Floats  # [N, H] as autograd has it

    def shares(self) -> dict[str, Floats]:
        """[N] of the length of the whole: each way measured along the direction of the whole, so that they sum to it."""
        lengths = np.linalg.norm(self.whole, axis=1, keepdims=True)  # [N, 1]
        along = self.whole / np.where(lengths > 0, lengths, 1.0)
        return {name: (way * along).sum(1) for name, way in self.ways.items()}

    def off(self) -> Floats:
        """[N] the largest difference between the sum of the ways and autograd's gradient."""
        found: Floats = np.abs(sum(self.ways.values(), np.zeros_like(self.whole)) - self.whole).max(1)
        return found


@dataclass(frozen=True, slots=True)
class Looking:
    """The gradient at every number of the attention, of K heads."""

    rows: Floats  # [T, K, S] alpha, forwards
    weights: Floats  # [T, K, S] at alpha
    scores: Floats  # [T, K, S] at e
    queries: Floats  # [T, K, A] at q_t, or at s itself where nothing is projected
    keys: Floats  # [K, S, A] at k_j, over all steps
    context: Floats  # [T, E] at c_t


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """One pair's way through a model and back."""

    target: tuple[int, ...]  # [T] with the end sign
    losses: tuple[float, ...]  # [T] -log p(y_t | y_<t, x)
    step: int | None  # whose loss went back; None: the sum over all
    logprobs: Floats  # [T, V]
    logits: Floats  # [T, V] the gradient at o_t: p - 1 at y_t, p elsewhere; 0 where no loss is
    looking: Looking | None
    decoder: Ways  # s_0, s_1 .. s_T: [T + 1, H]
    encoder: Ways | None  # h_1 .. h_S: [S, H]
    source: Floats | None  # at what the encoder reads: embeddings [S, D], or features of a photo [S, C]
    gradients: Mapping[str, Tensor]  # of every parameter, by name

    @property
    def loss(self) -> float:
        return sum(self.losses) if self.step is None else self.losses[self.step]

    @property
    def length(self) -> float:
        """|| gradient || over all parameters."""
        return float(torch.stack([one.norm() for one in self.gradients.values()]).norm())

    def by_part(self, model: Seq2Seq) -> dict[str, float]:
        """|| gradient || of each part of the model, in the order in which a sentence passes through them."""
        squares: dict[str, float] = {}
        for name, gradient in self.gradients.items():
            part = part_of(model, name)
            squares[part] = squares.get(part, 0.0) + float(gradient.square().sum())
        return {part: square**0.5 for part, square in squares.items()}


def training_step(model: Seq2Seq, source: Source, target: Sequence[int], step: int | None = None) -> TrainingStep:
    """`step`: the loss of this time step alone, from 0; None: of all. The model is left as it is."""
    decoder = _readable(model, source, target)
    wanted = (*target, EOS)
    if step is not None and not 0 <= step < len(wanted):
        raise InputError(f"The step is {step}; this output has the steps 0 to {len(wanted) - 1}.")
    reading, writing = Record(), Record()
    with torch.enable_grad():
        memory = _encode(model, source, reading)
        start = model.start(memory)
        output = model.step(torch.tensor([[BOS, *target]]), start, memory, record=writing)
        losses = F.cross_entropy(output.logits[0], torch.tensor(wanted), reduction="none")  # [T]
        at = _at(decoder, model, memory, start, reading, writing)
        parameters = dict(model.named_parameters())
        whole = losses.sum() if step is None else losses[step]
        found = _gradients(whole, at | {name: [one] for name, one in parameters.items()})
        ways = _decoder_ways(decoder, at, found)
        read = None if model.encoder is None else _encoder_ways(model, at, found)
    return TrainingStep(
        target=wanted,
        losses=tuple(losses.tolist()),
        step=step,
        logprobs=_floats(torch.log_softmax(output.logits[0], -1)),
        logits=_floats(found["logits"][0]),
        looking=_looking(output.weights, found) if model.config.has_map else None,
        decoder=ways,
        encoder=read,
        source=_floats(found["source"][0]) if "source" in found else None,
        gradients={name: found[name] for name in parameters},
    )


def updated(model: Seq2Seq, gradients: Mapping[str, Tensor], rate: float) -> Seq2Seq:
    """A copy of the model after one step of gradient descent, theta - rate * gradient."""
    then = copy.deepcopy(model, {id(model.decoder.packed): None})  # packed weights would stay those of before
    with torch.no_grad():
        for name, parameter in then.named_parameters():
            parameter.sub_(gradients[name], alpha=rate)
    return then


@torch.no_grad()
def losses_of(model: Seq2Seq, source: Source, target: Sequence[int]) -> tuple[float, ...]:
    """[T] -log p(y_t | y_<t, x), the end sign included."""
    memory = _encode(model, source, None)
    logits = model.step(torch.tensor([[BOS, *target]]), model.start(memory), memory).logits[0]
    return tuple(F.cross_entropy(logits, torch.tensor((*target, EOS)), reduction="none").tolist())


def _readable(model: Seq2Seq, source: Source, target: Sequence[int]) -> Decoder:
    """The decoder, where the way back through this model can be shown, and through this pair."""
    if not isinstance(model.decoder, Decoder):
        raise InputError("A Transformer has no state that passes from step to step; the way back is shown for recurrent models.")
    if not (model.encoder is None or isinstance(model.encoder, TextEncoder | ImageEncoder)):
        raise InputError("The way back is shown for models that read one text or one picture; choose another model.")
    if not isinstance(source, Tensor) and source is not None and len(source) > MOST_SOURCE:
        raise InputError(f"The source has {len(source)} tokens; the way back is shown for at most {MOST_SOURCE}, so shorten it.")
    if len(target) >= MOST_TARGET:
        raise InputError(f"The output has {len(target)} tokens; the way back is shown for at most {MOST_TARGET - 1}, so shorten it.")
    return model.decoder


def _encode(model: Seq2Seq, source: Source, record: Record | None) -> Memory:
    if source is None or model.encoder is None:
        return model.encode_nothing()
    if isinstance(source, Tensor):  # a gradient can be asked for at the features too
        return model.encode(source.detach().clone().requires_grad_(record is not None).unsqueeze(0), torch.tensor([len(source)]), record)
    return model.encode(torch.tensor([list(source)]), torch.tensor([len(source)]), record)


def _at(decoder: Decoder, model: Seq2Seq, memory: Memory, start: Tensor, reading: Record, writing: Record) -> Asked:
    """Where gradients are asked for. All of it stands on the way from the parameters to the loss."""
    top = f"layer {model.config.decoder_layers}"
    at: Asked = {
        "logits": writing.parts("logits"),
        "joined": writing.parts("joined"),
        "hidden": writing.parts("hidden"),
        "start": [start],
        "before": writing.parts(f"{top}/before"),
        "after": writing.parts(f"{top}/after"),
        "inputs": writing.parts("layer 1/inputs"),
    }
    for name in ("gate", "cell gate"):
        if name in writing.names():
            at[name] = writing.parts(name)
    if decoder.attention is not None:
        at |= {name: writing.parts(f"attention/{name}") for name in ("states", "query", "scores", "weights", "context")}
        at |= {"keys": [memory.looks[0].keys], "mixed": [memory.looks[0].mixed]}
    if model.encoder is None:
        return at
    at |= {"memory": [memory.states], "summary": [memory.summary]}
    if not isinstance(model.encoder, TextEncoder):
        return at | {"source": reading.parts("features")}
    read = f"layer {model.config.encoder_layers}"
    for name in ("before", "after"):
        at[f"read {name}"] = reading.parts(f"{read}/{name}")
        if model.config.bidirectional:
            at[f"read back {name}"] = reading.parts(f"{read} backwards/{name}")[::-1]  # in the order of the positions
    return at | {"source": reading.parts("embedded")}


def _gradients(loss: Tensor, at: Asked) -> dict[str, Tensor]:
    """By name, parts joined: [1, T, ..]; 0 where the loss does not depend on it."""
    asked = [one for parts in at.values() for one in parts if one.requires_grad]
    found = iter(torch.autograd.grad(loss, asked, allow_unused=True, retain_graph=True))

    def of(one: Tensor) -> Tensor:
        gradient = next(found) if one.requires_grad else None
        return torch.zeros_like(one) if gradient is None else gradient

    each = {name: [of(one) for one in parts] for name, parts in at.items()}
    return {name: parts[0] if len(parts) == 1 else torch.cat(parts, 1) for name, parts in each.items()}


def _through(made: Sequence[Tensor], of: Sequence[Tensor], gradient: Tensor) -> Tensor:
    """A vector-Jacobian product: what the gradient [1, T, ..] at what was made brings to what it was made of, part by part."""
    sizes = [one.shape[1] for one in made]
    found = [
        torch.autograd.grad(one, base, part, retain_graph=True)[0]
        for one, base, part in zip(made, of, torch.split(gradient, sizes, 1), strict=True)
    ]
    return found[0] if len(found) == 1 else torch.cat(found, 1)


def _decoder_ways(decoder: Decoder, at: Asked, found: Mapping[str, Tensor]) -> Ways:
    """Into s_0 .. s_T: over the output of the same step, the query, the next state, and gates where there are some."""
    hidden, steps = decoder.config.hidden, found["logits"].shape[1]

    def rows(gradient: Tensor, first: int) -> Floats:
        """[1, T, C] as rows of the states from s_first on: [T + 1, H]."""
        every = gradient.new_zeros(steps + 1, hidden)
        every[first : first + steps] = gradient[0, :, :hidden]
        return _floats(every)

    looks = 0 if decoder.attends_first else 1  # the first state that asks where to look
    carries = decoder.config.carries_context  # c_t is said, and the next cell begins with it: what comes back so comes into c_t
    ways = {} if carries else {"output": rows(found["joined"], 1)}
    if "query" in at:
        ways["query"] = rows(_through(at["query"], at["states"], found["query"]), looks)
    ways["next state"] = rows(found["before"], 0)
    if carries:
        ways["next state"][1:] = 0
    if "gate" in at:
        ways["gate"] = rows(_through(at["gate"], at["hidden"], found["gate"]), 1)
    if "cell gate" in at:
        ways["cell gate"] = rows(_through(at["cell gate"], at["states"], found["cell gate"]), 0)
    whole = rows(found["after"], 1)
    whole[0] = _floats(found["start"][0, -1, :hidden])
    return Ways(ways, whole)


def _encoder_ways(model: Seq2Seq, at: Asked, found: Mapping[str, Tensor]) -> Ways:
    """Into h_1 .. h_S: over the key, the context, the states that were read from it, the first state of the decoder, and every input."""
    ways = {}
    if "keys" in at:
        for name, port in (("key", "keys"), ("context", "mixed")):
            (way,) = torch.autograd.grad(at[port][0], at["memory"][0], found[port], retain_graph=True)
            ways[name] = _floats(way[0])
    summaries = {"first state": torch.autograd.grad(at["start"][0], at["summary"][0], found["start"], retain_graph=True)[0]}  # [1, H]
    if model.config.attention == "every-step":
        summaries["every input"] = found["inputs"][:, :, model.config.embedding :].sum(1)
    if not isinstance(model.encoder, TextEncoder):
        for name, gradient in summaries.items():
            (way,) = torch.autograd.grad(at["summary"][0], at["memory"][0], gradient, retain_graph=True)
            ways[name] = _floats(way[0])
        return Ways(ways, _floats(found["memory"][0]))
    width = model.encoder.recurrence.hidden
    forth = [_shifted(found["read before"][0, :, :width], -1)]
    whole = [found["read after"][0, :, :width]]
    if model.config.bidirectional:
        forth.append(_shifted(found["read back before"][0, :, :width], 1))
        whole.append(found["read back after"][0, :, :width])
    ways["next state"] = _floats(torch.cat(forth, 1))
    for name, gradient in summaries.items():  # h_T joins the last state of each direction
        ends = [torch.zeros_like(one) for one in whole]
        ends[0][-1] = gradient[0, :width]
        if len(ends) == 2:
            ends[1][0] = gradient[0, width:]
        ways[name] = _floats(torch.cat(ends, 1))
    return Ways(ways, _floats(torch.cat(whole, 1)))


def _shifted(rows: Tensor, by: int) -> Tensor:
    """Rows [S, H] one place on, or back; the row that falls out was the state before the first."""
    moved = torch.zeros_like(rows)
    if by > 0:
        moved[1:] = rows[:-1]
    else:
        moved[:-1] = rows[1:]
    return moved


def _looking(rows: Tensor, found: Mapping[str, Tensor]) -> Looking:
    return Looking(
        rows=_floats(rows[0]),
        weights=_floats(found["weights"][0]),
        scores=_floats(found["scores"][0]),
        queries=_floats(found["query"][0]),
        keys=_floats(found["keys"][0]),
        context=_floats(found["context"][0]),
    )


def _floats(tensor: Tensor) -> Floats:
    values: Floats = tensor.detach().float().numpy()
    return values
