"""What a search reports after each step, and how the traces of a batch are made of it, all nodes at once, at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from seq2seq_core.config import DecodeSettings, Network
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.known_words import as_listed
from seq2seq_core.inputs.part import Head, Part
from seq2seq_core.inputs.tokenizer import Tokenizer
from seq2seq_core.trace.nodes import (
    ALIVE,
    FINISHED,
    FINISHED_WORSE,
    LENGTH_LIMIT,
    NOT_FORCED,
    NOT_GIVEN,
    PRUNED,
    STOPPED,
    Codes,
    Doubles,
    Flags,
    Floats,
    Ints,
    NodeTable,
)
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.trace import DecodeTrace, Hypothesis, words_of


class DecodeStep(NamedTuple):
    """One time step of a batch: R rows (hypotheses) were extended, N nodes came of it. Rows and nodes go sentence by sentence."""

    step: int
    sentence: Ints  # [R] the sentence of each row
    parent: Ints  # [R] the row's last token, as its place among the nodes of the step before; -1 at the first step
    weights: Tensor  # [R, K, S]
    marks: dict[str, Tensor]  # by name [R]
    candidate_ids: Tensor  # [R, C] best first; -1 fills up
    candidate_logprobs: Tensor  # [R, C]; -inf fills up
    row: Ints  # [N] the row each node's token was chosen from
    token_id: Ints
    logprob: Floats
    total: Doubles
    rank: Ints
    state: Codes
    why: Codes
    forced: Flags


@dataclass(frozen=True, slots=True)
class Context:
    """What the traces of one model have in common."""

    task: str
    model_id: str
    tokenizer: Tokenizer
    words: Sequence[str]  # the display string of every target token
    heads: tuple[Head, ...]
    network: Network | None = None
    known: Mapping[str, float] | None = None  # how common whole outputs are, where there is a list of them


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a batch: what was read, what a person changed, how long its output may be."""

    parts: tuple[Part, ...]
    steering: Steering
    limit: int
    prompt: int = 0  # how many of its first tokens were given
    places: Ints | None = None  # where its positions stand in a batch of several parts; None: at the beginning

    @property
    def positions(self) -> int:
        return sum(part.positions for part in self.parts)


