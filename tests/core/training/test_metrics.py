from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from seq2seq_core.errors import InputError
from seq2seq_core.training.intervals import buckets, difference_interval, interval, length_edges
from seq2seq_core.training.metrics import (
    agreed,
    bleu,
    bleu_from,
    bleu_stats,
    caption_bleu,
    cer,
    chrf,
    cider,
    cider_each,
    distinct,
    exact,
    exact_among,
    exact_from,
    exact_stats,
    rouge,
    rouge_each,
    word_error,
)

WORDS = ["the", "dog", "runs", "to", "a", "house", "."]
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


def noisy_corpus(count: int, noise: float, seed: int = 0) -> tuple[list[str], list[str]]:
    rng = np.random.default_rng(seed)
    references = [" ".join(rng.choice(WORDS, size=rng.integers(5, 15))) for _ in range(count)]
    outputs = [" ".join(rng.choice(WORDS) if rng.random() < noise else word for word in line.split()) for line in references]
    return outputs, references


def test_bleu_is_cased_and_tokenised() -> None:
    assert bleu(["The dog runs to a house."], ["The dog runs to a house."]) == pytest.approx(100.0)
    assert bleu(["the dog runs to a house ."], ["The dog runs to a house."]) < 90
    assert bleu(["The dog runs to a house ."], ["The dog runs to a house."]) == pytest.approx(100.0)


def test_chrf_runs_from_0_to_100() -> None:
    assert chrf(["Hund"], ["Hund"]) == pytest.approx(100.0)
    assert chrf(["xyz"], ["Hund"]) == 0.0


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=6))
def test_bleu_from_counts_is_sacrebleu(pairs: list[tuple[str, str]]) -> None:
    outputs, references = [list(side) for side in zip(*pairs, strict=True)]
    expected = BLEU(force=True).corpus_score(outputs, [references]).score
    assert float(bleu_from(bleu_stats(outputs, references).sum(axis=0))) == pytest.approx(expected, abs=1e-9)


def test_exact_takes_any_reference_in_either_normal_form() -> None:
    assert exact(["a", "b", "c", "e\u0301"], [["a", "x"], {"x"}, "c", "é"]) == 75.0
    assert exact(["b"], ["abc"]) == 0.0
    assert exact_among([["x", "b"], ["x", "y"]], [["a", "b"], ["z"]]) == 50.0


def test_cer_counts_edits_against_the_nearest_reference() -> None:
    assert cer(["kitten"], ["sitting"]) == pytest.approx(100 * 3 / 7)
    assert cer(["ab", ""], [["xy", "abc"], "d"]) == pytest.approx(100 * 2 / 4)
    assert cer(["abc"], ["abc"]) == 0.0
    assert cer(["aaaa"], ["b"]) == pytest.approx(400.0)


def test_cer_counts_phonemes_where_signs_are_written_with_spaces_between() -> None:
    assert cer(["N AH M"], [["N OW M AH", "N AH M B"]]) == pytest.approx(100 * 1 / 4)


def test_caption_bleu_by_hand() -> None:
    # Five of the six words occur in a reference; "the" twice in one of them. Pairs: 3 of 5, triples: 1 of 4, fours: 0 of 3.
    output = "The cat sat on the rug ."
    references = ["the cat is on the mat", "a cat sat on a mat today"]
    scores = caption_bleu([output], [references])
    # closest reference length is 6, the output's own: no brevity penalty. Pairs: "the cat", "cat sat", "sat on", "on the".
    one, two, three = 5 / 6, 4 / 5, 1 / 4
    assert scores[0] == pytest.approx(100 * one)
    assert scores[1] == pytest.approx(100 * math.sqrt(one * two))
    assert scores[2] == pytest.approx(100 * (one * two * three) ** (1 / 3))
    assert scores[3] == 0.0


def test_caption_bleu_clips_by_one_reference_and_punishes_shortness() -> None:
    assert caption_bleu(["the the the"], [["the cat runs", "the dog and the"]])[0] == pytest.approx(100 * 2 / 3)
    assert caption_bleu(["a dog"], [["a dog runs"]])[0] == pytest.approx(100 * math.exp(1 - 3 / 2))
    assert caption_bleu([""], [["a dog"]]) == (0.0, 0.0, 0.0, 0.0)
    # 2 is as far from 3 as 4 is: the shorter counts, so there is no penalty
    assert caption_bleu(["a b c"], [["a b", "a b c d"]])[0] == pytest.approx(100.0)


