"""Careless typing: each kind by itself, and never a name that has to be copied."""

from __future__ import annotations

import random

import pytest

from seq2seq_core.training.careless import in_plain_letters, together, unfinished, with_slip, without_commas


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("Das gefällt mir.", "Das gefällt mir"),
        ("Wirklich?!", "Wirklich"),
        ("Er sagte: „Komm!“", "Er sagte: „Komm"),
        ("Na so was ...", "Na so was"),
        ("Um 8.30 Uhr", "Um 8.30 Uhr"),
        ("...", "..."),
    ],
)
def test_unfinished(typed: str, wanted: str) -> None:
    assert unfinished(typed) == wanted


def test_plain_letters_but_not_in_a_name_that_is_copied() -> None:
    assert in_plain_letters("Größe Österreichs", "The size of Austria") == "Groesse Oesterreichs"
    assert in_plain_letters("Frau Müller fährt.", "Ms. Müller is driving.") == "Frau Müller faehrt."


def test_commas_go_but_not_in_figures() -> None:
    assert without_commas("Ja, es kostet 3,50 Euro, glaube ich.") == "Ja es kostet 3,50 Euro glaube ich."


def test_a_slip_touches_one_word_by_one_letter_and_no_name() -> None:
    outcomes = {with_slip("Özge wohnt hier.", "Özge lives here.", random.Random(seed)) for seed in range(300)}
    assert "Özge wohtn hier." in outcomes and "Özge whnt hier." in outcomes and "Özge wohhnt hier." in outcomes
    for text in outcomes:
        first, *others = text.removesuffix(".").split(" ")
        assert first == "Özge"
        changed = [(word, old) for word, old in zip(others, ["wohnt", "hier"], strict=True) if word != old]
        assert len(changed) <= 1  # a swap of two like letters would change nothing
        assert all(abs(len(word) - len(old)) <= 1 and word[0] == old[0] for word, old in changed)


def test_what_was_cut_into_tokens_is_written_together() -> None:
    assert together("it is n't `` red '' , but blue .") == 'it isn\'t "red", but blue'


def test_nothing_to_slip_on() -> None:
    assert with_slip("Ja, du bist es, Tom.", "Tom bist", random.Random(1)) == "Ja, du bist es, Tom."