class TraceBuilder:
    """Keeps the steps of a search as they come; `finish` makes one trace per sentence."""

    def __init__(self, context: Context, settings: DecodeSettings, sentences: Sequence[Sentence]) -> None:
        self._context = context
        self._settings = settings
        self._sentences = sentences
        self._steps: list[DecodeStep] = []

    @property
    def count(self) -> int:
        return len(self._sentences)

    def add(self, step: DecodeStep) -> None:
        self._steps.append(step)

    def finish(self, encode_ms: float = 0.0, decode_ms: float = 0.0) -> list[DecodeTrace]:
        """The traces of what has been added so far, in the order of the sentences."""
        if not self._steps:
            raise InputError("Nothing has been decoded yet; take at least one step.")
        tables = _tables(self._steps, self._sentences, self._settings, self._context.words)
        return [
            self._trace(sentence, table, encode_ms, decode_ms)
            for sentence, table in zip(self._sentences, tables, strict=True)
        ]  # fmt: skip

    def _trace(self, sentence: Sentence, table: NodeTable, encode_ms: float, decode_ms: float) -> DecodeTrace:
        count = int(table.step[-1]) + 1
        going = np.flatnonzero(table.state == ALIVE)
        borders = np.searchsorted(table.step[going], np.arange(count + 1)).tolist()
        alive = [going[start:end] for start, end in pairwise(borders)]
        survivors = np.full(count, np.inf)
        kept = table.state != PRUNED
        np.minimum.at(survivors, table.step[kept], table.score[kept])
        table = self._with_prior(table)
        state, why, best = self._settle(table, alive[-1], sentence.limit)
        return DecodeTrace(
            task=self._context.task,
            model_id=self._context.model_id,
            settings=self._settings,
            steering=sentence.steering,
            parts=sentence.parts,
            heads=self._context.heads,
            prompt=sentence.prompt,
            max_length=sentence.limit,
            nodes=replace(table, state=state, why=why),
            beams=tuple(tuple(ids.tolist()) for ids in alive),
            survivors=tuple(survivors.tolist()),
            hypotheses=self._hypotheses(table, best, sentence.prompt),
            encode_ms=encode_ms,
            decode_ms=decode_ms,
            network=self._context.network,
        )

    def _with_prior(self, table: NodeTable) -> NodeTable:
        """Rank what the search finished by the letters, which are the model's, and by the word, which is the list's."""
        weight, known = self._settings.prior, self._context.known
        if not weight or not known:
            return table
        score = table.score.copy()
        for node in np.flatnonzero(table.state == FINISHED).tolist():
            ids = table.token_id[table.path(node)].tolist()
            worth = known.get(as_listed(self._context.tokenizer.decode(ids)), 0.0)
            score[node] += weight * worth / len(ids) ** self._settings.length_penalty
        return replace(table, score=score)

    def _settle(self, table: NodeTable, leaves: Ints, limit: int) -> tuple[Codes, Codes, Ints]:
        """Choose the hypotheses, best first, and say what became of the other leaves."""
        state, why = table.state.copy(), table.why.copy()
        cut = LENGTH_LIMIT if int(table.step[-1]) + 1 >= limit else STOPPED
        state[leaves], why[leaves] = PRUNED, cut
        finished = np.flatnonzero(table.state == FINISHED)
        among = finished if len(finished) else leaves  # none ended by itself: the best that the limit cut
        among = among[np.argsort(-table.score[among], kind="stable")]
        best = among[: self._settings.hypotheses or self._settings.beam_size]
        state[finished], why[finished] = PRUNED, FINISHED_WORSE
        state[best], why[best] = FINISHED, (0 if len(finished) else cut)
        return state, why, best

    def _hypotheses(self, table: NodeTable, best: Ints, prompt: int) -> tuple[Hypothesis, ...]:
        tokenizer, parents, ids = self._context.tokenizer, table.parent.tolist(), table.token_id.tolist()
        found = []
        for leaf in best.tolist():
            path = [leaf]
            while parents[path[-1]] >= 0:
                path.append(parents[path[-1]])
            tokens = [ids[i] for i in reversed(path)]
            groups, text = tokenizer.groups(tokens), tokenizer.decode(tokens)
            found.append(
                Hypothesis(
                    node=leaf,
                    text=text,
                    answer=tokenizer.decode(tokens[prompt:]) if prompt else text,
                    total=float(table.total[leaf]),
                    score=float(table.score[leaf]),
                    length=len(path),
                    groups=groups,
                    words=words_of(tokenizer, self._context.words, tokens, groups),
                )
            )
        return tuple(found)


