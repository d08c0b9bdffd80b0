"""What the tree component is given: the stored tree under one ranking rule, with greedy's path and the words for every fate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from demo import wording
from demo.components import with_id
from demo.tasks import TASKS
from seq2seq_core.trace.nodes import FINISHED, REASONS, STATES
from seq2seq_core.trace.reranking import ABSENT

if TYPE_CHECKING:
    from seq2seq_core.trace.reranking import GreedyPath, Reranking
    from seq2seq_core.trace.trace import DecodeTrace

DIGITS = 3


def tree_data(
    trace: DecodeTrace,
    ranking: Reranking,
    greedy: GreedyPath | None = None,
    rest: Sequence[str] = (),
    *,
    chosen: int | None = None,
    forced: Sequence[int] = (),
) -> dict[str, Any]:
    """Columns, one entry per node that this beam looks at; `at` in paths and outputs is a place in these columns.

    `rest`: greedy's tokens after the point where the tree ends for it. `chosen`: the node that is played.
    `forced`: the steps where a person's word differs from the model's.
    """
    table = trace.nodes
    kept = np.flatnonzero(ranking.states != ABSENT)
    place = {node: at for at, node in enumerate(kept.tolist())}
    scores = table.total[kept] / (table.step[kept] + 1.0) ** ranking.length_penalty
    scores[[place[one.node] for one in ranking.ranked]] = [one.score for one in ranking.ranked]  # where a list of words has its say too
    outputs = {place[one.node]: rank + 1 for rank, one in enumerate(ranking.ranked)}
    best = [place[node] for node in table.path(ranking.ranked[0].node)]
    data = {
        "node": kept.tolist(),
        "parent": [place.get(parent, -1) for parent in table.parent[kept].tolist()],
        "step": table.step[kept].tolist(),
        "token": [wording.token(table.words[token]) for token in table.token_id[kept].tolist()],
        "logprob": _rounded(table.logprob[kept]),
        "total": _rounded(table.total[kept]),
        "score": _rounded(scores),
        "gap": _rounded(ranking.gaps[kept]),
        "state": [STATES[state] for state in ranking.states[kept].tolist()],
        "why": [_fate(trace, ranking, node, place[node] in outputs) for node in kept.tolist()],
        "forced": np.flatnonzero(table.forced[kept] & np.isin(table.step[kept], list(forced))).tolist(),
        "outputs": [[at, rank] for at, rank in outputs.items()],
        "best": best,
        "greedy": _greedy(greedy, rest, place),
        "kept": ranking.kept,
        "unit": "Character" if (row := TASKS.get(trace.task)) and row.unit == "letters" else "Piece",  # a column each
    }
    return {**with_id(data), "chosen": None if chosen is None else place.get(chosen)}


def _rounded(values: np.ndarray) -> list[float]:
    return [round(float(value), DIGITS) + 0.0 for value in values]


def _fate(trace: DecodeTrace, ranking: Reranking, node: int, is_output: bool) -> str:
    """Why a node is where it is, in a few words; empty for what lived on."""
    if is_output or ranking.states[node] == FINISHED:
        return ""
    if ranking.states[node] != STATES.index("pruned"):
        return ""
    stored = REASONS[trace.nodes.why[node]]
    if stored in ("another token was forced", "length limit", "search stopped") and ranking.states[node] == trace.nodes.state[node]:
        return stored
    return "outside the beam"


def _greedy(greedy: GreedyPath | None, rest: Sequence[str], place: dict[int, int]) -> dict[str, Any] | None:
    if greedy is None:
        return None
    inside = [place[node] for node in greedy.nodes if node in place]
    return {
        "path": inside,
        "rest": [wording.token(token) for token in rest],
        "pruned": greedy.pruned_at,
        "parts": greedy.parts_at,
    }
