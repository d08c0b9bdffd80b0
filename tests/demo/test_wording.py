"""Text stays text, and near ties are told apart."""

from __future__ import annotations

import pytest

from demo.wording import plain, quoted, told_apart


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ((0.125, 0.119, 0.05), ["0.125", "0.119", "0.05"]),
        ((0.13, 0.12, 0.05), ["0.13", "0.12", "0.05"]),
        ((0.5, 0.2704, 0.2701, 0.26), ["0.50", "0.2704", "0.2701", "0.26"]),
        ((0.3, 0.3, 0.1), ["0.30", "0.30", "0.10"]),  # a tie
        ((0.30001, 0.3, 0.1), ["0.30", "0.30", "0.10"]),  # and one in all that is told
        ((0.0042, 0.0041), ["0.00", "0.00"]),
        ((), []),
    ],
)
def test_near_ties_have_the_digits_that_tell_them_apart(values: tuple[float, ...], told: list[str]) -> None:
    assert told_apart(values, [f"{value:.2f}" for value in values]) == told


def test_a_text_in_markdown_is_that_text() -> None:
    assert plain("a*b*\nc") == "a\\*b\\*↵c"
    assert quoted(" Hund") == "“Hund”" and quoted(" ") == "“ ”"
