"""The blocks of the Watch page: the sentence with its player, whether it is right, and what models say that see less."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from demo import state
from demo.blocks import answer, steer_from
from demo.blocks.player import player, showing
from demo.colours import DARK, LIGHT
from demo.components.outputs.mount import Figure, Row, output_table
from demo.components.player.data import PlayerLayout
from demo.given import assets, clips
from demo.lab import Queries
from demo.labs.watch import LAB
from demo.query import Query
from demo.wording import plain

if TYPE_CHECKING:
    from seq2seq_core.inputs.events import Story
    from seq2seq_core.trace.trace import DecodeTrace

HEIGHT = 300  # pixels
SEES = {
    "additive": "looks at the frames anew at every word, after a recurrent network has read them in order",
    "none": "one vector for the whole clip, read in order",
    "mean": "the mean of all frames: nothing of their order",
}
SAYS = Figure("right", tip="Whether the whole sentence is what happens in the clip.")
STRANGE = "The models know clips that the lab renders, and nothing else: of any other they say what of those it looks like to them."


def result(queries: Queries) -> DecodeTrace:
    """What happens, the film strip, and the files one can take along."""
    name, query = next(iter(queries.items()))
    assert query.asset is not None
    shown = showing(LAB.name, query, opens=False)
    trace = answer.trace_of(query)
    hypothesis = answer.hypothesis_of(trace)
    story = clips.story(query.asset)
    answer.result_line(trace, hypothesis, asset=query.asset, note=verdict(query.asset.name, story, trace, hypothesis))
    with st.container(key="film_player"):  # its room is kept, as a photo's is
        layout, hear = shown.layout(PlayerLayout(height=HEIGHT)), steer_from.hear(query, trace, hypothesis)
        player(trace, hypothesis, asset=query.asset, layout=layout, actions=steer_from.actions(query), on_click=hear)
    steer_from.lead()
    st.caption(plain(" ".join(filter(None, (unseen(story), f"Clip: {assets.credit(query.asset)}.")))))
    if len(queries) > 1:
        compared(queries, story)
    if not state.simple():
        answer.n_best(trace, hypothesis)
    return trace


def verdict(code: str, story: Story | None, trace: DecodeTrace, hypothesis: int = 0) -> str:
    """Whether it is what happens; of a visitor's own clip nobody knows."""
    if story is None:
        return STRANGE
    if clips.order_of(code):
        return f"{clips.order_note(code)} In order they show: {story.told()}."
    said = trace.hypotheses[hypothesis].answer.strip()
    return "" if said == story.told() else f"What happens is: {story.told()}."


def unseen(story: Story | None) -> str:
    """Whether the models were never shown such a clip."""
    told = {
        "pair": "No model was ever shown a thing of this colour and shape.",
        "order": "No model was ever shown these two events in this order.",
    }
    return told.get(story.unseen, "") if story else ""


def compared(queries: Queries, story: Story | None) -> None:
    """The same clip to all models."""
    rows = [_row(name, query, story) for name, query in queries.items()]
    note = " ".join(f"{name}: {SEES[name]}." for name in queries if name in SEES)
    output_table(rows, (SAYS,) if story else (), key="clip_variants", title="What each model says", note=note, language="en")


def _row(name: str, query: Query, story: Story | None) -> Row:
    said, colors = answer.trace_of(query).hypotheses[0].answer.strip(), (LIGHT.variant(name), DARK.variant(name))
    if story is None:
        return Row(name, said, colors=colors)
    wanted = story.told()
    return Row(name, said, ("yes" if said == wanted else "no",), marked=parted(said, wanted), colors=colors)


def parted(said: str, wanted: str) -> tuple[int, int] | None:
    """From the first word that differs to the last; nothing where none does."""
    if said == wanted:
        return None
    words, right = said.split(" "), wanted.split(" ")
    same = next((place for place, (one, other) in enumerate(zip(words, right, strict=False)) if one != other), min(len(words), len(right)))
    end = 0
    while end < min(len(words), len(right)) - same and words[-1 - end] == right[-1 - end]:
        end += 1
    begin = len(" ".join(words[:same])) + (same > 0)
    return min(begin, len(said)), max(begin, len(" ".join(words[: len(words) - end])))