def _tables(steps: Sequence[DecodeStep], sentences: Sequence[Sentence], settings: DecodeSettings, words: Sequence[str]) -> list[NodeTable]:
    """All steps joined into columns, then cut into one table per sentence."""
    row_counts = np.array([len(one.sentence) for one in steps])
    node_counts = np.array([len(one.row) for one in steps])
    row_starts, node_starts = _starts(row_counts), _starts(node_counts)
    sentence = np.concatenate([one.sentence for one in steps])  # of each row
    above = np.concatenate([one.parent for one in steps])
    above = np.where(above >= 0, above + np.repeat(np.concatenate([[0], node_starts[:-1]]), row_counts), -1)  # among all nodes
    row = np.concatenate([one.row for one in steps]) + np.repeat(row_starts, node_counts)  # among all rows
    step = np.repeat(np.array([one.step for one in steps], dtype=np.int64), node_counts)
    total = np.concatenate([one.total for one in steps])
    ids = torch.cat([one.candidate_ids for one in steps]).numpy()
    logprobs = torch.cat([one.candidate_logprobs for one in steps]).numpy()
    ids = np.where(np.isfinite(logprobs), ids, -1)
    columns: dict[str, NDArray[Any]] = {
        "parent": above[row],
        "step": step,
        "token_id": np.concatenate([one.token_id for one in steps]),
        "logprob": np.concatenate([one.logprob for one in steps]).astype(np.float64),
        "total": total,
        "score": total / (step + 1.0) ** settings.length_penalty,
        "rank": np.concatenate([one.rank for one in steps]),
        "state": np.concatenate([one.state for one in steps]),
        "why": np.concatenate([one.why for one in steps]),
        "forced": np.concatenate([one.forced for one in steps]),
        "row": row,
    }
    shared: dict[str, NDArray[Any]] = {
        "attention": torch.cat([one.weights for one in steps]).numpy(),
        "candidate_ids": ids,
        "candidate_logprobs": np.where(ids >= 0, logprobs, np.float32(0)),
    }
    marks = {name: torch.cat([one.marks[name] for one in steps]).numpy() for name in steps[0].marks}
    return _split(columns, shared, marks, sentence, sentences, words)


def _split(
    columns: dict[str, NDArray[Any]],
    shared: dict[str, NDArray[Any]],
    marks: dict[str, NDArray[Any]],
    sentence: Ints,
    sentences: Sequence[Sentence],
    words: Sequence[str],
) -> list[NodeTable]:
    """Number nodes and rows anew within each sentence."""
    if len(sentences) > 1:
        of_node = sentence[columns["row"]]
        by_node, by_row = np.argsort(of_node, kind="stable"), np.argsort(sentence, kind="stable")
        new_node, new_row = np.argsort(by_node), np.argsort(by_row)
        numbers = np.arange(len(sentences) + 1)
        node_borders, row_borders = np.searchsorted(of_node[by_node], numbers), np.searchsorted(sentence[by_row], numbers)
        parent = columns["parent"]
        columns["parent"] = np.where(parent >= 0, new_node[parent] - node_borders[of_node], -1)
        columns["row"] = new_row[columns["row"]] - row_borders[of_node]
        columns = {name: column[by_node] for name, column in columns.items()}
        shared = {name: column[by_row] for name, column in shared.items()}
        marks = {name: column[by_row] for name, column in marks.items()}
    else:
        node_borders, row_borders = np.array([0, len(columns["row"])]), np.array([0, len(sentence)])
    tables = []
    for place, one in enumerate(sentences):
        nodes, rows = slice(*node_borders[place : place + 2]), slice(*row_borders[place : place + 2])
        part = {name: column[rows] for name, column in shared.items()}
        part["attention"] = part["attention"][:, :, : one.positions] if one.places is None else part["attention"][:, :, one.places]
        width = int((part["candidate_ids"] >= 0).any(0).sum())
        part["candidate_ids"], part["candidate_logprobs"] = part["candidate_ids"][:, :width], part["candidate_logprobs"][:, :width]
        own = {name: _own(column[rows], one.places) for name, column in marks.items()}
        cut = {name: column[nodes] for name, column in columns.items()}
        if one.prompt:  # to a search it is forced like any other token
            given = cut["step"] < one.prompt
            cut["forced"] = cut["forced"] & ~given
            cut["why"] = np.where(given & (cut["why"] == NOT_FORCED), np.int8(NOT_GIVEN), cut["why"])
        tables.append(NodeTable(**cut, **part, marks=own, words=words))
    return tables


def _own(column: NDArray[Any], places: Ints | None) -> NDArray[Any]:
    """Whole numbers are positions, which are counted without what only fills up a batch."""
    if places is None or not np.issubdtype(column.dtype, np.integer):
        return column
    return np.searchsorted(places, column)


def _starts(counts: Ints) -> Ints:
    starts: Ints = np.cumsum(counts) - counts
    return starts
