"""The Steer page's state: one source with its edits, the trace they give, the ranking of its tree, and the node that is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from demo import controls, resources, state, wording
from demo.blocks import answer, parting
from demo.edits import write_edits
from demo.labs.steer.edits import Entry, History, begun
from demo.query import FREE, Asset, Query
from demo.wording import CELLS
from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.pipeline import Encoded, Pipeline
    from seq2seq_core.trace.reranking import GreedyPath, Reranking
    from seq2seq_core.trace.steering import Steering
    from seq2seq_core.trace.trace import DecodeTrace

SEARCHED = "steer_beam"  # the beam size of the last run
AT_A_STEP = ("force a word", "move attention", "explanation")  # the parts of the page that are about one
REFUSED = "steer_refused"  # why the last edit could not be done


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything that the blocks of the page read."""

    query: Query  # with the edits
    trace: DecodeTrace
    free: DecodeTrace  # without any edit
    ranking: Reranking
    node: int | None  # the chosen one
    played: DecodeTrace  # the same tree with the one output that goes through the node
    step: int  # that is looked at: where the player stands
    place: int | None  # of the output that is played among all; None: a beginning that the beam dropped
    greedy: GreedyPath | None
    rest: tuple[str, ...]  # greedy's tokens beyond the tree

    @property
    def pipeline(self) -> Pipeline:
        return resources.pipeline(self.query.model_id)

    @property
    def steering(self) -> Steering:
        return self.query.steering

    @property
    def asset(self) -> Asset | None:
        """What is looked at, where it is no text."""
        return self.query.asset

    @property
    def cell(self) -> str:
        """What a position of it is called."""
        return CELLS.get(self.free.parts[0].name, "word")

    @property
    def tokens(self) -> tuple[int, ...]:
        """The ids of the output that is played."""
        return self.played.token_ids()

    @property
    def kept(self) -> tuple[int, ...]:
        """What was said before the step that is looked at."""
        return self.tokens[: self.step]

    @property
    def own(self) -> tuple[int, ...]:
        return self.free.token_ids()

    @property
    def cursor(self) -> int | None:
        """The node at which the player stands; None while it shows all, and nobody has chosen any."""
        known = self.node is not None or state.current(state.STEP) > 0
        return self.played.path()[self.step].id if known else None

    def named(self, step: int) -> str:
        """The step as the player names it: "word 3"."""
        return parting.place(self.played, step, state.current(state.WORDS))

    def piece(self, step: int) -> str:
        """The step as trees and tables count, which have a column or a row for each token: "piece 3"."""
        return parting.place(self.played, step, words=False)

    def said(self) -> str:
        """What is said at the step, as the player shows it: the word or the piece."""
        tokens, best = self.played.tokens(), self.played.hypotheses[0]
        step = min(self.step, len(tokens) - 1)
        return wording.token(best.words[best.groups[step]] if state.current(state.WORDS) else tokens[step])

    def before(self) -> str:
        """The text before the step, for titles."""
        return self.pipeline.target_tokenizer.decode(list(self.kept)).strip()

    def encoded(self) -> Encoded:
        return resources.encoded(self.query)

    def told(self, target: str | tuple[int, ...], steering: Steering = FREE) -> DecodeTrace:
        """What the model thinks of these words, looking where it likes or as it is made to."""
        return resources.answer(replace(self.query, steering=steering, target=target))


def open_bench(asked: Query) -> Bench:
    """What the link and the person's edits amount to."""
    from seq2seq_core.trace.reranking import ending_at, rerank

    edited = replace(asked, steering=sync(asked))
    free = edited.free
    answer.load(free.model_id)
    trace = resources.answer(edited)
    ranking = rerank(trace, state.current(state.RANK_LENGTH), state.current(state.KEPT))
    node = valid_node(ranking, state.current(state.NODE))
    place = None if node is None else ranking.through(trace.nodes, node)
    last = ranking.ranked[place or 0].node if node is None or place is not None else node
    played = ending_at(trace, last, resources.pipeline(free.model_id).target_tokenizer)
    step = step_of(played, None if node is None else int(trace.nodes.step[node]))
    path, rest = greedy_in(edited, trace, ranking)
    return Bench(edited, trace, resources.answer(free), ranking, node, played, step, 0 if node is None else place, path, rest)


def step_of(played: DecodeTrace, chosen: int | None) -> int:
    """Where the player stands is what all of the page speaks of. It counts words, of which a chosen node may be a later piece."""
    groups = played.hypotheses[0].groups
    shown = state.current(state.STEP)
    if shown < 1 and state.current(state.PART) in AT_A_STEP:  # they need one
        shown = _count(groups, chosen or 0)
        state.remember(state.STEP, shown)
    if shown < 1:
        return chosen or 0
    if chosen is not None and _count(groups, chosen) == shown:
        return chosen
    return next((step for step in range(len(groups)) if _count(groups, step) == shown), len(groups) - 1)