def test_cider_by_hand() -> None:
    # Two images with one reference each; no n-gram is in both, so every idf is log 2 and cancels in the cosine.
    references = [["red ball"], ["old dog sleeps"]]
    scores = cider_each(["red ball", "old cat sleeps"], references)
    assert scores[0] == pytest.approx(10 * (1 + 1) / 4)  # orders 1 and 2 agree wholly, 3 and 4 do not exist
    # Words: "cat" is in no reference, idf log(2 / 1); 2 of 3 agree: cosine 2/3. No pair agrees.
    assert scores[1] == pytest.approx(10 * (2 / 3) / 4)
    assert cider(["red ball", "old cat sleeps"], references) == pytest.approx(scores.mean())


def test_cider_weighs_by_rarity_clips_and_punishes_length() -> None:
    # "a" is in both images' references: it weighs nothing.
    references = [["a ball"], ["a dog"]]
    scores = cider_each(["a", "a dog dog dog"], references)
    assert scores[0] == 0.0
    penalty = math.exp(-(2**2) / (2 * 6**2))
    # Words: output weighs dog 3, reference 1, clipped to 1: cosine 1*1 / (3*1). Pairs: "a dog" of {"a dog": 1, "dog dog": 2}.
    assert scores[1] == pytest.approx(10 * penalty * (1 / 3 + 1 / math.sqrt(5)) / 4)


def test_cider_averages_references_and_counts_images_not_captions() -> None:
    references = [["red ball", "red ball"], ["blue hat"], ["green tree"]]
    scores = cider_each(["red ball", "blue hat", "blue hat"], references)
    assert scores[:2] == pytest.approx([5.0, 5.0])
    assert scores[2] == 0.0
    # "red" is in two captions of one image: it is as rare as "ball" and "hat", so half of the words agree with the second reference.
    mixed = cider_each(["red ball", "x", "x"], [["red ball", "red hat"], ["blue sky"], ["green tree"]])
    assert mixed[0] == pytest.approx(10 * (2 / 4 + 1 / 2 / 4) / 2)
    half = cider_each(["red ball", "blue hat"], [["red ball", "old dog"], ["blue hat"]])
    assert half[0] == pytest.approx(2.5)


def test_an_interval_holds_the_score_and_repeats_by_seed() -> None:
    stats = bleu_stats(*noisy_corpus(150, 0.3))
    found = interval(stats)
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(float(bleu_from(stats.sum(axis=0))))
    assert interval(stats) == found
    assert interval(stats, seed=1) != found
    wider = interval(stats[:30])
    assert wider.high - wider.low > found.high - found.low


def test_an_interval_of_a_share_is_the_binomial_one() -> None:
    stats = np.array([[int(number < 120), 1] for number in range(400)])
    found = interval(stats, exact_from)
    error = 196 * math.sqrt(0.3 * 0.7 / 400)
    assert found.value == pytest.approx(30.0)
    assert (found.low, found.high) == pytest.approx((30 - error, 30 + error), abs=0.7)


def test_pairing_makes_a_difference_narrow() -> None:
    worse, references = noisy_corpus(200, 0.3)
    better = [reference if number % 8 == 0 else output for number, (output, reference) in enumerate(zip(worse, references, strict=True))]
    stats_a, stats_b = bleu_stats(worse, references), bleu_stats(better, references)
    found = difference_interval(stats_a, stats_b)
    assert 0 < found.low < found.value < found.high
    assert found.value == pytest.approx(interval(stats_b).value - interval(stats_a).value)
    unpaired = interval(stats_a)
    assert found.high - found.low < unpaired.high - unpaired.low
    same = difference_interval(stats_a, stats_a)
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)
    with pytest.raises(InputError, match="200 and 10 sentences"):
        difference_interval(stats_a, stats_b[:10])


@given(st.lists(st.integers(1, 60), min_size=1, max_size=80), st.integers(1, 6))
def test_length_edges_begin_at_the_shortest_and_increase(lengths: list[int], parts: int) -> None:
    edges = length_edges(lengths, parts)
    assert edges[0] == min(lengths)
    assert edges == sorted(set(edges))
    assert set(edges) <= set(lengths)
    assert len(edges) <= parts


