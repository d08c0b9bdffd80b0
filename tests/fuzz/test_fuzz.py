"""A hundredth of `make fuzz`: whatever is given, there is an answer or a sentence."""

from __future__ import annotations

import random

import pytest

from seq2seq_core.errors import InputError
from tests.fuzz.__main__ import Outcome, run_area, run_case, wrong_with
from tests.fuzz.areas import AREAS


@pytest.mark.filterwarnings("ignore")  # Pillow remarks on the damage
@pytest.mark.parametrize("area", AREAS)
def test_whatever_is_given_there_is_an_answer_or_a_sentence(area: str) -> None:
    outcome = run_area(area, AREAS[area][1] // 100, seed=0)
    assert not outcome.bad, "\n".join(f"{area}, case {number}: {what}" for number, what in outcome.bad)
    assert outcome.answers + outcome.sentences == AREAS[area][1] // 100


def test_a_fault_is_found_and_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(draw: random.Random) -> None:
        if draw.random() < 0.5:
            raise InputError("line" if draw.random() < 0.5 else "The sentence is short.")
        raise ZeroDivisionError

    monkeypatch.setitem(AREAS, "texts", (fails, 100))
    outcome, again = run_area("texts", 100, seed=3), Outcome()
    kinds = [sum("ZeroDivisionError" in what for _, what in outcome.bad), sum("end like" in what for _, what in outcome.bad)]
    assert min(kinds) > 10 and outcome.sentences + sum(kinds) == 100 and outcome.answers == 0
    run_case("texts", outcome.bad[0][0], 3, again)
    assert again.bad == outcome.bad[:1]


def test_what_counts_as_a_sentence() -> None:
    assert wrong_with("The text is empty; type something.") == ""
    assert wrong_with("two\nlines.") == wrong_with("x" * 201 + ".") == wrong_with("") == "not one line"
