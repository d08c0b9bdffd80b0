"""From any player to the Steer page: at each step one may force another word there, or move its attention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from demo import lab, resources, state, tasks
from demo.blocks.player import Showing
from demo.components.player.mount import Click
from demo.edits import write_edits
from demo.fields import Field
from demo.own import models
from demo.query import Asset, Query
from seq2seq_core.config import DecodeSettings

if TYPE_CHECKING:
    from seq2seq_core.trace.nodes import NodeTable
    from seq2seq_core.trace.steering import Steering
    from seq2seq_core.trace.trace import DecodeTrace

PLACE = "steer_from"  # in the session: the step that Steer was asked for
ACTIONS = {"Force another word": "force a word", "Move its attention": "move attention", "Show it in the tree": "play"}


@dataclass(frozen=True, slots=True)
class Place:
    """A step of an output, and the part of Steer that was asked for there."""

    query: Query
    tokens: tuple[int, ...]  # the output up to this step, its own token included
    part: str


def task_of(query: Query) -> str:
    """The task under which Steer offers this model; empty when it does not."""
    if query.model_id.startswith(resources.OWN) and not _own_name(query.model_id):
        return ""
    task = lab.task_of(query.model_id)
    return task if task in tasks.reading() else ""


def _own_name(model_id: str) -> str:
    return next((name for name, model in models.of_text().items() if model.id == model_id), "")


def actions(query: Query) -> tuple[str, ...]:
    """What can be done at a step of its player."""
    task = task_of(query)
    return tuple(ACTIONS) if task and len(query.given) == len(tasks.TASKS[task].fields) else ()


def hear(query: Query, trace: DecodeTrace, hypothesis: int = 0) -> Callable[[Click], None]:
    """What a player of this answer does when one of the actions is chosen: `lead` goes there when the page runs next."""
    return lambda click: _take(query, trace, hypothesis, click)


def _take(query: Query, trace: DecodeTrace, hypothesis: int, click: Click) -> None:
    path = trace.path(hypothesis)
    step = next((i for i, one in enumerate(path) if one.id == click.node), None)
    if not click.act:
        st.session_state.pop(PLACE, None)  # only looks
    elif step is not None and click.act in actions(query):
        st.session_state[PLACE] = Place(query, trace.token_ids(hypothesis)[: step + 1], ACTIONS[click.act])


def lead() -> None:
    """The link to Steer that was asked for in a player of this page: the browser follows it as soon as it is there.

    It stays until Steer has opened: whatever else the visitor does meanwhile begins this page anew, and may do so before the link is there.
    """
    place = st.session_state.get(PLACE)
    if not isinstance(place, Place):
        return
    if place.query not in st.session_state.get(state.SHOWING, Showing()).asked:  # of a page that was left by another way
        del st.session_state[PLACE]
        return
    with st.container(key="leads_on"):
        st.page_link("pages/steer.py", label="Go on in Steer", query_params=link_to(place))


def arrived() -> None:
    """On Steer: what its link says begins a history of its own."""
    if st.session_state.pop(PLACE, None) is not None:
        st.session_state.pop(state.EDIT_HISTORY, None)


def link_to(place: Place) -> dict[str, list[str]]:
    """What the link to Steer says: the source, the search, and the node of its tree; a path that the beam has not kept is forced."""
    asked, task = place.query, task_of(place.query)
    own = _own_name(asked.model_id)
    beam = {"beam": asked.settings.beam_size, "greedy": 1}.get(asked.settings.search, state.current(state.BEAM))
    steering, node = located(replace(asked, settings=DecodeSettings(beam_size=beam), target=""), place.tokens)
    row = tasks.TASKS[task]
    values: dict[Field[Any], Any] = {
        state.TASK: task, row.model: own or asked.model_id.partition("/")[2], state.PART: place.part, state.BEAM: beam,
        state.RANK_LENGTH: asked.settings.length_penalty, state.EDITS: write_edits(steering), state.NODE: node,
    }  # fmt: skip
    values |= {field: one.name if isinstance(one, Asset) else one for field, one in zip(row.fields, asked.given, strict=True)}
    if row.prompt:
        values[row.prompt] = asked.prompt
    return {field.key: field.write(value) for field, value in values.items()}


def located(query: Query, tokens: Sequence[int]) -> tuple[Steering, int]:
    """The steering and the node at which Steer shows these tokens."""
    node = find(resources.answer(query).nodes, tokens)
    if node is not None:
        return query.steering, node
    steering = replace(query.steering, prefix=tuple(tokens), tokens=())
    forced = resources.answer(replace(query, steering=steering))
    return steering, forced.path()[len(tokens) - 1].id


def find(table: NodeTable, tokens: Sequence[int]) -> int | None:
    """The node of a tree that ends this path, if it was looked at."""
    node: int | None = None
    for token in tokens:
        node = next((child for child in table.children(node) if table.token_id[child] == token), None)
        if node is None:
            return None
    return node
