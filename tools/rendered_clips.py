"""Writes held-out rendered clips as folders of frames with a table, for `evaluate MODEL --data OUT/clips.tsv --files OUT`.

python tools/rendered_clips.py OUT [--count 1000] [--unseen pair|order]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core.inputs.events import film
from seq2seq_core.training.clips import DEV, SEEDS, rendered


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--unseen", choices=list(SEEDS), default="", help="those that are never trained")
    given = parser.parse_args()
    rows = []
    for index in range(given.count):
        story, seed = rendered(DEV, given.unseen, index)
        folder = given.out / f"{index:05}"
        folder.mkdir(parents=True, exist_ok=True)
        for place, frame in enumerate(film(story, seed).frames):
            Image.fromarray(frame).save(folder / f"{place:02}.png")
        rows.append(f"{folder.name}\t{story.told()}\n")
    (given.out / "clips.tsv").write_text("".join(rows), encoding="utf8")


if __name__ == "__main__":
    main()
