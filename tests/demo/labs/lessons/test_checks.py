"""Every check of the lessons against traces made by hand: the right answer, and the numbers in the sentence."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from demo.labs.lessons.checks import Check
from demo.labs.lessons.kinds import find, quarters
from demo.labs.lessons.measures import MEASURES
from seq2seq_core.errors import InputError
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.traces import image_source, make_trace, text_source


def trace(said: str = " A dog runs", *, rows: list[list[float]] | None = None, p: tuple[float, ...] = (), end: bool = True) -> DecodeTrace:
    """One token a word; the source has four."""
    target = [f" {word}" for word in said.split()] + (["</s>"] if end else [])
    weights = None
    if rows is not None:
        weights = np.array(rows + [[0.25] * 4] * (len(target) - len(rows)), dtype=np.float32)[:, None]
    source = text_source([" Der", " Hund", " läuft", "."])
    return make_trace(target, source, attention=weights, probabilities=p or None)


ROWS = [[0.7, 0.2, 0.1, 0.0], [0.1, 0.8, 0.1, 0.0], [0.0, 0.6, 0.4, 0.0]]


def test_looks_at_finds_the_largest_weight_of_the_words_row() -> None:
    found = find({"a": trace(rows=ROWS)}, Check("looks at", word="dog"))
    assert found.options == ("Der", "Hund", "läuft", ".")
    assert found.right == (1,)
    assert found.step == 2
    assert "“Hund” has 0.80" in found.said
    assert "“Der” with 0.10" in found.said
    assert found.is_right(1)
    assert not found.is_right(0)
    assert find({"a": trace(rows=ROWS)}, Check("looks at", word=1)).names == {"word": "A"}


def test_looks_at_takes_either_of_two_equal_weights() -> None:
    found = find({"a": trace(rows=[[0.5, 0.5, 0.0, 0.0]])}, Check("looks at", word=1))
    assert found.right == (0, 1)
    assert found.expected == "Der or Hund"


@pytest.mark.parametrize(("word", "why"), [("cat", "without “cat”"), (4, "has 3 words, not 4")])
def test_a_word_that_is_not_there_cannot_be_asked_about(word: str | int, why: str) -> None:
    with pytest.raises(InputError, match=f"{why}.*cannot be asked here"):
        find({"a": trace()}, Check("looks at", word=word))


def test_quarters_of_a_photo_share_the_middle() -> None:
    row = np.zeros(9, dtype=np.float32)
    row[4] = 1
    assert quarters(row, (3, 3)).tolist() == [0.25] * 4
    weights = np.array([[[0.1, 0.6, 0.2, 0.1]]] * 2, dtype=np.float32)
    photo = make_trace([" cat", "</s>"], image_source(2, 2, (10, 10)), attention=weights, task="captioning")
    found = find({"soft": photo}, Check("looks at", word="cat"))
    assert found.expected == "top right"


def test_a_model_without_a_map_is_not_asked_where_it_looks() -> None:
    none = make_trace([" A", "</s>"], text_source([" Ein"]), heads=0, model_id="translation/none")
    for check in (Check("looks at"), Check("left to right"), Check("number", measure="entropy"), Check("which word", measure="entropy")):
        with pytest.raises(InputError, match="translation/none has no attention rows"):
            find({"none": none}, check)


def test_best_output_is_the_first_hypothesis() -> None:
    one = trace(" It is so")
    best = one.hypotheses[0]
    many = replace(
        one, hypotheses=(best, replace(best, text="Is it so", score=best.score - 1), replace(best, text="A", score=best.score - 2))
    )
    found = find({"beam": many}, Check("best output"))
    assert found.options == ("A", "Is it so", "It is so")
    assert found.expected == "It is so"
    assert found.said.index("It is so") < found.said.index("Is it so")
    with pytest.raises(InputError, match="single output"):
        find({"beam": one}, Check("best output"))


def test_same_outputs() -> None:
    same = find({"one": trace("A"), "two": trace("A")}, Check("same outputs"))
    other = find({"one": trace("A"), "two": trace("B"), "three": trace("A")}, Check("same outputs"))
    assert (same.expected, other.expected) == ("They are the same", "They differ")
    assert "“B” (two)" in other.said


@pytest.mark.parametrize(("which", "right"), [("highest", "likely"), ("lowest", "not")])
def test_higher_compares_a_measure(which: str, right: str) -> None:
    traces = {"likely": trace("A", p=(0.9, 0.9)), "not": trace("A", p=(0.5, 0.5))}
    found = find(traces, Check("higher", measure="log-probability", which=which))
    assert found.expected == right
    assert f"{2 * math.log(0.9):.2f}".replace("-", "−") in found.said


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("log-probability", 4 * math.log(0.5)),
        ("log-probability per token", math.log(0.5)),
        ("tokens", 4),
        ("words", 3),
        ("perplexity", 2),
        ("entropy", 1.0),
        ("largest entropy", 2.0),
        ("largest weight", 0.5),
        ("coverage", 0.5),
        ("positions", 4),
        ("positions used", 2),
        ("chrF", 100),
    ],
)
def test_measures(measure: str, value: float) -> None:
    one = trace(p=(0.5,) * 4, rows=[[0.5, 0.5, 0.0, 0.0]] * 4)
    assert MEASURES[measure].of(one, "A dog runs") == pytest.approx(value, abs=1e-5)


def test_a_glimpse_uses_one_position() -> None:
    hard = make_trace([" A", "</s>"], text_source([" Ein", " Hund"]), glimpses=(0, 1))
    assert MEASURES["positions used"].of(hard, "") == 1
    assert set(MEASURES) >= {"score"}
    assert MEASURES["score"].of(hard, "") == hard.hypotheses[0].score


def test_number_is_right_within_what_is_allowed() -> None:
    found = find({"a": trace(rows=ROWS)}, Check("number", measure="largest entropy", within=0.1))
    assert found.is_right(2.1)
    assert found.is_right(1.9)
    assert not found.is_right(2.2)
    assert "2.00 bit" in found.said


def test_next_word_is_the_best_candidate_after_the_beginning() -> None:
    found = find({"a": trace("A dog runs", p=(0.9, 0.1, 0.9, 0.9))}, Check("next word", at=2))
    assert found.expected == "a"
    assert set(found.options) == {"a", "the", "it", "dog"}
    assert "After “A”" in found.said
    assert "0.45 for “a”" in found.said
    assert list(found.options) == sorted(found.options)
    with pytest.raises(InputError, match="ends before step 9"):
        find({"a": trace()}, Check("next word", at=9))


@pytest.mark.parametrize(("typed", "right"), [("a DOG runs!", True), ("  A  dog runs ", True), ("A dog ran", False)])
def test_a_prediction_is_compared_without_case_and_punctuation(typed: str, right: bool) -> None:
    assert find({"a": trace()}, Check("output text")).is_right(typed) is right


def test_signs_of_indian_scripts_are_no_punctuation() -> None:
    word = make_trace(list("कि") + ["</s>"], text_source(["k", "i"], graphemes=True), task="transliteration")
    found = find({"a": word}, Check("output text"))
    assert found.is_right("कि")
    assert not found.is_right("क")


@pytest.mark.parametrize(
    ("second", "answer"), [("A dog runs", "nowhere"), ("A cat runs", "dog"), ("A dog runs home", "only at the end"), ("A dog", "runs")]
)
def test_parts_at(second: str, answer: str) -> None:
    # both traces number their tokens by themselves, so the first token that differs in number or text parts them
    assert find({"one": trace("A dog runs"), "two": trace(second)}, Check("parts at")).expected == answer


def test_left_to_right_names_the_step_back() -> None:
    forward = find({"a": trace(rows=ROWS)}, Check("left to right"))
    back = find({"a": trace(rows=[ROWS[1], ROWS[0]])}, Check("left to right"))
    assert (forward.expected, back.expected) == ("Yes", "No")
    assert "at “dog”: from “Hund” to “Der”" in back.said


def test_which_word() -> None:
    one = trace(p=(0.9, 0.2, 0.5, 0.01), rows=ROWS)
    assert find({"a": one}, Check("which word", measure="probability", which="lowest")).expected == "dog"  # the end sign is no word
    assert find({"a": one}, Check("which word", measure="probability")).expected == "A"
    entropy = find({"a": one}, Check("which word", measure="entropy"))
    assert entropy.expected == "A"
    assert "1.16 bit" in entropy.said


def test_says() -> None:
    assert find({"a": trace()}, Check("says", word="Dog")).expected == "Yes"
    assert find({"a": trace()}, Check("says", word="do")).expected == "No"


def test_words_that_come_again_are_told_apart() -> None:
    found = find({"a": trace("to be or not to be", p=(0.9,) * 6 + (0.5,))}, Check("which word", measure="probability"))
    assert found.options == ("to (no. 1)", "be (no. 1)", "or", "not", "to (no. 2)", "be (no. 2)")
