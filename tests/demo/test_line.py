"""Who asks while many do waits in a line, hears of it, and is let in by the order of coming."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise

import pytest
from streamlit.testing.v1 import AppTest

from demo.errors import OURS
from demo.visitors.door import FIGURES
from demo.visitors.line import Line

PATIENCE = 30.0


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


class Run:
    """One run of a page that goes on until it is told to end."""

    def __init__(self, line: Line, pool: ThreadPoolExecutor) -> None:
        self.line, self.inside, self.told, self.end = line, threading.Event(), threading.Event(), threading.Event()
        self.before = -1
        self.done: Future[None] = pool.submit(self._run)

    def _run(self) -> None:
        with self.line.turn(self._tell):
            self.inside.set()
            assert self.end.wait(PATIENCE)

    def _tell(self, before: int) -> None:
        self.before = before
        self.told.set()


def test_the_first_come_are_the_first_served_and_the_others_are_told(pool: ThreadPoolExecutor) -> None:
    line = Line(at_once=1, told_seconds=0.01, hold_seconds=PATIENCE)
    runs = []
    for place in range(3):
        runs.append(Run(line, pool))
        assert (runs[-1].told if place else runs[-1].inside).wait(PATIENCE)
    assert [run.before for run in runs] == [-1, 0, 1]
    for run, following in pairwise(runs):
        assert not following.inside.is_set()
        run.end.set()
        assert following.inside.wait(PATIENCE)
    runs[-1].end.set()
    for run in runs:
        run.done.result(PATIENCE)


def test_long_work_holds_up_nobody(pool: ThreadPoolExecutor) -> None:
    line = Line(at_once=1, told_seconds=0.01, hold_seconds=0.02)
    first, second = Run(line, pool), Run(line, pool)
    assert first.inside.wait(PATIENCE) and second.inside.wait(PATIENCE), "the first is still inside"
    first.end.set(), second.end.set()
    assert first.done.result(PATIENCE) is second.done.result(PATIENCE) is None


class Gone(Exception):
    pass


def test_who_leaves_the_line_holds_up_nobody(pool: ThreadPoolExecutor) -> None:
    line = Line(at_once=1, told_seconds=0.01, hold_seconds=PATIENCE)
    first = Run(line, pool)
    assert first.inside.wait(PATIENCE)

    def leave(before: int) -> None:
        raise Gone

    with pytest.raises(Gone), line.turn(leave):
        pass
    third = Run(line, pool)
    assert third.told.wait(PATIENCE)
    assert third.before == 0
    first.end.set()
    assert third.inside.wait(PATIENCE)
    third.end.set()
    third.done.result(PATIENCE)


def waiting(before: int) -> None:
    from demo.visitors.turn import in_line

    in_line(before)


def test_what_is_said_in_line() -> None:
    for before, said in ((0, "you are next"), (7, "7 come before you")):
        at = AppTest.from_function(waiting, args=(before,)).run()
        assert said in at.toast[0].value
        assert "What you typed is kept" in at.toast[0].value


def part_of_a_page() -> None:
    import streamlit as st

    from demo.visitors.door import FIGURES
    from demo.visitors.turn import by_itself

    st.session_state["running"] = []

    @by_itself
    def part() -> None:
        st.session_state["running"].append(FIGURES.running)
        raise RuntimeError

    part()


@pytest.mark.parametrize("alone", [False, True])
def test_a_part_that_is_drawn_by_itself_has_a_turn_and_says_what_went_wrong(monkeypatch: pytest.MonkeyPatch, alone: bool) -> None:
    monkeypatch.setattr("demo.visitors.turn._alone", lambda: alone)
    before = FIGURES.running
    at = AppTest.from_function(part_of_a_page, default_timeout=PATIENCE).run()
    assert at.session_state["running"] == [before + alone]
    assert [each.value for each in at.error] == [OURS]
    assert FIGURES.running == before
