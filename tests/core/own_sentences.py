"""Counts what translators make of our own sentences: names that arrive, and what careless typing costs.

python -m tests.core.own_sentences MODEL... prints the counts and every sentence in which a name or number is missing.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from seq2seq_core.config import DecodeSettings
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.store.zoo import load
from seq2seq_core.training.evaluation import decode_all, here
from seq2seq_core.training.metrics import bleu

FOLDER = Path(__file__).parent / "shipped"
BEST = DecodeSettings(beam_size=5, candidates=1)


@dataclass(frozen=True, slots=True)
class NameSentence:
    """A German sentence, one translation of it, and what must stand in any: each a choice of spellings."""

    german: str
    english: str
    wanted: tuple[tuple[str, ...], ...]

    def missing(self, output: str) -> list[str]:
        """Those that are not there as words of their own; three at the beginning of a sentence is Three."""
        text = f"{output[:1].lower()}{output[1:]} {output}"
        return [choice[0] for choice in self.wanted if not any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) for form in choice)]


@dataclass(frozen=True, slots=True)
class CarelessSentence:
    """The same German sentence twice, and its translation."""

    careful: str
    careless: str
    english: str


def name_sentences() -> list[NameSentence]:
    rows = [line.split("\t") for line in (FOLDER / "names.tsv").read_text(encoding="utf-8").splitlines()]
    return [NameSentence(de, en, tuple(tuple(choice.split("|")) for choice in wanted.split(", "))) for de, en, wanted in rows]


def careless_sentences() -> list[CarelessSentence]:
    return [CarelessSentence(*line.split("\t")) for line in (FOLDER / "careless.tsv").read_text(encoding="utf-8").splitlines()]


def translate(model: Pipeline, sources: list[str]) -> list[str]:
    return decode_all(here(model), sources, BEST, lambda _: None, lambda trace: trace.text())


def names_missing(model: Pipeline) -> list[tuple[NameSentence, str, list[str]]]:
    """The sentences in which something is missing, with the output and what is missing in it."""
    rows = name_sentences()
    outputs = translate(model, [row.german for row in rows])
    found = [(row, output, row.missing(output)) for row, output in zip(rows, outputs, strict=True)]
    return [entry for entry in found if entry[2]]


def careless_scores(model: Pipeline) -> tuple[float, float]:
    """BLEU of the careful sentences and of the careless ones."""
    rows = careless_sentences()
    references = [row.english for row in rows]
    careful, careless = (translate(model, sources) for sources in ([row.careful for row in rows], [row.careless for row in rows]))
    return bleu(careful, references), bleu(careless, references)


def report(model_id: str) -> str:
    model = load(model_id)
    missing = names_missing(model)
    careful, careless = careless_scores(model)
    count = len(name_sentences())
    lines = [f"{row.german} -> {output}   without {', '.join(names)}" for row, output, names in missing]
    right = f"{count - len(missing)} of {count} sentences have every name and number"
    return "\n".join([*lines, f"{model_id}: {right}; typed carefully {careful:.1f} BLEU, carelessly {careless:.1f}"])


if __name__ == "__main__":
    for one in sys.argv[1:]:
        print(report(one))  # noqa: T201
