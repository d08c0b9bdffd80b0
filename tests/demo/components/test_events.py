"""Whatever a browser sends, a page gets a clean value or None."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as some

from demo.components.events import MANY, MOST, choice, one_of, places, reported, selected, weights, whole
from demo.components.eye_painter.mount import Painted, painted
from demo.components.filming.mount import filmed
from demo.components.player.data import PlayerOptions
from demo.components.player.mount import Click, clicked, reported_options
from demo.components.row_editor.mount import RowChange, all_rows, row_change
from demo.components.training.mount import moment
from demo.labs.bottleneck.failures import remember_bar

NAN, INF, HUGE = math.nan, math.inf, 10**400
WRONG_NUMBERS = [None, True, False, -1, 1.0, NAN, INF, HUGE, "1", [1], {"a": 1}]
LONG_FILM = "data:image/jpeg;base64," + "A" * 1_000_000
KEY = "place"


@pytest.fixture
def tell(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Let the component in this place have said something, and nothing else."""
    return lambda said: monkeypatch.setattr(st, "session_state", {KEY: said})


# What one who means harm might put where a value is expected.
anything = some.recursive(
    some.none() | some.booleans() | some.integers() | some.sampled_from([HUGE, -HUGE]) | some.floats() | some.text(max_size=4),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
NAMES = ["choose", "click", "options", "open", "change", "moment", "selection", "points", "customdata"]
NAMES += ["node", "source", "step", "row", "rows", "hidden", "onward", "look", "block", "from", "speed", "view", "strength", "head", "film"]
nested = some.recursive(
    anything, lambda inner: some.dictionaries(some.sampled_from(NAMES), inner, max_size=5) | some.lists(inner, max_size=3)
)


@pytest.mark.parametrize("value", WRONG_NUMBERS)
def test_a_number_that_is_none(value: Any, tell: Callable[[Any], None]) -> None:
    assert whole(value) is None
    tell({"choose": value, "moment": value, "click": {"node": value, "source": value}, "change": {"step": value, "row": None}})
    assert choice(KEY) is None
    assert moment(KEY) is None
    assert clicked(KEY) == Click(None, None)
    assert row_change(KEY) is None


@pytest.mark.parametrize("said", [None, [], "choose", 3, {}, {"choose": None, "options": None, "click": None, "change": None}])
def test_nothing_was_said(said: Any, tell: Callable[[Any], None]) -> None:
    tell(said)
    assert (reported(KEY, "x"), choice(KEY), clicked(KEY), reported_options(KEY), row_change(KEY), all_rows(KEY)) == (None,) * 6
    assert (painted(KEY, 9), moment(KEY), selected(KEY)) == (None, None, [])


@pytest.mark.parametrize(("value", "below", "number"), [(0, 5, 0), (4, 5, 4), (5, 5, None), (0, 0, None), (MOST, MOST, None), (7, MANY, 7)])
def test_a_number_is_one_of_so_many(value: int, below: int, number: int | None, tell: Callable[[Any], None]) -> None:
    tell({"choose": value})
    assert choice(KEY, below) == number


@pytest.mark.parametrize(
    ("value", "row"),
    [
        ([0, 0.5, 2], (0.0, 0.5, 2.0)),
        *((wrong, None) for wrong in (None, [], [0, 0.0], [1, NAN], [1, INF], [1, -0.1], [1, HUGE], [True], ["1"], [[1]], {"0": 1}, "11")),
        ([1] * (MOST + 1), None),
    ],
)
def test_an_attention_row(value: Any, row: tuple[float, ...] | None, tell: Callable[[Any], None]) -> None:
    assert weights(value) == row
    tell({"change": {"step": 2, "row": value, "onward": "yes", "hidden": [2, 1, 1]}})
    assert row_change(KEY) == RowChange(2, row, onward=False, hidden=(1, 2))
    tell({"change": {"rows": [value, None]}})
    assert all_rows(KEY) == [row, None]


NO_CELLS = [None, [9], [-1], [True], [1.0], ["1"], "12", {"1": 1}]


@pytest.mark.parametrize(("value", "cells"), [([], ()), ([3, 0, 3], (0, 3)), *((wrong, None) for wrong in NO_CELLS)])
def test_cells(value: Any, cells: tuple[int, ...] | None, tell: Callable[[Any], None]) -> None:
    assert places(value, 9) == cells
    tell({"change": {"look": value, "block": [], "from": 1}})
    assert painted(KEY, 9) == (None if cells is None else Painted(cells, (), 1))


def test_more_rows_than_any_sentence_has(tell: Callable[[Any], None]) -> None:
    tell({"change": {"rows": [None] * (MOST + 1)}})
    assert all_rows(KEY) is None
    assert places([1] * 10, 9) is None


@pytest.mark.parametrize(
    ("click", "found"),
    [
        ({"node": 3, "source": 1}, Click(3, 1)),
        ({"node": None, "source": 1}, Click(None, 1)),
        ({"node": "<b>", "source": -2}, Click(None, None)),
        ({}, Click(None, None)),
        ("x", None),
        ([3], None),
    ],
)
def test_a_click(click: Any, found: Click | None, tell: Callable[[Any], None]) -> None:
    tell({"click": click})
    assert clicked(KEY) == found


def test_options(tell: Callable[[Any], None]) -> None:
    tell({"options": {"view": "curves", "speed": HUGE, "strength": NAN, "step": [1], "head": True, "paint": {"a": 1}, "more": 1}})
    assert reported_options(KEY) == PlayerOptions(view="curves")


def test_a_name_is_one_of_those_offered() -> None:
    assert one_of("steer", {"steer"}) == "steer"
    assert [one_of(value, {"steer"}) for value in ("train", None, 3, ["steer"], {"steer": 1})] == [None] * 5


def test_a_film_is_a_picture_of_no_more_than_so_many_signs(tell: Callable[[Any], None]) -> None:
    tell({"film": "data:image/jpeg;base64,/9j/"})
    assert filmed(KEY, "film") == b"\xff\xd8\xff"
    for wrong in (None, 3, "", "data:image/png;base64,/9j/", "data:image/jpeg;base64,/9", "data:image/jpeg;base64,<>{}", LONG_FILM):
        tell({"film": wrong})
        assert filmed(KEY, "film") is None


NO_POINTS = [[], "dot", {"points": {"x": 1}}, {"points": ["dot"]}, {"points": [{}]}]
NO_BAR = ["dot", [], ["dot"], [{}, 1], ["dot", "1"], ["dot", -1], ["dot", NAN]]


@pytest.mark.parametrize("said", [*NO_POINTS, *({"points": [{"customdata": told}]} for told in NO_BAR)])
def test_a_chart_that_says_no_bar(said: Any, tell: Callable[[Any], None]) -> None:
    tell({"selection": said})
    remember_bar(KEY)
    assert list(st.session_state) == [KEY]


def test_a_chart_that_says_a_point(tell: Callable[[Any], None]) -> None:
    tell({"selection": {"points": [{"customdata": [4, "text"]}, {"customdata": [5]}]}})
    assert selected(KEY) == [4, "text"]


@given(nested)
def test_anything_at_all_is_read_without_harm(said: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for value in (said, dict.fromkeys(NAMES, said)):
            patch.setattr(st, "session_state", {KEY: value})
            for number in (choice(KEY, 5), moment(KEY)):
                assert number is None or type(number) is int
            click, change, rows, cells = clicked(KEY), row_change(KEY), all_rows(KEY), painted(KEY, 9)
            assert click is None or all(number is None or number >= 0 for number in (click.node, click.source))
            for row in [change and change.row, *(rows or [])]:
                assert row is None or all(type(weight) is float and 0 <= weight < INF for weight in row)
            assert cells is None or set(cells.look + cells.block) <= set(range(9))
            options = reported_options(KEY)
            assert options is None or PlayerOptions.from_dict(options.to_dict()) == options
            selected(KEY)
            assert filmed(KEY, "film") is None
