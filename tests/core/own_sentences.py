"""Counts what translators make of our own sentences: names that arrive, and what careless typing costs.

python -m tests.core.own_sentences MODEL... prints the counts and every sentence in which a name or number is missing;
with --store before the models it keeps the counts, which a test compares with the floors.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from seq2seq_core.config import DecodeSettings
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.store.zoo import load
from seq2seq_core.training.evaluation import decode_all, here
from seq2seq_core.training.metrics import bleu

FOLDER = Path(__file__).parent / "shipped"
COUNTS = FOLDER / "own_sentences.json"
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


@dataclass(frozen=True, slots=True)
class Counts:
    """What a model makes of them."""

    weights: str  # the checksum of those that were counted
    names: int  # sentences with every name and number
    kept: float  # the share of its BLEU that careless typing leaves


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


def stored() -> dict[str, Counts]:
    """The counts by model."""
    return {model_id: Counts(**counts) for model_id, counts in json.loads(COUNTS.read_text(encoding="utf-8")).items()}


def store(model_id: str, counts: Counts) -> None:
    """One line a model."""
    found = {each: asdict(known) for each, known in stored().items()} | {model_id: asdict(counts)}
    lines = (f"  {json.dumps(each)}: {json.dumps(found[each])}" for each in sorted(found))
    COUNTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def count(model: Pipeline) -> tuple[Counts, str]:
    """With a report in words."""
    missing = names_missing(model)
    careful, careless = careless_scores(model)
    all_of_them = len(name_sentences())
    right = all_of_them - len(missing)
    lines = [f"{row.german} -> {output}   without {', '.join(names)}" for row, output, names in missing]
    said = f"{right} of {all_of_them} sentences have every name and number; typed carefully {careful:.1f} BLEU, carelessly {careless:.1f}"
    return Counts(model.card["sha256"], right, round(careless / careful, 3)), "\n".join([*lines, said])


def main(names: list[str]) -> None:
    for model_id in (one for one in names if one != "--store"):
        counts, said = count(load(model_id))
        print(f"{said}\n{model_id}")  # noqa: T201
        if "--store" in names:
            store(model_id, counts)


if __name__ == "__main__":
    main(sys.argv[1:])
