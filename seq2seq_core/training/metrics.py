"""Scores of outputs against references: BLEU, chrF, ROUGE, exact match, CER, word error, agreement and CIDEr-D.

BLEU, chrF, exact match and CER run from 0 to 100 (CER may pass it); CIDEr-D is on the scale where 0.5 is a usual caption model.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any
from unicodedata import normalize

import numpy as np
import numpy.typing as npt
import regex
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from seq2seq_core.errors import InputError

Counts = npt.NDArray[np.int64]  # [n, K]: what each sentence adds to the sums that a corpus score is made of
Floats = npt.NDArray[np.float64]
References = Sequence[str] | Sequence[Collection[str]]
NGrams = Counter[tuple[str, ...]]

ORDER = 4
CIDER_SIGMA = 6.0
_CAPTION_WORD = regex.compile(r"\w+(?:['\u2019-]\w+)*")


def bleu(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Cased sacreBLEU, tokenised as 13a."""
    _check_pairs(hypotheses, references)
    return float(BLEU(force=True).corpus_score(hypotheses, [references]).score)


def chrf(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    _check_pairs(hypotheses, references)
    return float(CHRF().corpus_score(hypotheses, [references]).score)


def exact(hypotheses: Sequence[str], references: References) -> float:
    """The share, in per cent, of outputs that equal a reference."""
    return float(exact_from(exact_stats(hypotheses, references).sum(axis=0)))


def exact_among(lists: Sequence[Sequence[str]], references: References) -> float:
    """The share, in per cent, of n-best lists that hold a reference (top-5 accuracy for lists of five)."""
    _check_pairs(lists, references)
    right = [any(_normal(output) in accepted for output in outputs) for outputs, accepted in zip(lists, _accepted(references), strict=True)]
    return 100.0 * sum(right) / len(right)


def cer(hypotheses: Sequence[str], references: References) -> float:
    """Edits in per cent of the reference's signs, summed over the corpus, each against its nearest reference.

    A sign is a character, or what stands between spaces where words are written so, as phonemes are.
    """
    _check_pairs(hypotheses, references)
    edits, length = 0, 0
    wanted = list(_accepted(references))
    signs: Callable[[str], Sequence[str]] = str.split if any(" " in one for accepted in wanted for one in accepted) else str
    for hypothesis, accepted in zip(hypotheses, wanted, strict=True):
        output = signs(_normal(hypothesis))
        distance, size = min((_edit_distance(output, signs(reference)), len(signs(reference))) for reference in sorted(accepted))
        edits, length = edits + distance, length + size
    return 100.0 * edits / max(length, 1)


def word_error(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Edits of whole words in per cent of the reference's words, summed over the corpus: digits of a spoken number."""
    return float(word_error_from(word_error_stats(hypotheses, references).sum(axis=0)))


def word_error_stats(hypotheses: Sequence[str], references: Sequence[str]) -> Counts:
    """[n, 2] per sentence: edits of whole words, and the reference's words."""
    _check_pairs(hypotheses, references)
    pairs = [(hypothesis.split(), reference.split()) for hypothesis, reference in zip(hypotheses, references, strict=True)]
    return np.array([[_edit_distance(*pair), len(pair[1])] for pair in pairs], dtype=np.int64)


def word_error_from(sums: npt.NDArray[Any]) -> Floats:
    """Edits in per cent of words, from summed statistics [..., 2]."""
    error: Floats = 100.0 * sums[..., 0] / np.maximum(sums[..., 1], 1)
    return error


def agreed(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Antol et al. 2015: an answer that three people or more gave is right, one that fewer gave in part. In per cent."""
    return 100.0 * float(agreed_each(hypotheses, references).mean())


def agreed_each(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
    """What each answer adds to it, from 0 to 1."""
    _check_pairs(hypotheses, references)
    votes = ([_normal(answer) for answer in several].count(_normal(one)) for one, several in zip(hypotheses, references, strict=True))
    return np.array([min(count / 3, 1.0) for count in votes])


def rouge(hypotheses: Sequence[str], references: Sequence[str]) -> tuple[float, float, float]:
    """ROUGE-1, ROUGE-2 and ROUGE-L (Lin 2004) as F1 of lower-cased words, averaged over the outputs, in per cent."""
    first, second, longest = rouge_each(hypotheses, references).mean(axis=0).tolist()
    return first, second, longest


def rouge_each(hypotheses: Sequence[str], references: Sequence[str]) -> Floats:
    """[n, 3] of each output, in per cent."""
    _check_pairs(hypotheses, references)
    rows = [_rouge_one(caption_words(one), caption_words(other)) for one, other in zip(hypotheses, references, strict=True)]
    return 100.0 * np.array(rows)


def _rouge_one(output: list[str], reference: list[str]) -> tuple[float, float, float]:
    shared = [(_ngrams(output, n) & _ngrams(reference, n)).total() for n in (1, 2)]
    sizes = [(max(len(output) - n, 0), max(len(reference) - n, 0)) for n in (0, 1)]
    one, two = (_f1(found, *both) for found, both in zip(shared, sizes, strict=True))
    return one, two, _f1(_common(output, reference), len(output), len(reference))


def _f1(shared: int, found: int, wanted: int) -> float:
    return 2.0 * shared / (found + wanted) if shared else 0.0


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(right) + 1)
    for word in left:
        diagonal = 0
        for place, other in enumerate(right, 1):
            diagonal, row[place] = row[place], diagonal + 1 if word == other else max(row[place], row[place - 1])
    return row[-1]


def caption_bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[float, float, float, float]:
    """Corpus BLEU-1 to BLEU-4 of lower-cased words without punctuation, unsmoothed, closest reference length."""
    sums = caption_stats(hypotheses, references).sum(axis=0)
    length, closest_length = float(sums[0]), float(sums[1])
    brevity = 0.0 if length == 0 else math.exp(min(0.0, 1.0 - closest_length / length))
    precisions = [float(right / total) if total else 0.0 for right, total in zip(sums[2:6], sums[6:], strict=True)]
    one, two, three, four = (100.0 * brevity * math.prod(precisions[:n]) ** (1.0 / n) for n in range(1, ORDER + 1))
    return one, two, three, four


def caption_stats(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Counts:
    """[n, 10] per caption, as `bleu_stats`: a matched n-gram counts as often as it is in any one reference."""
    _check_pairs(hypotheses, references)
    rows = np.zeros((len(hypotheses), 2 + 2 * ORDER), dtype=np.int64)
    for row, hypothesis, several in zip(rows, hypotheses, references, strict=True):
        words, others = caption_words(hypothesis), [caption_words(reference) for reference in several]
        closest = min((len(other) for other in others), key=lambda length: (abs(length - len(words)), length))
        row[:2] = len(words), closest
        for order in range(1, ORDER + 1):
            counts, most = _ngrams(words, order), Counter[tuple[str, ...]]()
            for other in others:
                most |= _ngrams(other, order)  # the largest count in any one reference
            row[1 + order] = (counts & most).total()
            row[1 + ORDER + order] = counts.total()
    return rows


def cider(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """CIDEr-D of a set of captions (Vedantam et al. 2015); document frequencies come from the references given."""
    return float(cider_each(hypotheses, references).mean())


def cider_each(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
    """CIDEr-D of each caption, with document frequencies from the references given."""
    return Cider(references).each(hypotheses, references)


class Cider:
    """CIDEr-D. An n-gram's weight is its count times log(images / images whose references hold it)."""

    def __init__(self, references: Sequence[Sequence[str]]) -> None:
        found = ({gram for reference in several for order in _orders(reference) for gram in order} for several in references)
        self.frequency = Counter(gram for grams in found for gram in grams)
        self.images = len(references)

    def each(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
        _check_pairs(hypotheses, references)
        return np.array([self._one(hypothesis, several) for hypothesis, several in zip(hypotheses, references, strict=True)])

    def _one(self, hypothesis: str, references: Sequence[str]) -> float:
        own, length = [self._weigh(order) for order in _orders(hypothesis)], len(caption_words(hypothesis))
        total = 0.0
        for reference in references:
            penalty = math.exp(-((length - len(caption_words(reference))) ** 2) / (2 * CIDER_SIGMA**2))
            orders = zip(own, _orders(reference), strict=True)
            total += penalty * sum(_clipped_cosine(vector, self._weigh(order)) for vector, order in orders) / ORDER
        return 10.0 * total / len(references)

    def _weigh(self, counts: NGrams) -> dict[tuple[str, ...], float]:
        return {gram: count * math.log(self.images / max(self.frequency[gram], 1)) for gram, count in counts.items()}


def _orders(caption: str) -> list[NGrams]:
    """The n-grams of a caption, from single words to fours."""
    words = caption_words(caption)
    return [_ngrams(words, n) for n in range(1, ORDER + 1)]


def bleu_stats(hypotheses: Sequence[str], references: Sequence[str]) -> Counts:
    """[n, 10] per sentence: output length, reference length, matched n-grams 1 to 4, n-grams 1 to 4."""
    _check_pairs(hypotheses, references)
    metric = BLEU(force=True, effective_order=True)  # effective order changes the sentence score alone, not its counts
    scores = [metric.sentence_score(hypothesis, [reference]) for hypothesis, reference in zip(hypotheses, references, strict=True)]
    return np.array([[score.sys_len, score.ref_len, *score.counts, *score.totals] for score in scores], dtype=np.int64)


def bleu_from(sums: npt.NDArray[Any]) -> Floats:
    """Corpus BLEU from summed statistics [..., 10], smoothed as sacreBLEU does (each empty order halves the last guess)."""
    sums = np.asarray(sums, dtype=np.float64)
    length, reference, right, total = sums[..., 0], sums[..., 1], sums[..., 2:6], sums[..., 6:10]
    with np.errstate(divide="ignore", invalid="ignore"):
        guess = 0.5 ** np.cumsum(right == 0, axis=-1)
        logs = np.log(np.where(right > 0, right, guess) / total).mean(axis=-1)
        brevity = np.minimum(0.0, 1.0 - reference / length)
        score = 100.0 * np.exp(logs + brevity)
    return np.where((total.min(axis=-1) > 0) & (right.max(axis=-1) > 0), score, 0.0)


def exact_stats(hypotheses: Sequence[str], references: References) -> Counts:
    """[n, 2] per sentence: 1 if it equals a reference, and 1."""
    _check_pairs(hypotheses, references)
    right = [_normal(hypothesis) in accepted for hypothesis, accepted in zip(hypotheses, _accepted(references), strict=True)]
    return np.array([[int(is_right), 1] for is_right in right], dtype=np.int64)


def exact_from(sums: npt.NDArray[Any]) -> Floats:
    """Exact match in per cent from summed statistics [..., 2]."""
    sums = np.asarray(sums, dtype=np.float64)
    return np.asarray(100.0 * sums[..., 0] / np.maximum(sums[..., 1], 1), dtype=np.float64)


def kind_and_sentence(text: str) -> tuple[str, str]:
    """What a model of clips says: a kind of event, and after a colon what happens."""
    kind, _, sentence = text.partition(":")
    return kind.strip(), sentence.strip()


def _check_pairs(outputs: Sequence[Any], references: Sequence[Any]) -> None:
    if not outputs or len(outputs) != len(references):
        raise InputError(f"There are {len(outputs)} outputs and {len(references)} references; there must be as many of both, at least 1.")
    if any(not reference and not isinstance(reference, str) for reference in references):
        raise InputError("An output has 0 references; each needs at least 1.")


def _normal(text: str) -> str:
    """One form for marks that can be written in two ways; scripts with combining marks need it."""
    return normalize("NFC", text)


def _accepted(references: References) -> Iterator[set[str]]:
    for several in references:
        yield {_normal(several)} if isinstance(several, str) else {_normal(reference) for reference in several}


def _edit_distance(left: Sequence[str], right: Sequence[str]) -> int:
    """Levenshtein distance, one row at a time."""
    row = list(range(len(right) + 1))
    for count, symbol in enumerate(left, 1):
        diagonal, row[0] = row[0], count
        for place, other in enumerate(right, 1):
            diagonal, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, diagonal + (symbol != other))
    return row[-1]


def caption_words(caption: str) -> list[str]:
    """The words that captions are scored by: lower-cased, without punctuation."""
    return list(_CAPTION_WORD.findall(caption.lower()))


def distinct(texts: Sequence[str], order: int = 2) -> float:
    """Of all runs of so many words in some outputs the share that are different ones (Li et al. 2016)."""
    runs = [run for text in texts for run in _ngrams(caption_words(text), order).elements()]
    return len(set(runs)) / max(1, len(runs))


def _ngrams(words: Sequence[str], order: int) -> NGrams:
    return Counter(tuple(words[start : start + order]) for start in range(len(words) - order + 1))


def _clipped_cosine(output: dict[tuple[str, ...], float], reference: dict[tuple[str, ...], float]) -> float:
    """Cosine in which an n-gram of the output weighs at most what it weighs in the reference."""
    norm = math.sqrt(sum(weight**2 for weight in output.values()) * sum(weight**2 for weight in reference.values()))
    if norm == 0.0:
        return 0.0
    return sum(min(weight, reference[gram]) * reference[gram] for gram, weight in output.items() if gram in reference) / norm
