"""A stored search read again without the model: another length normalisation, fewer kept beams, greedy's path, search or model error."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import EOS, Tokenizer
from seq2seq_core.trace.differences import first_difference
from seq2seq_core.trace.nodes import ALIVE, FINISHED, FINISHED_WORSE, LENGTH_LIMIT, PRUNED, STOPPED, Codes, Doubles, Ints, NodeTable
from seq2seq_core.trace.trace import DecodeTrace, Hypothesis, words_of

ABSENT = 3  # a state beside those of `nodes`: a smaller beam would never have looked at this node


@dataclass(frozen=True, slots=True)
class Ranked:
    """One output under the new rule."""

    node: int  # its last
    total: float
    length: int
    score: float
    before: int  # its place among the same outputs as the stored search scores them, 0 the best


@dataclass(frozen=True, slots=True)
class Reranking:
    """What a beam of `kept` with this length normalisation makes of the stored tree."""

    length_penalty: float
    kept: int
    ranked: tuple[Ranked, ...]  # best first
    states: Codes  # [N] of every node: those of `nodes`, or ABSENT
    gaps: Doubles  # [N] log-probability of a node less that of the last survivor of its step; nan for absent nodes
    leaves_tree: int | None  # the first step at which this beam needs what the stored search never computed
    stops_after: int | None  # the step after which this search is sure of its best; None: not within the stored tree

    @property
    def flips(self) -> int:
        """Pairs of outputs that changed order."""
        places = [one.before for one in self.ranked]
        return sum(a > b for i, a in enumerate(places) for b in places[i + 1 :])

    def through(self, table: NodeTable, node: int) -> int | None:
        """The place of the best output that goes through a node."""
        return next((place for place, one in enumerate(self.ranked) if node in table.path(one.node)), None)


def rerank(trace: DecodeTrace, length_penalty: float | None = None, kept: int | None = None) -> Reranking:
    """Every output that such a beam completes within the stored tree. The first is what the search returns while `leaves_tree` is None.

    A search stops once its best is sure, so it may return fewer than are ranked here: those that ended up to `stops_after`.
    """
    own = trace.settings
    penalty = own.length_penalty if length_penalty is None else length_penalty
    size = own.beam_size if kept is None else min(kept, own.beam_size)
    settings = DecodeSettings(beam_size=size, length_penalty=penalty, hypotheses=own.hypotheses)
    if own.search != "beam":
        return _as_stored(trace, settings)
    return _Replay(trace, settings).run()


def _as_stored(trace: DecodeTrace, settings: DecodeSettings) -> Reranking:
    """Greedy search, a sample and exhaustive search keep no beams: only the order of the outputs can change."""
    states = trace.nodes.state.copy()
    gaps = np.zeros(len(trace.nodes))
    return Reranking(settings.length_penalty, settings.beam_size, _rank(trace, outputs_of(trace), settings), states, gaps, None, None)


def less_expected(trace: DecodeTrace, priors: Sequence[float], weight: float) -> tuple[tuple[int, float], ...]:
    """The hypotheses by (log p(y | x) - weight log p(y)) / length^penalty, best first: the place of each in the trace, and that score.

    `priors`: log p(y) of each, from a language model (Li et al. 2016, "A diversity-promoting objective function"). With weight 0 the order
    is that of the search.
    """
    penalty = trace.settings.length_penalty
    scores = [
        (found.total - weight * prior) / found.length**penalty if weight else found.score
        for found, prior in zip(trace.hypotheses, priors, strict=True)
    ]
    return tuple((place, scores[place]) for place in sorted(range(len(scores)), key=lambda place: (-scores[place], place)))


def outputs_of(trace: DecodeTrace) -> list[int]:
    """The last nodes of all outputs the search completed, those it returned and those that finished worse; best first."""
    table = trace.nodes
    ended = (table.state == FINISHED) | (table.why == FINISHED_WORSE)
    if not (ended & (table.token_id == EOS)).any():  # none ended by itself: what the limit cut
        ended |= np.isin(table.why, (LENGTH_LIMIT, STOPPED))
    found = np.flatnonzero(ended)
    order: list[int] = found[np.argsort(-table.score[found], kind="stable")].tolist()
    return order


def _rank(trace: DecodeTrace, leaves: Sequence[int], settings: DecodeSettings) -> tuple[Ranked, ...]:
    found = []
    stored = sorted(leaves, key=lambda node: (-trace.nodes.score[node], node))
    for place, node in enumerate(stored):
        total, length = float(trace.nodes.total[node]), int(trace.nodes.step[node]) + 1
        found.append(Ranked(node, total, length, _score(trace, node, settings.length_penalty), place))
    return tuple(sorted(found, key=lambda one: (-one.score, one.node)))


def _score(trace: DecodeTrace, leaf: int, penalty: float) -> float:
    length = int(trace.nodes.step[leaf]) + 1
    return (float(trace.nodes.total[leaf]) + trace.prior(leaf)) / float(length**penalty)


class _Replay:
    """Beam search over stored nodes: the rules of `beam`, with a look-up where the model would be called."""

    def __init__(self, trace: DecodeTrace, settings: DecodeSettings) -> None:
        self.trace, self.settings, self.table = trace, settings, trace.nodes
        self.forced = {*trace.steering.forced(), *range(trace.prompt)}
        self.wanted = trace.nodes.forced | np.isin(np.arange(len(trace.nodes)), trace.nodes.path(trace.hypotheses[0].node)[: trace.prompt])
        self.states: Codes = np.full(len(self.table), ABSENT, dtype=np.int8)
        self.gaps: Doubles = np.full(len(self.table), np.nan)
        self.scores: list[float] = []
        self.leaves_tree: int | None = None
        self.stops_after: int | None = None

    def run(self) -> Reranking:
        table, limit = self.table, self.trace.max_length
        starts = np.searchsorted(table.step, np.arange(int(table.step[-1]) + 2))
        live: Ints = np.array([-1])
        ended: list[int] = []
        for step in range(len(starts) - 1):
            here = np.arange(starts[step], starts[step + 1])
            considered = here[np.isin(table.parent[here], live)]
            if len(np.unique(table.parent[considered])) < len(live):
                self._leave(step)
            if not len(considered):
                break
            going, finished = self._select(considered, step)
            ended += finished
            self._note_end(going, finished, step + 1, limit)
            live = np.array(going, dtype=np.int64)
            if not going:
                break
        if self.stops_after is None:
            self._leave(len(starts) - 1)
        ranked = _rank(self.trace, ended or live.tolist(), self.settings)
        self._settle([one.node for one in ranked[: self.settings.hypotheses or self.settings.beam_size]], live)
        rule = self.settings
        return Reranking(rule.length_penalty, rule.beam_size, ranked, self.states, self.gaps, self.leaves_tree, self.stops_after)

    def _note_end(self, going: list[int], finished: list[int], length: int, limit: int) -> None:
        """The search stops when its best is sure, at the limit, or when nothing is left."""
        for node in finished:
            insort(self.scores, float(self.table.total[node]) / length**self.settings.length_penalty)
        if self.stops_after is None and (not going or length >= limit or not self._can_win(float(self.table.total[going[0]]), limit)):
            self.stops_after = length - 1

    def _leave(self, step: int) -> None:
        if self.leaves_tree is None and self.stops_after is None:
            self.leaves_tree = step

    def _select(self, considered: Ints, step: int) -> tuple[list[int], list[int]]:
        """The nodes that live on and those that end, best first; notes the state and the gap of all."""
        table, size = self.table, self.settings.beam_size
        order = considered[np.argsort(-table.total[considered], kind="stable")]
        going: list[int] = []
        finished: list[int] = []
        for place, node in enumerate(order.tolist()):
            wanted = bool(self.wanted[node]) if step in self.forced else len(going) < size and (size > 1 or place == 0)
            if wanted:
                (finished if table.token_id[node] == EOS else going).append(node)
        taken = going + finished
        last = min((float(table.total[node]) for node in taken), default=0.0)
        self.states[order] = PRUNED
        self.states[going], self.states[finished] = ALIVE, FINISHED
        self.gaps[order] = table.total[order] - last
        return going, finished

    def _can_win(self, best: float, limit: int) -> bool:
        wanted = self.settings.hypotheses or 1
        to_beat = self.scores[-wanted] if len(self.scores) >= wanted else -np.inf
        return bool(best / limit**self.settings.length_penalty > to_beat)

    def _settle(self, best: list[int], live: Ints) -> None:
        """Outputs that were not returned, and what was alive when the search stopped, count as pruned."""
        self.states[self.states == FINISHED] = PRUNED
        self.states[live] = PRUNED
        self.states[best] = FINISHED


@dataclass(frozen=True, slots=True)
class GreedyPath:
    """Greedy search inside a stored tree: at each step the most probable token, as far as the tree knows it."""

    nodes: tuple[int, ...]
    pruned_at: int | None  # the step at which the beam dropped it; None: it lived to its end
    parts_at: int | None  # the step at which the best output goes another way; None: they are the same


def greedy_path(trace: DecodeTrace, best: int | None = None, states: Codes | None = None) -> GreedyPath:
    """`best`: the last node of the output to compare with; `states`: those of a re-ranking."""
    table = trace.nodes
    kept = table.state if states is None else states
    best = trace.hypotheses[0].node if best is None else best
    given = table.path(best)[: trace.prompt]
    path: list[int] = []
    children = table.children(None)
    while children:
        forced = [child for child in children if table.forced[child] or child in given]
        likeliest = int(table.candidate_ids[table.row[children[0]], 0])
        following = forced or [child for child in children if table.token_id[child] == likeliest]
        if not following:
            break
        path.append(following[0])
        children = table.children(following[0])
    pruned = next((int(table.step[node]) for node in path if kept[node] in (PRUNED, ABSENT) and not _complete(table, node)), None)
    winner = table.path(best)
    return GreedyPath(tuple(path), pruned, first_difference(path, winner[: len(path)]))


def _complete(table: NodeTable, node: int) -> bool:
    """An output that ended, whether it was returned or not."""
    return bool(table.state[node] == FINISHED or table.why[node] == FINISHED_WORSE)


def ending_at(trace: DecodeTrace, node: int, tokenizer: Tokenizer) -> DecodeTrace:
    """The same tree with one output: the path that ends at this node, finished or not."""
    ids = trace.token_ids(node=node)
    groups = tokenizer.groups(ids)
    found = trace.nodes[node]
    text, answer = tokenizer.decode(ids), tokenizer.decode(ids[trace.prompt :])
    words = words_of(tokenizer, trace.nodes.words, ids, groups)
    output = Hypothesis(node, text, answer, found.total, found.score, len(ids), groups, words)
    return replace(trace, hypotheses=(output,))


Verdict = Literal["same", "search error", "model error"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """An output against a reference, both as the model scores them."""

    output_total: float
    output_score: float
    reference_total: float
    reference_score: float
    verdict: Verdict  # search error: the model prefers the reference, and the search did not find it


def judge(output: DecodeTrace, reference: DecodeTrace, length_penalty: float) -> Judgement:
    """Who is to blame for an output that is not the reference? `reference`: the forced trace of the same source."""
    if output.parts != reference.parts:
        raise InputError("The output and the reference belong to different sources; score the reference for this source.")
    ours, theirs = output.hypotheses[0], reference.hypotheses[0]
    scores = _score(output, ours.node, length_penalty), _score(reference, theirs.node, length_penalty)
    if output.token_ids() == reference.token_ids():
        verdict: Verdict = "same"
    else:
        verdict = "search error" if scores[1] > scores[0] else "model error"
    return Judgement(ours.total, scores[0], theirs.total, scores[1], verdict)
