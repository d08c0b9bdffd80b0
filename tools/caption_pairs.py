"""Writes pairs of captions, of one photo or of two: python tools/caption_pairs.py CAPTIONS.tsv... OUT.tsv

Lines `caption TAB caption TAB alike | unlike`, to learn beside entailment what may be said of one scene. The other photo's caption is
the one of thirty drawn that shares most words, or else anybody could tell.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core.training.metrics import caption_words
from seq2seq_core.training.readers import read_captions

SEED, DRAWN = 1, 30


def pairs(photos: list[list[str]]) -> Iterator[tuple[str, str, str]]:
    """Of each photo with several captions one pair that belongs together and one that does not."""
    rng = random.Random(SEED)
    words = [[set(caption_words(caption)) for caption in captions] for captions in photos]
    for place, captions in enumerate(photos):
        if len(captions) < 2:
            continue
        first, second = rng.sample(range(len(captions)), 2)
        yield captions[first], captions[second], "alike"
        others = [(other, rng.randrange(len(photos[other]))) for other in rng.sample(range(len(photos)), DRAWN) if other != place]
        other, which = max(others, key=lambda found: len(words[found[0]][found[1]] & words[place][first]))
        yield captions[first], photos[other][which], "unlike"


def main(tables: list[Path], out: Path) -> None:
    photos = [captions for table in tables for captions in read_captions(table, "train").values()]
    lines = ["\t".join(" ".join(part.split()) for part in row) + "\n" for row in pairs(photos)]
    random.Random(SEED).shuffle(lines)
    out.write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines):,} pairs")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    main(arguments.tables, arguments.out)
