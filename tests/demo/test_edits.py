"""Edits to text and back: exactly, and a text that is none is named."""

from __future__ import annotations

from urllib.parse import quote_plus

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


@given(st.text(st.sampled_from("pthrR0123456789,.:;_~x-einf "), max_size=40) | st.text(max_size=20))
def test_any_other_text_is_refused_with_a_sentence(text: str) -> None:
    try:
        assert isinstance(read_edits(text), Steering)
    except InputError as error:
        assert str(error).endswith(".")


def test_the_form_is_short_and_a_link_keeps_it_as_it_is() -> None:
    steering = Steering((12, 7), ((3, 512),), (RowEdit(2, (0.25, 0.75)), RowEdit(4, (1, 0, 0, 0, 0, 1e-7), onward=True)), (1,))
    assert write_edits(steering) == "p12_7~t3_512~r2_0.25_0.75~R4_1_4x0_1e-07~h1"
    assert quote_plus(write_edits(steering)) == write_edits(steering)
    assert write_edits(Steering()) == ""


def test_painted_eyes_are_a_short_link() -> None:
    painted = RowEdit(2, tuple(float(cell in (44, 45, 54, 55)) for cell in range(100)), onward=True)
    assert write_edits(Steering((5,), rows=(painted,))) == "p5~R2_44x0_2x1_8x0_2x1_44x0"


def test_links_from_before_are_still_read() -> None:
    eyes = "p12,7;t3,512;r2:0.5,0.5;R4:" + ",".join(["0.0"] * 44 + ["1.0"] + ["0.0"] * 55) + ";h1,3"
    row = RowEdit(4, tuple(float(cell == 44) for cell in range(100)), onward=True)
    assert read_edits(eyes) == Steering((12, 7), ((3, 512),), (RowEdit(2, (0.5, 0.5)), row), (1, 3))
    assert read_edits(write_edits(read_edits(eyes))) == read_edits(eyes)


@pytest.mark.parametrize(
    "text",
    [
        "x1",
        "p",
        "t3",
        "t1,2,3",
        "r2",
        "r2:",
        "r:1",
        "r2:nan",
        "r2:-1",
        "h-1",
        "p1,,2",
        "p9,9;t0,5",
        "0",
        "r1_0x1",
        "r1_-2x1",
        "r1_x1",
        "r1_2x",
        "r1_1x2x3",
        "r1_999999999999x1",
        "r1_99999x1~r2_9x1",
    ],
)
def test_malformed_edits_name_themselves(text: str) -> None:
    with pytest.raises(InputError):
        read_edits(text)
