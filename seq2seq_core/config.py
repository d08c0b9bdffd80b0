"""What a model is, how it decodes and how it is trained: frozen settings, validated once, on creation."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeVar, get_args, get_type_hints

from seq2seq_core.errors import InputError
from seq2seq_core.tasks import TASKS

SourceKind = Literal["text", "image", "sound", "clip", "none"]
Eyes = Literal["imagenet", "everyday"]  # the image network as its package has it, or with last blocks that were taught captions
Attention = Literal["none", "every-step", "dot", "bilinear", "additive", "key-query", "multi-head", "hard"]
Wiring = Literal["output", "straight", "input", "state"]  # where the context goes: see ModelConfig
Cell = Literal["rnn", "gru", "lstm"]
Body = Literal["recurrent", "transformer"]
Search = Literal["greedy", "beam", "sample", "exhaustive"]
Glimpse = Literal["argmax", "sample", "expected"]
Precision = Literal["auto", "float32", "bfloat16"]

ATTENTIONS: tuple[str, ...] = get_args(Attention)
WIRINGS: tuple[str, ...] = get_args(Wiring)
WITHOUT_MAP: tuple[str, ...] = ("none", "every-step")  # these receive one vector, so they have no attention map
MAX_BEAM = 20
MAX_STEPS = 400
MOST_LAYERS = 3

T = TypeVar("T")


def _check_range(name: str, value: float, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise InputError(f"{name} is {value!r}; it must be between {low:g} and {high:g}.")


def _check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InputError(f"{name} is {value!r}; it must be one of {', '.join(allowed)}.")


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """One skeleton for every model: two models that differ in `attention` alone differ in nothing else."""

    task: str = "translation"  # a row of tasks.TASKS
    source: SourceKind = "text"
    eyes: Eyes = "imagenet"  # photos only
    attention: Attention = "additive"
    # output: the context found with s_t joins the readout (Luong). straight: the same with no layer between, softmax(W s + V c).
    # input: that found with s_{t-1} enters the cell (Bahdanau). state: that found with s_t is the new state, which is said and passed on.
    wiring: Wiring = "output"
    body: Body = "recurrent"  # a transformer has neither cell nor wiring; its attention is multi-head, layer by layer
    cell: Cell = "gru"
    source_vocab: int = 6000  # text sources: pieces; other sources: features of a position
    target_vocab: int = 6000
    embedding: int = 256
    hidden: int = 320  # the decoder's state, and the width of a memory position
    encoder_layers: int = 2
    decoder_layers: int = 1
    bidirectional: bool = True  # each direction has hidden / 2
    ordered: bool = True  # clips: the frames are read one after the other by a recurrent network; else they are a set
    heads: int = 4  # multi-head only
    forward: int = 512  # the inner width of a transformer's layers
    sentences: bool = False  # of words: the encoder reads each sentence, and then the sentences; at the end of each it can be looked at
    reasons: bool = False  # of a task with only so many answers: after its answer the model says why
    copying: bool = False  # say pieces of the source too, where the decoder looks (pointer-generator, See et al. 2017)
    gate: bool = False  # scale the context by a learnt gate between 0 and 1 (Xu et al. 2015, "beta")
    tie_output: bool = True  # the output layer is the transposed target embedding
    share_embeddings: bool = False  # source and target pieces have one embedding (joint vocabulary)
    dropout: float = 0.25
    label_smoothing: float = 0.1
    coverage: float = 0.0  # weight of the doubly stochastic penalty, 0: off

    def __post_init__(self) -> None:
        _check_choice("task", self.task, tuple(TASKS))
        for name, choices in (("source", SourceKind), ("eyes", Eyes), ("wiring", Wiring), ("body", Body), ("cell", Cell)):
            _check_choice(name, getattr(self, name), get_args(choices))
        _check_choice("attention", self.attention, ATTENTIONS)
        for name, low, high in (
            ("source_vocab", 1, 100_000), ("target_vocab", 4, 100_000), ("embedding", 1, 2048), ("hidden", 1, 2048),
            ("encoder_layers", 1, MOST_LAYERS), ("decoder_layers", 1, MOST_LAYERS), ("heads", 1, 16), ("forward", 1, 8192),
            ("dropout", 0, 0.9), ("label_smoothing", 0, 0.5), ("coverage", 0, 100),
        ):  # fmt: skip
            _check_range(name, getattr(self, name), low, high)
        if self.bidirectional and self.hidden % 2:
            raise InputError(f"hidden is {self.hidden}; with a bidirectional encoder it must be even.")
        if self.attention == "multi-head" and self.hidden % self.heads:
            raise InputError(f"hidden is {self.hidden}; it must be a multiple of heads, {self.heads}.")
        if self.body == "transformer" and (self.attention != "multi-head" or self.embedding != self.hidden or self.hidden % 2):
            raise InputError("A transformer needs multi-head attention, and embedding and hidden the same even number.")
        if self.source == "none" and self.attention != "none":
            raise InputError(f"attention is {self.attention!r}; a model without a source can only have 'none'.")
        if self.share_embeddings and (self.source != "text" or self.source_vocab != self.target_vocab):
            raise InputError("share_embeddings needs a text source and source_vocab equal to target_vocab.")
        if self.sentences and (self.source != "text" or self.body != "recurrent" or self.copying):
            raise InputError("sentences needs a text source and a recurrent body, and no copying.")
        if self.straight and self.tie_output:
            raise InputError("With the wiring 'straight' the output layer reads state and context, so tie_output must be false.")
        if self.carries_context and (self.gate or self.copying):
            raise InputError("With the wiring 'state' there is no state beside the context, so neither gate nor copying.")
        if self.copying and not (self.share_embeddings and self.has_map and self.body == "recurrent"):
            raise InputError("copying needs share_embeddings, an attention map and a recurrent body: what is looked at is said.")

    @property
    def has_map(self) -> bool:
        return self.attention not in WITHOUT_MAP

    @property
    def in_order(self) -> bool:
        """What it reads is a sequence, read one position after the other; cells of a photo and frames that are a set are not."""
        return self.source not in ("image", "none") and self.ordered

    @property
    def straight(self) -> bool:
        """State and context go into the output layer as they are."""
        return self.has_map and self.wiring == "straight" and self.body == "recurrent"

    @property
    def carries_context(self) -> bool:
        """The context takes the place of the state."""
        return self.has_map and self.wiring == "state" and self.body == "recurrent"

    @property
    def network(self) -> Network:
        return Network(**{field.name: getattr(self, field.name) for field in fields(Network)})


@dataclass(frozen=True, slots=True)
class Network:
    """What flows where in a model: as much of its configuration as a drawing of it needs."""

    attention: Attention = "none"
    wiring: Wiring = "output"
    body: Body = "recurrent"
    cell: Cell = "gru"
    bidirectional: bool = False
    encoder_layers: int = 1
    decoder_layers: int = 1

    def __post_init__(self) -> None:
        for name, choices in (("wiring", Wiring), ("body", Body), ("cell", Cell)):
            _check_choice(name, getattr(self, name), get_args(choices))
        _check_choice("attention", self.attention, ATTENTIONS)
        for name in ("encoder_layers", "decoder_layers"):
            _check_range(name, getattr(self, name), 1, MOST_LAYERS)


@dataclass(frozen=True, slots=True)
class DecodeSettings:
    """How an output is searched for. The same settings and seed give the same output."""

    search: Search = "beam"
    beam_size: int = 5
    length_penalty: float = 0.7  # score = total / length ** length_penalty
    max_length: int | None = None  # None: 2 * source + 10 tokens, at most 200
    hypotheses: int | None = None  # how many finished outputs must be safe before beam search stops; None: 1
    temperature: float = 1.0
    top_k: int = 0  # 0: off
    top_p: float = 1.0  # 1: off
    seed: int = 0
    candidates: int = 10  # how many tokens of each distribution the trace keeps
    glimpse: Glimpse = "argmax"  # hard attention only: where to look
    limit: int = 100_000  # exhaustive only: refuse to visit more sequences than this
    prior: float = 0.4  # where the model has a list of words: what the logarithm of how common a whole output is counts; 0: nothing

    def __post_init__(self) -> None:
        _check_choice("search", self.search, get_args(Search))
        _check_choice("glimpse", self.glimpse, get_args(Glimpse))
        for name, low, high in (
            ("beam_size", 1, MAX_BEAM), ("length_penalty", 0, 2), ("temperature", 0.05, 5), ("top_k", 0, 1000),
            ("top_p", 0.01, 1), ("seed", 0, 2**63 - 1), ("candidates", 1, 50), ("limit", 1, 10_000_000), ("prior", 0, 5),
        ):  # fmt: skip
            _check_range(name, getattr(self, name), low, high)
        if self.max_length is not None:
            _check_range("max_length", self.max_length, 1, MAX_STEPS)
        if self.hypotheses is not None:
            _check_range("hypotheses", self.hypotheses, 1, MAX_BEAM)


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """How a model is trained. The same settings, seed and thread count give bit-identical weights."""

    epochs: int = 10
    batch_size: int = 128
    learning_rate: float = 3e-3  # the peak of the one-cycle schedule
    warmup: float = 0.15  # the share of the steps before the peak
    weight_decay: float = 0.01
    clip: float = 1.0  # largest norm of the whole gradient
    seed: int = 1
    average: int = 1  # average the weights of the last so many epochs
    patience: int = 0  # stop after so many epochs without a better dev metric, 0: off
    teacher_forcing: float = 1.0  # the share of steps that see the true previous token
    prompt: float = 0.0  # the weight of what the decoder is given first: at 0 only what it says afterwards is learnt
    pool: int = 0  # batches of like lengths are made among so many drawn at random; 0: among all
    reason: float = 1.0  # the weight of each word of why an answer was given
    looking: float = 0.0  # the weight of looking at the sentences that tell the answer, where the data name them
    entropy: float = 0.01  # hard attention: weight of the entropy of the attention
    expected: float = 0.0  # hard attention: the share of batches that mix by the weights instead of choosing a position
    precision: Precision = "auto"  # bfloat16 where the processor multiplies it in hardware, else float32
    save_seconds: float = 60.0  # how often the state to resume from is written
    dev_limit: int = 500  # dev examples decoded (greedily) after an epoch
    self_critical: int = 0  # captions: so many epochs more, rewarded by CIDEr
    self_critical_rate: float = 1e-4  # their first learning rate
    written: float = 0.1  # the weight of cross-entropy beside it, on captions that people wrote
    draws: int = 4  # captions drawn of each photo in them
    moments: int = 0  # how many moments to keep, from before the first step to the end, for a time machine; 0: none

    def __post_init__(self) -> None:
        _check_choice("precision", self.precision, get_args(Precision))
        for name, low, high in (
            ("epochs", 1, 10_000), ("batch_size", 1, 4096), ("learning_rate", 1e-6, 1), ("warmup", 0, 0.9),
            ("weight_decay", 0, 1), ("clip", 0.01, 1000), ("seed", 0, 2**31 - 1), ("average", 1, 20),
            ("patience", 0, 1000), ("teacher_forcing", 0, 1), ("prompt", 0, 1), ("reason", 0, 1), ("looking", 0, 10), ("pool", 0, 10_000),
            ("entropy", 0, 1), ("expected", 0, 1), ("save_seconds", 0, 86_400), ("dev_limit", 1, 1_000_000), ("moments", 0, 100),
            ("self_critical", 0, 1000), ("self_critical_rate", 1e-7, 1), ("draws", 2, 20), ("written", 0, 10),
        ):  # fmt: skip
            _check_range(name, getattr(self, name), low, high)


def to_dict(settings: ModelConfig | Network | DecodeSettings | TrainSettings) -> dict[str, Any]:
    return dataclasses.asdict(settings)


def from_dict(kind: type[T], values: Mapping[str, Any]) -> T:
    """Build settings from JSON or TOML; an unknown name or a value of the wrong type is named in the error."""
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            raise InputError(f"{name!r} is not a setting of {kind.__name__}; it has {', '.join(sorted(known))}.")
    hints = get_type_hints(kind)
    for name, value in values.items():
        if hints[name] is bool and not isinstance(value, bool):
            raise InputError(f"{name} is {value!r}; it must be true or false.")
        if hints[name] in (int, int | None) and value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise InputError(f"{name} is {value!r}; it must be a whole number.")
    return kind(**values)
