"""Puts the tasks of bAbI into one file to learn from and one that is held back, by story: python tools/story_parts.py FOLDER OUT

FOLDER holds a file a task: story TAB question TAB answer TAB numbers of the sentences that tell it. OUT/train.tsv and OUT/dev.tsv have one
field more, the task. A story is held back by its hash, with everything that is asked about it; of those dev.tsv has 200 questions a task.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from seq2seq_core.training.readers import held_out, read_lines  # noqa: E402

DEV = 200  # questions a task


def main(folder: Path, out: Path) -> None:
    train: list[str] = []
    dev: list[str] = []
    for path in sorted(folder.glob("qa*.tsv"), key=lambda path: int(path.name.split("_")[0][2:])):
        lines = [f"{line}\t{path.name.split('.')[0]}" for line in read_lines(path)]
        held = [line for line in lines if held_out(line.split("\t")[0])]
        train += [line for line in lines if not held_out(line.split("\t")[0])]
        dev += dict.fromkeys(held[:: max(1, len(held) // DEV)][:DEV])
    out.mkdir(parents=True, exist_ok=True)
    for name, rows in (("train", train), ("dev", dev)):
        (out / f"{name}.tsv").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    print(f"{len(train):,} to learn from, {len(dev):,} held back")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
