"""The search tree: kept in columns, so that recording a step costs next to nothing, and read as `Node` objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Codes = NDArray[np.int8]
Flags = NDArray[np.bool_]
Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Mark = int | float  # a whole number is a source position, any other a value

State = Literal["alive", "finished", "pruned"]
STATES: tuple[State, ...] = ("alive", "finished", "pruned")
ALIVE, FINISHED, PRUNED = range(3)

REASONS = (
    "", "outside the beam", "finished worse", "length limit", "search stopped", "another token was forced", "another token was given"
)  # fmt: skip
NO_REASON, OUTSIDE, FINISHED_WORSE, LENGTH_LIMIT, STOPPED, NOT_FORCED, NOT_GIVEN = range(7)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One token of a distribution; log p is the model's own, over its whole vocabulary."""

    token_id: int
    token: str
    logprob: float


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One token of one hypothesis. `attention` and `candidates` belong to the distribution the token was chosen from."""

    id: int
    parent: int | None
    step: int
    token_id: int
    token: str
    logprob: float  # log p(token | prefix)
    total: float  # parent's total + logprob
    score: float  # total / length ** length_penalty
    attention: Floats | None  # [S], or [heads, S]
    candidates: tuple[Candidate, ...]  # best first
    rank: int  # its place among the step's candidates on record, 0 the best
    state: State
    why: str  # why it was pruned, or cut: one of REASONS
    forced: bool  # put in by a person
    marks: dict[str, Mark]  # what else the model said of this step, by name; "glimpse": where hard attention looked

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        mine, theirs = ([getattr(node, field.name) for field in fields(Node) if field.name != "attention"] for node in (self, other))
        if self.attention is None or other.attention is None:
            return mine == theirs and self.attention is other.attention
        return mine == theirs and np.array_equal(self.attention, other.attention)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NodeTable(Sequence[Node]):
    """Nodes in columns. Siblings share the row of their distribution; a row index stands in `row`."""

    parent: Ints  # [N] -1: none
    step: Ints
    token_id: Ints
    logprob: Doubles
    total: Doubles
    score: Doubles
    rank: Ints
    state: Codes
    why: Codes
    forced: Flags
    row: Ints
    attention: Floats  # [R, K, S]; K = 0 without a map
    candidate_ids: Ints  # [R, C] -1 fills up
    candidate_logprobs: Floats  # [R, C] 0 fills up
    marks: Mapping[str, NDArray[Any]]  # by name [R]: whole numbers are source positions, others values
    words: Mapping[int, str] | Sequence[str]  # the display string of every token id

    def __post_init__(self) -> None:
        for field in fields(self):
            column = getattr(self, field.name)
            for one in column.values() if field.name == "marks" else [column]:
                if isinstance(one, np.ndarray):
                    one.flags.writeable = False

    @property
    def nbytes(self) -> int:
        """Of all columns; the words belong to the model."""
        columns = [getattr(self, field.name) for field in fields(self)] + list(self.marks.values())
        return sum(column.nbytes for column in columns if isinstance(column, np.ndarray))

    def __len__(self) -> int:
        return len(self.parent)

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Node, ...]: ...
    def __getitem__(self, index: int | slice) -> Node | tuple[Node, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        i = range(len(self))[index]  # IndexError outside; counts from the end when negative
        parent, row, token_id = int(self.parent[i]), int(self.row[i]), int(self.token_id[i])
        return Node(
            id=i,
            parent=None if parent < 0 else parent,
            step=int(self.step[i]),
            token_id=token_id,
            token=self.words[token_id],
            logprob=float(self.logprob[i]),
            total=float(self.total[i]),
            score=float(self.score[i]),
            attention=self.row_attention(row),
            candidates=self.row_candidates(row),
            rank=int(self.rank[i]),
            state=STATES[self.state[i]],
            why=REASONS[self.why[i]],
            forced=bool(self.forced[i]),
            marks=self.row_marks(row),
        )

    def __iter__(self) -> Iterator[Node]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Two tables are equal when their nodes are, however the rows are stored."""
        if not isinstance(other, NodeTable):
            return NotImplemented
        if len(self) != len(other):
            return False
        for field in fields(self)[:10]:
            if not np.array_equal(getattr(self, field.name), getattr(other, field.name)):
                return False
        ours, theirs = self._by_node(), other._by_node()
        if ours.keys() != theirs.keys() or not all(np.array_equal(column, theirs[name]) for name, column in ours.items()):
            return False
        return all(self.words[i] == other.words[i] for i in self.used_ids())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"NodeTable({len(self)} nodes)"

    def _by_node(self) -> dict[str, NDArray[Any]]:
        """What siblings share, by name, one row a node."""
        shared = {name: getattr(self, name)[self.row] for name in ("attention", "candidate_ids", "candidate_logprobs")}
        return shared | {f"mark {name}": column[self.row] for name, column in self.marks.items()}

    def used_ids(self) -> list[int]:
        used = np.unique(np.concatenate([self.token_id, self.candidate_ids.ravel()]))
        return [i for i in used.tolist() if i >= 0]

    def row_attention(self, row: int) -> Floats | None:
        weights: Floats = self.attention[row]  # [K, S]
        if len(weights) == 0:
            return None
        only: Floats = weights[0]
        return only if len(weights) == 1 else weights

    def row_candidates(self, row: int) -> tuple[Candidate, ...]:
        pairs = zip(self.candidate_ids[row].tolist(), self.candidate_logprobs[row].tolist(), strict=True)
        return tuple(Candidate(i, self.words[i], logprob) for i, logprob in pairs if i >= 0)

    def row_marks(self, row: int) -> dict[str, Mark]:
        return {name: column[row].item() for name, column in self.marks.items()}

    def path(self, node: int) -> list[int]:
        """Ids from the first token to `node`."""
        ids = []
        while node >= 0:
            ids.append(node)
            node = int(self.parent[node])
        return ids[::-1]

    def children(self, node: int | None) -> list[int]:
        """Ids of the nodes that continue `node`; None: the first tokens."""
        found: list[int] = np.flatnonzero(self.parent == (-1 if node is None else node)).tolist()
        return found
