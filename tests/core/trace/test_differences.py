"""Where two outputs part: the step, and the text before it."""

from __future__ import annotations

import pytest

from seq2seq_core.trace.differences import first_difference, parting
from tests.demo.traces import make_trace, text_source

ONE = [" A", " dog", " is", " here", "</s>"]


@pytest.mark.parametrize(
    ("one", "other", "place"),
    [("abc", "abc", None), ("abc", "axc", 1), ("abc", "ab", 2), ("abc", "abcd", 3), ("", "a", 0), ("", "", None)],
)
def test_the_first_place_where_two_sequences_differ(one: str, other: str, place: int | None) -> None:
    assert first_difference(one, other) == first_difference(other, one) == place


def test_the_step_and_what_stands_before_it() -> None:
    source = text_source(["Ein", " Hund", " läuft"])
    found = parting(make_trace(ONE, source), make_trace([" A", " dog", " runs", "</s>"], source))
    assert found is not None
    assert (found.step, found.before, found.one.token, found.other.token) == (2, "A dog", " is", " runs")
    assert parting(make_trace(ONE, source), make_trace(ONE, source)) is None
    assert parting(make_trace(ONE, source), make_trace(ONE[:2], source)) is None  # cut off, it parts nowhere
