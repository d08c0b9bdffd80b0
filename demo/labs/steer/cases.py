"""Cases found among our own sentences and photos: the examples of the Steer page, and where the beam beats greedy search."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from demo import resources, state
from demo.blocks.heading import titled
from demo.components.events import choice
from demo.components.outputs.mount import Figure, Row, output_table
from demo.state import values_of
from demo.wording import plain, signed
from seq2seq_core.tasks import task_of

FILE = Path(__file__).parents[2] / "examples" / "steer.json"
TEXT_MODEL, PHOTO_MODEL = "translation/additive", "captioning/soft"  # what the cases were found with
OPENS_ON, VISITED = "Attention moved", "steer_visited"
DRAWN = (
    state.SENTENCE, state.TRANSLATION_MODEL, state.CAPTION_MODEL, state.BEAM, state.KEPT, state.RANK_LENGTH,
    state.PART, state.EVERY_WORD, state.TARGET, state.TASK,
)  # fmt: skip
UNDRAWN = (state.EDITS, state.NODE, state.STEP, state.PHOTO)


@dataclass(frozen=True, slots=True)
class Case:
    """One link, and what it shows."""

    name: str
    shows: str
    query: str
    model: str


@dataclass(frozen=True, slots=True)
class Better:
    """A sentence for which the beam finds a more probable output than greedy search."""

    sentence: str
    greedy: str
    beam: str
    gain: float  # in log-probability
    query: str


@cache
def _content() -> dict[str, Any]:
    if not FILE.is_file():
        return {"weights": {}, "cases": [], "better": []}
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf8"))
    return content


def installed(model_id: str = TEXT_MODEL) -> bool:
    """A case holds for the model it was found with, and for no other: its weights are named in the file."""
    weights = _content()["weights"].get(model_id)
    return any(info.id == model_id and info.card.get("sha256") == weights for info in resources.installed(task_of(model_id)))


def cases() -> list[Case]:
    return [Case(**one) for one in _content()["cases"]]


def better() -> list[Better]:
    return [Better(**one) for one in _content()["better"]]


def open_on_one() -> None:
    """Whoever comes to the page with nothing of their own sees what it is about: a moved row, and another word for it."""
    if st.session_state.get(VISITED) or set(st.query_params) - {state.LEVEL.key}:
        return
    st.session_state[VISITED] = True
    untouched = all(state.current(field) == field.default for field in (state.SENTENCE, state.TASK, state.TRANSLATION_MODEL))
    shown = next((case for case in cases() if case.name == OPENS_ON and installed(case.model)), None)
    if untouched and shown is not None:
        take(shown.query)


def cases_row(title: str) -> None:
    """The page's title and the examples on one line."""
    offered = [case for case in cases() if installed(case.model)]
    with titled(title), st.container(horizontal=True, wrap=False, width="stretch", gap="small"):  # on a phone the examples scroll sideways
        for i, case in enumerate(offered):
            st.button(plain(case.name), key=f"case_{i}", type="tertiary", help=plain(case.shows), on_click=take, args=(case.query,))


def take(query: str) -> None:
    """Callback: everything as the link says it."""
    values = values_of(query)
    for field in DRAWN:
        state.assign(field, values[field.key])
    for field in UNDRAWN:
        state.remember(field, values[field.key])
    st.session_state.pop(state.EDIT_HISTORY, None)


def gallery(task: str) -> None:
    """Where greedy's first choice costs it the better sentence, in the task that the cases are of."""
    found = better()
    if not found or not installed() or task != task_of(TEXT_MODEL):
        return

    def open_chosen() -> None:
        row = choice("gallery", len(found))
        if row is not None:
            take(found[row].query)

    rows = [Row("", one.sentence, (one.greedy, one.beam, signed(one.gain))) for one in found]
    columns = (Figure("greedy"), Figure("beam"), Figure("gain", tip="Log-probability of the beam's output less that of greedy's."))
    output_table(rows, columns, key="gallery", title="Where the beam beats greedy", header="source", language="de", on_choose=open_chosen)
