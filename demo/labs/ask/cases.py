"""Photos and questions whose answer changes when one place alone is looked at: tools/asking_cases.py searches for them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from demo import state
from demo.blocks.player import play
from demo.blocks.ways_in.photo import take_sample
from demo.given import assets
from demo.query import Asset
from demo.wording import plain

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

FILE = Path(__file__).parents[2] / "examples" / "ask.json"
MODEL = "soft"  # what they were found with


@dataclass(frozen=True, slots=True)
class Case:
    photo: str
    question: str
    edits: str  # as demo.edits writes them


@cache
def cases() -> tuple[Case, ...]:
    if not FILE.is_file():
        return ()
    return tuple(Case(**case) for case in json.loads(FILE.read_text(encoding="utf-8")))


def changed(free: DecodeTrace, steered: DecodeTrace) -> bool:
    return free.hypotheses[0].answer != steered.hypotheses[0].answer


def case_row() -> None:
    """Each asks, and looks at its place."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("**Point its eyes**", width="content")
        for i, case in enumerate(cases()):
            label = plain(f"{assets.title(Asset('photo', case.photo))}: {case.question}")
            said = "One place alone is looked at, and the answer changes."
            st.button(label, key=f"case_{i}", type="tertiary", help=said, on_click=take, args=(case,))


def take(case: Case) -> None:
    """Callback of a case."""
    take_sample(case.photo)
    state.assign(state.ASKED, case.question)
    state.assign(state.QUESTION_MODEL, MODEL)
    state.remember(state.EDITS, case.edits)
    play()
