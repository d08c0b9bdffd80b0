"""DecodeTrace: everything that happened while one source was decoded. All that is shown, exported or tested reads this object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

import numpy as np

from seq2seq_core.config import DecodeSettings, SourceKind
from seq2seq_core.errors import InputError
from seq2seq_core.trace.nodes import Candidate, Floats, Node, NodeTable, State
from seq2seq_core.trace.steering import Steering

__all__ = ["SCHEMA", "Candidate", "DecodeTrace", "Hypothesis", "Node", "NodeTable", "Source", "State", "Words"]

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Source:
    """What was decoded: one token, or one grid cell (row by row), per memory position."""

    kind: SourceKind
    text: str = ""
    tokens: tuple[str, ...] = ()
    token_ids: tuple[int, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()  # start and end of each token in `text`
    groups: tuple[int, ...] = ()  # the word of each token
    grid: tuple[int, int] | None = None  # rows, columns
    image_size: tuple[int, int] | None = None  # width, height

    @property
    def positions(self) -> int:
        return self.grid[0] * self.grid[1] if self.grid is not None else len(self.token_ids)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One output: its last node, and what was read off its path."""

    node: int
    text: str
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
    source_members: tuple[tuple[int, ...], ...]  # the source positions of each word
    target_members: tuple[tuple[int, ...], ...]  # the steps of each word
    attention: Floats  # [target words, source words]


@dataclass(frozen=True, slots=True, repr=False)
class DecodeTrace:
    """A tree of nodes, parents before children; a hypothesis is a leaf, and its tokens and attention are read along its path."""

    task: str
    model_id: str
    settings: DecodeSettings
    steering: Steering
    source: Source
    max_length: int  # the length limit that held
    nodes: NodeTable
    beams: tuple[tuple[int, ...], ...]  # ids that lived on after each step
    survivors: tuple[float, ...]  # the lowest score that survived each step
    hypotheses: tuple[Hypothesis, ...]  # best first
    encode_ms: float
    decode_ms: float
    schema: int = SCHEMA

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

    def heads(self, hypothesis: int = 0, *, node: int | None = None) -> Floats:
        """[T, K, S]; K = 0 without an attention map."""
        weights: Floats = self.nodes.attention[self.nodes.row[self._ids(hypothesis, node)]]
        return weights

    def attention(self, hypothesis: int = 0, *, node: int | None = None) -> Floats:
        """[T, S], averaged over the heads; [T, 0] without an attention map."""
        heads = self.heads(hypothesis, node=node)
        if heads.shape[1] == 0:
            return np.zeros((len(heads), 0), dtype=np.float32)
        return heads[:, 0] if heads.shape[1] == 1 else heads.mean(1)

    def entropy(self, hypothesis: int = 0, *, node: int | None = None) -> Floats:
        """Of each attention row, in nats: 0 looks at one position, log S at all alike."""
        weights = self.attention(hypothesis, node=node)
        logs: Floats = -(weights * np.log(np.where(weights > 0, weights, 1))).sum(1)
        return logs

    def gap(self, node: int) -> float:
        """How far a node's score is from the last survivor of its step; below 0 for a pruned one."""
        return float(self.nodes.score[node]) - self.survivors[int(self.nodes.step[node])]

    def grouped(self, hypothesis: int = 0) -> Words:
        """The hypothesis by word instead of by token; rows still sum to 1."""
        found = self.hypotheses[hypothesis]
        weights = self.attention(hypothesis)
        columns = _members(self.source.groups) if self.source.groups else tuple((i,) for i in range(self.source.positions))
        rows = _members(found.groups)
        summed = np.zeros((len(weights), len(columns) if weights.shape[1] else 0), dtype=np.float32)
        for place in range(summed.shape[1]):
            summed[:, place] = weights[:, list(columns[place])].sum(1)
        averaged = np.stack([summed[list(members)].mean(0) for members in rows])
        return Words(tuple(self._source_word(members) for members in columns), found.words, columns, rows, averaged)

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
        given = repr(self.source.text) if self.source.kind != "image" else "image {} x {}".format(*(self.source.image_size or (0, 0)))
        how = f"beam {self.settings.beam_size}" if self.settings.search == "beam" else self.settings.search
        best = self.hypotheses[0]
        return (
            f"DecodeTrace({self.model_id!r}, {given} -> {best.text!r}, {how}, {best.length} tokens, "
            f"total {best.total:.4f}, {len(self.hypotheses)} hypotheses, {len(self.nodes)} nodes)"
        )

    def _ids(self, hypothesis: int, node: int | None) -> list[int]:
        last = self.hypotheses[hypothesis].node if node is None else node
        if not 0 <= last < len(self.nodes):
            raise InputError(f"The node is {last}; this trace has the nodes 0 to {len(self.nodes) - 1}.")
        return self.nodes.path(last)

    def _source_word(self, members: Sequence[int]) -> str:
        if not self.source.spans:
            return "".join(self.source.tokens[i] for i in members) if self.source.tokens else str(members[0])
        word = self.source.text[self.source.spans[members[0]][0] : self.source.spans[members[-1]][1]]
        return word.strip() or word


def _members(groups: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The places of each group, in order."""
    members: dict[int, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    return tuple(map(tuple, members.values()))
