"""Edits to text and back: exactly, and a text that is none is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.edits import read_edits, write_edits
from seq2seq_core.errors import InputError
from seq2seq_core.trace.steering import RowEdit, Steering

IDS = st.integers(3, 5000)
WEIGHTS = st.lists(st.floats(0, 1), min_size=1, max_size=8).filter(any).map(tuple)
ROWS = st.lists(st.builds(RowEdit, st.integers(0, 50), WEIGHTS, st.booleans()), unique_by=lambda row: (row.step, row.onward), max_size=4)


@st.composite
def steerings(draw: st.DrawFn) -> Steering:
    prefix = tuple(draw(st.lists(IDS, max_size=5)))
    steps = draw(st.lists(st.integers(len(prefix), 60), unique=True, max_size=4))
    tokens = tuple((step, draw(IDS)) for step in steps)
    return Steering(prefix, tokens, tuple(draw(ROWS)), tuple(draw(st.lists(st.integers(0, 40), max_size=5))))


@given(steerings())
def test_edits_come_back_exactly(steering: Steering) -> None:
    assert read_edits(write_edits(steering)) == steering


@given(st.text(st.sampled_from("pthrR0123456789,.:;-einf "), max_size=40) | st.text(max_size=20))
def test_any_other_text_is_refused_with_a_sentence(text: str) -> None:
    try:
        assert isinstance(read_edits(text), Steering)
    except InputError as error:
        assert str(error).endswith(".")


def test_the_form_is_short() -> None:
    steering = Steering((12, 7), ((3, 512),), (RowEdit(2, (0.5, 0.5)), RowEdit(4, (1, 0), onward=True)), (1,))
    assert write_edits(steering) == "p12,7;t3,512;r2:0.5,0.5;R4:1.0,0.0;h1"
    assert write_edits(Steering()) == ""


@pytest.mark.parametrize("text", ["x1", "p", "t3", "t1,2,3", "r2", "r2:", "r:1", "r2:nan", "r2:-1", "h-1", "p1,,2", "p9,9;t0,5", "0"])
def test_malformed_edits_name_themselves(text: str) -> None:
    with pytest.raises(InputError):
        read_edits(text)
