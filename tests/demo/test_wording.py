"""How texts, tokens and numbers are written."""

from __future__ import annotations

import pytest

from demo.wording import called, chance, change, closed, listed, piece, plain, quoted, shortened, signed, token, told_apart


@pytest.mark.parametrize(
    ("p", "shown"),
    [(1.0, "1.00"), (0.234, "0.23"), (0.0999, "0.10"), (0.0454, "0.045"), (0.07, "0.070"), (0.00012, "0.00012"), (3.2e-5, "3·10⁻⁵"),
     (9.9e-6, "1·10⁻⁵"), (2.1e-12, "2·10⁻¹²"), (0.0, "0")],
)  # fmt: skip
def test_probabilities_are_written_with_the_figures_that_count(p: float, shown: str) -> None:
    assert chance(p) == shown


def test_pieces_inside_a_word_are_marked() -> None:
    assert [piece(text) for text in (" run", "ning", ".", "</s>", " ")] == ["run", "·ning", ".", "end", "␣"]
    assert [token(text) for text in (" run", "ning", "</s>", " ")] == ["run", "ning", "end", "␣"]
    assert [called(" run"), called("</s>"), called("</s>", "the end sign")] == ["“run”", "the end", "the end sign"]


def test_numbers_have_a_true_minus_and_nothing_has_a_sign_that_is_none() -> None:
    assert [signed(number) for number in (-1.234, 0.5, -0.001, -0.0)] == ["−1.23", "0.50", "0.00", "0.00"]
    assert [change(number) for number in (-1.26, 0.5, -0.04)] == ["−1.3", "+0.5", "0.0"]


def test_sentences_end_once() -> None:
    assert [closed("It says “Yes”"), closed("It says “Yes.”"), closed(quoted("Ja?"))] == ["It says “Yes”.", "It says “Yes.”", "“Ja\\?”"]
    assert [listed(["a"]), listed(["a", "b", "c"])] == ["a", "a, b and c"]


def test_a_visitors_text_is_no_markup() -> None:
    assert plain("**a** [b](c)\n<i>") == "\\*\\*a\\*\\* \\[b\\]\\(c\\)↵\\<i\\>"


@pytest.mark.parametrize(("text", "label"), [("kurz", "kurz"), ("Eine Frau in einem roten Mantel liest.", "Eine Frau in einem roten …")])
def test_long_examples_have_short_labels(text: str, label: str) -> None:
    assert shortened(text) == label


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
