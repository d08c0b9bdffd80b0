"""Where greedy and beam part: the step, the text before it, and the sentence about it."""

from __future__ import annotations

import pytest

from demo.blocks.parting import other_search, sentence, span
from seq2seq_core.config import DecodeSettings
from seq2seq_core.trace.differences import Parting, parting
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.traces import make_trace, text_source


def trace(tokens: list[str], chance: float = 0.5) -> DecodeTrace:
    return make_trace(tokens, text_source(["Ein", " Hund", " läuft"]), probabilities=[chance] * len(tokens))


GREEDY = trace([" A", " dog", " is", " here", "</s>"], 0.4)
BEAM = trace([" A", " dog", " runs", "</s>"], 0.5)


def found(one: DecodeTrace, other: DecodeTrace) -> Parting:
    there = parting(one, other)
    assert there is not None
    return there


def test_the_sentence_counts_from_one_and_compares_the_whole_outputs() -> None:
    said = sentence(found(GREEDY, BEAM), GREEDY, BEAM)
    assert said.startswith("They part at word 3, after “A dog”: greedy takes “is” (p = 0.40), ")
    assert "the beam’s best output has “runs” (p = 0.50). " in said
    assert f"{0.5**4 / 0.4**5:.3g} times as likely as the greedy one" in said


def test_the_place_is_counted_as_the_player_counts() -> None:
    one, other = trace([" A", " run", "ning", " dog", "</s>"]), trace([" A", " run", "ning", " cat", "</s>"])
    assert sentence(found(one, other), one, other).startswith("They part at word 3, after “A running”")
    assert sentence(found(one, other), one, other, words=False).startswith("They part at piece 4, after")


def test_at_the_first_step_there_is_nothing_before() -> None:
    other = trace([" The", "</s>"])
    assert "at the very beginning" in sentence(found(GREEDY, other), GREEDY, other)


def test_one_may_end_where_the_other_goes_on() -> None:
    short = trace([" A", " dog", "</s>"], 0.9)
    assert "the end sign (p = 0.90)" in sentence(found(short, BEAM), short, BEAM)
    assert "for its length" in sentence(found(short, BEAM), short, BEAM)


@pytest.mark.parametrize(("step", "word"), [(0, "A"), (1, "dog"), (2, "is"), (4, "")])
def test_the_marked_part_is_the_token(step: int, word: str) -> None:
    begin, end = span(GREEDY, step)
    assert GREEDY.text()[begin:end] == word


def test_what_is_compared_with_what() -> None:
    assert other_search(DecodeSettings(), 5, 0.7) == DecodeSettings(search="greedy")
    assert other_search(DecodeSettings(search="greedy"), 4, 0.5) == DecodeSettings(beam_size=4, length_penalty=0.5)
    assert other_search(DecodeSettings(beam_size=1), 5, 0.7) is None
    assert other_search(DecodeSettings(search="sample"), 5, 0.7) is None
