"""DecodeTrace: everything that happened while one source was decoded. All that is shown, exported or tested reads this object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from seq2seq_core.config import DecodeSettings, Network
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.part import Head, Part, members
from seq2seq_core.inputs.tokenizer import Tokenizer
from seq2seq_core.trace.nodes import Candidate, Floats, Node, NodeTable, State
from seq2seq_core.trace.steering import Steering

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SCHEMA", "Candidate", "DecodeTrace", "Head", "Hypothesis", "Node", "NodeTable", "Part", "State", "Words"]

SCHEMA = 2


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One output: its last node, and what was read off its path."""

    node: int
    text: str  # the prompt and what the model said after it
    answer: str  # what it said alone
    total: float
    score: float
    length: int  # tokens, the end sign included
    groups: tuple[int, ...]  # the word of each token
    words: tuple[str, ...]  # the text of each group


@dataclass(frozen=True, slots=True)
class Words:
    """The word view: weights summed over the pieces of a source word and averaged over the pieces of a target word."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    source_members: tuple[tuple[int, ...], ...]  # the positions of each word, counted through all parts
    target_members: tuple[tuple[int, ...], ...]  # the steps of each word
    attention: Floats  # [target words, source words]


@dataclass(frozen=True, slots=True, repr=False)
class DecodeTrace:
    """A tree of nodes, parents before children; a hypothesis is a leaf, and its tokens and attention are read along its path.

    Positions are numbered through all parts. The first `prompt` steps were given to the decoder to go on from.
    """

    task: str
    model_id: str
    settings: DecodeSettings
    steering: Steering
    parts: tuple[Part, ...]  # what was read; none: a language model
    heads: tuple[Head, ...]  # in the order of the attention maps
    prompt: int
    max_length: int  # the length limit that held, the prompt included
    nodes: NodeTable
    beams: tuple[tuple[int, ...], ...]  # ids that lived on after each step
    survivors: tuple[float, ...]  # the lowest score that survived each step
    hypotheses: tuple[Hypothesis, ...]  # best first
    encode_ms: float
    decode_ms: float
    network: Network | None = None  # what flows where in the model; None: a trace that was written before it was kept
    schema: int = SCHEMA

    @property
    def nbytes(self) -> int:
        """What the trace takes of memory, nearly: its columns, and some bytes for each position and each beam."""
        return self.nodes.nbytes + 300 * self.positions + 40 * sum(map(len, self.beams))

    def path(self, hypothesis: int = 0, *, node: int | None = None) -> tuple[Node, ...]:
        """The nodes of a hypothesis (0 the best), or from the first token to any node."""
        return tuple(self.nodes[i] for i in self._ids(hypothesis, node))

    def tokens(self, hypothesis: int = 0, *, node: int | None = None) -> tuple[str, ...]:
        """Display strings, one per step, the end sign included."""
        return tuple(self.nodes.words[i] for i in self.token_ids(hypothesis, node=node))

    def token_ids(self, hypothesis: int = 0, *, node: int | None = None) -> tuple[int, ...]:
        return tuple(self.nodes.token_id[self._ids(hypothesis, node)].tolist())

    def text(self, hypothesis: int = 0) -> str:
        return self.hypotheses[hypothesis].text

    def prior(self, node: int) -> float:
        """What a list of words adds to the log-probability of the output that ends here, in its score; 0 where no list has it."""
        length = int(self.nodes.step[node]) + 1
        worth = float(self.nodes.score[node]) * length**self.settings.length_penalty - float(self.nodes.total[node])
        return worth if worth > 1e-6 else 0.0

    @property
    def is_listed(self) -> bool:
        """Whether a list of words has a say in the order of the outputs."""
        return any(self.prior(one.node) for one in self.hypotheses)

    @property
    def given_text(self) -> str:
        """The texts that were read, one after the other; empty for a photo."""
        return "\n".join(part.text for part in self.parts if part.text)

    @property
    def positions(self) -> int:
        return sum(part.positions for part in self.parts)

    @property
    def borders(self) -> tuple[int, ...]:
        """Where each part begins, and where the last one ends: [parts + 1]."""
        return tuple(accumulate((part.positions for part in self.parts), initial=0))

    def maps(self, hypothesis: int = 0, *, node: int | None = None) -> Floats:
        """[T, K, S]; K = 0 without an attention map."""
        weights: Floats = self.nodes.attention[self.nodes.row[self._ids(hypothesis, node)]]
        return weights

    def attention(self, hypothesis: int = 0, part: int = 0, *, node: int | None = None) -> Floats:
        """[T, S of the part], averaged over the heads that look there; [T, 0] if none does."""
        maps = self.maps(hypothesis, node=node)
        looking = [k for k, head in enumerate(self.heads) if head.part == part]
        if not looking:
            return np.zeros((len(maps), 0), dtype=np.float32)
        if len(self.parts) > 1:
            maps = maps[:, looking, self.borders[part] : self.borders[part + 1]]
        return maps[:, 0] if len(looking) == 1 else maps.mean(1)

    def entropy(self, hypothesis: int = 0, part: int = 0, *, node: int | None = None) -> Floats:
        """Of each attention row, in nats: 0 looks at one position, log S at all alike."""
        weights = self.attention(hypothesis, part, node=node)
        logs: Floats = -(weights * np.log(np.where(weights > 0, weights, 1))).sum(1)
        return logs

    def gap(self, node: int) -> float:
        """How far a node's score is from the last survivor of its step; below 0 for a pruned one."""
        return float(self.nodes.score[node]) - self.survivors[int(self.nodes.step[node])]

    def grouped(self, hypothesis: int = 0, part: int = 0) -> Words:
        """The hypothesis by word instead of by token; rows still sum to 1."""
        found = self.hypotheses[hypothesis]
        weights = self.attention(hypothesis, part)
        columns = self.parts[part].members if self.parts else ()
        rows = members(found.groups)
        summed = np.zeros((len(weights), len(columns) if weights.shape[1] else 0), dtype=np.float32)
        for place in range(summed.shape[1]):
            summed[:, place] = weights[:, list(columns[place])].sum(1)
        averaged = np.stack([summed[list(steps)].mean(0) for steps in rows])
        words = tuple(self.parts[part].word(places) for places in columns)
        start = self.borders[part]
        return Words(words, found.words, tuple(tuple(start + i for i in places) for places in columns), rows, averaged)

    def to_frame(self, hypothesis: int | None = 0) -> pd.DataFrame:
        """Every weight of a hypothesis (None: of all), a row each, with its step; steps and positions count from 1, as on the screen."""
        from seq2seq_core.trace import frames

        return frames.weights(self, hypothesis)

    def candidates_frame(self, hypothesis: int | None = 0) -> pd.DataFrame:
        """What each step had to choose from, a candidate a row."""
        from seq2seq_core.trace import frames

        return frames.candidates(self, hypothesis)

    def hypotheses_frame(self) -> pd.DataFrame:
        """The outputs, best first, with their scores."""
        from seq2seq_core.trace import frames

        return frames.hypotheses(self)

    def figure(self, hypothesis: int = 0, **options: Any) -> Any:
        """A Plotly figure of the attention map, to zoom and pan; whatever is installed under this entry point draws it."""
        for entry in entry_points(group="seq2seq_core.figure"):
            return entry.load()(self, hypothesis, **options)
        raise InputError("The figure is drawn by the app's package, which is not installed; run `pip install -e .` in its folder.")

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; see trace_json for the format."""
        from seq2seq_core.trace import json as trace_json

        return trace_json.to_dict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> DecodeTrace:
        """The exact trace that `to_dict` gave; InputError says what is wrong with any other dictionary."""
        from seq2seq_core.trace import reader

        return reader.from_dict(values)

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> DecodeTrace:
        try:
            values = json.loads(text)
        except ValueError as error:
            raise InputError(f"The trace is not valid JSON ({error}); export it again.") from None
        return cls.from_dict(values)

    def _repr_html_(self) -> str | None:
        """How a notebook shows a trace: in whatever is installed under this entry point; with nothing, its repr is shown."""
        for entry in entry_points(group="seq2seq_core.notebook"):
            return str(entry.load()(self))
        return None

    def __repr__(self) -> str:
        given = " + ".join(
            repr(one.text) if one.grid is None else "{} {} x {}".format(one.name, *(one.size or (0, 0))) for one in self.parts
        )
        how = f"beam {self.settings.beam_size}" if self.settings.search == "beam" else self.settings.search
        best = self.hypotheses[0]
        return (
            f"DecodeTrace({self.model_id!r}, {given or 'nothing'} -> {best.text!r}, {how}, {best.length} tokens, "
            f"total {best.total:.4f}, {len(self.hypotheses)} hypotheses, {len(self.nodes)} nodes)"
        )

    def _ids(self, hypothesis: int, node: int | None) -> list[int]:
        last = self.hypotheses[hypothesis].node if node is None else node
        if not 0 <= last < len(self.nodes):
            raise InputError(f"The node is {last}; this trace has the nodes 0 to {len(self.nodes) - 1}.")
        return self.nodes.path(last)


def words_of(
    tokenizer: Tokenizer, display: Mapping[int, str] | Sequence[str], tokens: Sequence[int], groups: Sequence[int]
) -> tuple[str, ...]:
    """The text of each group of tokens."""
    each = ([tokens[place] for place in places] for places in members(groups))
    return tuple(display[ids[0]].strip() if len(ids) == 1 else tokenizer.decode(ids).strip() for ids in each)
