"""How many of the rare words that a headline should keep it keeps: python tools/rare_words.py DATA MODEL...

A word is rare when it stands in at most one of the training pairs of the model's recipe. Counted are those that stand in a sentence
of the dev data and in the headline that people gave it: names, most of them, that the model cannot know.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from seq2seq_core.config import DecodeSettings
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.training.evaluation import decode_all, here
from seq2seq_core.training.intervals import difference_interval, interval
from seq2seq_core.training.metrics import Counts, Floats, caption_words
from seq2seq_core.training.readers import Pair
from seq2seq_core.training.recipe import read_recipe

ROOT = Path(__file__).resolve().parents[1]
MOST = 1  # training pairs that a rare word stands in


def rare(train: list[Pair], dev: list[Pair]) -> list[set[str]]:
    """Of each dev pair, the rare words of its sentence that its headline has too."""
    known = Counter(word for source, target, *_ in train for word in {*caption_words(source), *caption_words(target)})
    return [{word for word in {*caption_words(one[0])} & {*caption_words(one[1])} if known[word] <= MOST} for one in dev]


def kept(outputs: list[str], wanted: list[set[str]]) -> Counts:
    """[n, 2] of each headline: the rare words it has, and how many it should have."""
    rows = zip(outputs, wanted, strict=True)
    return np.array([[len(words & set(caption_words(output))), len(words)] for output, words in rows], dtype=np.int64)


def share(sums: Floats) -> Floats:
    return np.asarray(100.0 * sums[..., 0] / np.maximum(sums[..., 1], 1))


def main(data: Path, names: list[str]) -> None:
    recipe = read_recipe(ROOT / "configs" / "summary-additive.toml")
    train, dev = ([pair for entry in entries for pair in entry.read(data)] for entries in (recipe.train_data, recipe.dev_data))
    wanted = rare(train, dev)
    found: dict[str, Counts] = {}
    for name in names:
        inputs, settings = [pair[0] for pair in dev], DecodeSettings(hypotheses=1, candidates=1)
        found[name] = kept(
            decode_all(here(Pipeline.load(name)), inputs, settings, lambda _: None, lambda trace: trace.hypotheses[0].text), wanted
        )
        one = interval(found[name], share)
        kept_words, words = found[name].sum(axis=0)
        print(f"{name}: {kept_words} of {words}, {one.value:.1f} % [{one.low:.1f}, {one.high:.1f}]")
    first, *others = names
    for other in others:
        gap = difference_interval(found[other], found[first], share)
        print(f"{first} less {other}: {gap.value:.1f} [{gap.low:.1f}, {gap.high:.1f}]")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("models", nargs="+")
    arguments = parser.parse_args()
    main(arguments.data, arguments.models)