def test_length_edges_are_quarters() -> None:
    assert length_edges(list(range(1, 101))) == [1, 26, 51, 76]
    assert length_edges([5] * 9) == [5]
    assert length_edges([1] * 30 + [2] * 30 + [3] * 30 + [9] * 10) == [1, 2, 3]


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=50), st.lists(st.integers(1, 40), min_size=1, max_size=5, unique=True).map(sorted))
def test_every_sentence_is_in_one_bucket(lengths: list[int], edges: list[int]) -> None:
    stats = np.ones((len(lengths), 2), dtype=np.int64)
    rows = buckets(lengths, stats, edges, "exact", exact_from, resamples=5)
    assert sum(row["n"] or 0 for row in rows) == len(lengths)
    for row in rows:
        assert row["n"] == sum(row["from"] <= length <= row["to"] for length in lengths)  # type: ignore[operator]


def test_buckets_score_their_own_sentences() -> None:
    outputs, references = noisy_corpus(60, 0.3)
    lengths = [len(reference.split()) for reference in references]
    stats = bleu_stats(outputs, references)
    rows = buckets(lengths, stats, [5, 10, 30])
    short = [number for number, length in enumerate(lengths) if length < 10]
    assert list(rows[0]) == ["from", "to", "n", "bleu", "low", "high"]
    assert (rows[0]["from"], rows[0]["to"], rows[0]["n"]) == (5, 9, len(short))
    assert rows[0]["bleu"] == pytest.approx(bleu([outputs[number] for number in short], [references[number] for number in short]))
    assert rows[2] == {"from": 30, "to": 30, "n": 0, "bleu": None, "low": None, "high": None}
    with pytest.raises(InputError, match="must be increasing"):
        buckets(lengths, stats, [9, 5])
    with pytest.raises(InputError, match="59 lengths and 60 sentences"):
        buckets(lengths[1:], stats, [5])


def test_memory_of_the_bootstrap_does_not_change_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    stats = exact_stats(["a", "b"] * 20, ["a", "c"] * 20)
    whole = interval(stats, exact_from, resamples=101)
    monkeypatch.setattr("seq2seq_core.training.intervals._DRAWS_AT_ONCE", 90)
    assert interval(stats, exact_from, resamples=101) == whole


def test_uneven_or_empty_input_is_refused() -> None:
    with pytest.raises(InputError, match="There are 1 outputs and 2 references"):
        bleu(["a"], ["a", "b"])
    with pytest.raises(InputError, match="There are 0 outputs"):
        chrf([], [])
    with pytest.raises(InputError, match="An output has 0 references"):
        cider(["a"], [[]])
    with pytest.raises(InputError, match="There are 0 sentences"):
        interval(np.zeros((0, 10), dtype=np.int64))
    with pytest.raises(InputError, match="There are 0 lengths"):
        length_edges([])


def test_rouge_counts_words_pairs_and_the_longest_common_row() -> None:
    """By hand: output of 5 words, reference of 4; shared words 3, shared pairs 1, longest common subsequence 3."""
    first, second, longest = rouge(["The cat sat down there."], ["the cat lay there"])
    assert (first, second, longest) == pytest.approx((100 * 6 / 9, 100 * 2 / 7, 100 * 6 / 9))
    assert rouge(["", "same words"], ["a", "same words"]) == pytest.approx((50, 50, 50))
    assert rouge_each(["", "same words"], ["a", "same words"]).tolist() == [[0, 0, 0], [100, 100, 100]]


def test_word_error_counts_edits_of_words_over_all_references() -> None:
    assert word_error(["three five", "one", "two two nine"], ["three five nine", "one", "two nine"]) == pytest.approx(100 * 2 / 6)


def test_an_answer_that_three_people_gave_is_right() -> None:
    votes = ["yes"] * 3 + ["no"] + ["maybe"] * 2
    assert agreed(["yes", "no", "maybe", "never"], [votes] * 4) == pytest.approx(100 * (1 + 1 / 3 + 2 / 3 + 0) / 4)


def test_distinct_is_the_share_of_runs_that_are_different() -> None:
    assert distinct(["I don't know.", "I don't know!"]) == 0.5  # i don't, don't know: each twice
    assert distinct(["one two three", "yes"]) == 1
    assert distinct(["one one one"], 1) == pytest.approx(1 / 3)
    assert distinct([]) == 0
