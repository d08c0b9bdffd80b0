"""A page's title and, on the same line, what it offers to begin with: examples, or the ways in for what is no text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from demo import state
from demo.blocks import ways_in
from demo.blocks.player import play
from demo.examples import Example
from demo.fields import Field
from demo.tasks import TaskRow
from demo.wording import plain, shortened


def heading(title: str, row: TaskRow, offered: Sequence[Example] | None = None, field: Field[str] | None = None) -> None:
    """`offered` and `field`: other examples than those of the task, and the text that they fill."""
    examples = row.examples() if offered is None else offered
    field = field or row.prompt or next(iter(row.fields))
    with titled(title):
        if offered is None and ways_in.fields(row):
            ways_in.ways_in(row)
        else:
            example_row(examples, field, row)


@contextmanager
def titled(title: str) -> Iterator[None]:
    """What is drawn inside stands behind the title."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.title(title, anchor=False, width="content")
        yield


def example_row(offered: Sequence[Example], field: Field[str], row: TaskRow | None = None) -> None:
    """Each fills the field, and of a row what is read with it, and plays."""
    with st.container(horizontal=True, wrap=False, width="stretch", gap="small"):  # on a phone the examples scroll sideways
        for i, example in enumerate(offered):
            label = plain(shortened(example.text)) or "nothing"
            st.button(label, key=f"example_{i}", type="tertiary", help=plain(example.shows), on_click=take, args=(field, example, row))


def take(field: Field[str], example: Example, row: TaskRow | None = None) -> None:
    """Callback of an example."""
    state.assign(field, example.text)
    if row is not None and example.given:
        state.assign(next(iter(row.fields)), example.given)
    if example.drawn and state.SEARCH.key in st.session_state:  # where the page has a search to choose
        state.assign(state.SEARCH, "sample")
        state.assign(state.SEED, (state.current(state.SEED) + 1) % state.SEED.high)
    play()