def _count(groups: Sequence[int], step: int) -> int:
    return len(set(groups[: step + 1])) if state.current(state.WORDS) else step + 1


def valid_node(ranking: Reranking, node: int) -> int | None:
    from seq2seq_core.trace.reranking import ABSENT

    return node if 0 <= node < len(ranking.states) and ranking.states[node] != ABSENT else None


def greedy_in(query: Query, trace: DecodeTrace, ranking: Reranking) -> tuple[GreedyPath | None, tuple[str, ...]]:
    """Greedy's path in the tree, and how it goes on where the beam had dropped it."""
    from seq2seq_core.trace.reranking import greedy_path

    if query.settings.search != "beam" or ranking.kept == 1:
        return None, ()
    path = greedy_path(trace, ranking.ranked[0].node, ranking.states)
    inside = [node for node in path.nodes if valid_node(ranking, node) is not None]
    settings = DecodeSettings(search="greedy", max_length=query.settings.max_length)
    greedy = resources.answer(replace(query, settings=settings))
    return path, greedy.tokens()[len(inside) :]


def search_and_ranking() -> None:
    """How many beams to search with, and the two sliders that only rank what was found."""
    with st.container(horizontal=True, gap="small"):
        with st.container(width=115):
            size = controls.whole(state.BEAM)
        if size > 1:
            with st.container(width=125):
                kept_slider(size)
        with st.container(width=180):
            controls.number(state.RANK_LENGTH)


def kept_slider(beam_size: int) -> None:
    """From 1 to all; another beam size begins with all of them."""
    before = st.session_state.get(SEARCHED)
    if (before is not None and before != beam_size) or state.current(state.KEPT) > beam_size:
        state.assign(state.KEPT, beam_size)
    st.session_state[SEARCHED] = beam_size
    controls.whole(replace(state.KEPT, high=beam_size, default=beam_size))


# -- edits ----------------------------------------------------------------------------------------------------------------


def history() -> History:
    found = st.session_state.get(state.EDIT_HISTORY)
    return found if isinstance(found, History) else History()


def sync(asked: Query) -> Steering:
    """The edits that hold now: those of this source, for another begins without. What a link says begins a history of its own."""
    source, settings = (asked.model_id, *asked.given, asked.prompt), asked.settings
    edits, node = asked.steering, state.current(state.NODE)
    known = st.session_state.get(state.EDIT_HISTORY)
    if isinstance(known, History) and known.source == source:
        if known.now.edits != edits:
            known = begun(source, settings, edits, node)
        elif known.settings != settings:  # the same edits, but the nodes have other numbers
            node = -1
            known = replace(known, settings=settings, entries=tuple(replace(entry, node=-1) for entry in known.entries))
    else:
        if isinstance(known, History) and (edits, node) == (known.now.edits, known.now.node):
            edits, node = FREE, -1
        known = begun(source, settings, edits, node)
    st.session_state[state.EDIT_HISTORY] = known
    state.remember(state.EDITS, write_edits(edits))
    look_at(node)
    return edits


def look_at(node: int) -> None:
    """Choose a node; the history remembers it, so that going back shows it again."""
    state.remember(state.NODE, node)
    known = history()
    if known.now.node != node:
        entries = list(known.entries)
        entries[known.at] = replace(known.now, node=node)
        st.session_state[state.EDIT_HISTORY] = replace(known, entries=tuple(entries))


def choose(bench: Bench, node: int) -> None:
    """Callback of the tree, the player and the outputs: play through this node, up to its step."""
    look_at(node)
    show_step(bench, node)


def show_step(bench: Bench, node: int) -> None:
    """The player counts what it shows: words, or tokens."""
    from seq2seq_core.trace.reranking import ending_at

    groups = ending_at(bench.trace, node, bench.pipeline.target_tokenizer).hypotheses[0].groups
    state.remember(state.STEP, _count(groups, int(bench.trace.nodes.step[node])))


def apply(bench: Bench, change: Callable[[], Steering], done: str, step: int) -> None:
    """Callback of every edit: try it, and keep it when the model can follow."""
    try:
        edits = change()
        trace = resources.answer(replace(bench.query, steering=edits))
    except InputError as error:
        st.session_state[REFUSED] = str(error)
        return
    path = trace.path()
    move(history().push(Entry(edits, path[min(step, len(path) - 1)].id, done)))


def move(to: History) -> None:
    """Make a state of the history the present one."""
    st.session_state[state.EDIT_HISTORY] = to
    state.remember(state.EDITS, write_edits(to.now.edits))
    state.remember(state.NODE, to.now.node)
    state.remember(state.STEP, state.STEP.default)


def undo() -> None:
    move(history().undo())


def redo() -> None:
    move(history().redo())


def reset() -> None:
    move(history().push(Entry(done="everything undone")))


def said_refused() -> None:
    refused = st.session_state.pop(REFUSED, None)
    if refused:
        st.error(refused, icon=":material/error:")
