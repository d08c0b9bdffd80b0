"""Where two outputs part: the step, and the text before it."""

from __future__ import annotations

import pytest

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.tokenizer import EOS
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.trace.differences import first_difference, greedy_says_the_same, parting
from tests.core.tiny import LETTERS, tiny_model
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


@pytest.mark.parametrize("seed", range(4))
def test_greedy_says_the_same_when_it_does(seed: int) -> None:
    """Whatever the weights: what is read from the beam's own trace holds of a greedy search."""
    pipeline = Pipeline("tiny", tiny_model(seed), LETTERS, LETTERS)
    for source in ("abc", "hgfedcba", "a b c d", "ee", "bad cafe"):
        beam = pipeline.decode(source, DecodeSettings(beam_size=4, max_length=12))
        greedy = pipeline.decode(source, DecodeSettings(search="greedy", max_length=12))
        ended = beam.token_ids()[-1] == EOS
        assert greedy_says_the_same(beam) == (ended and greedy.token_ids() == beam.token_ids())
        assert greedy_says_the_same(greedy) == (greedy.token_ids()[-1] == EOS)


def test_greedy_goes_elsewhere_where_a_likelier_token_was_left() -> None:
    sure, unsure = (make_trace(ONE, probabilities=[chance] * len(ONE)) for chance in (0.9, 0.3))
    assert greedy_says_the_same(sure)
    assert not greedy_says_the_same(unsure)  # another candidate was likelier
    assert not greedy_says_the_same(make_trace(ONE[:3], probabilities=[0.9] * 3))  # cut off: greedy may go on
