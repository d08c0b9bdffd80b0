"""Store what every shipped model answers to the sentences of tests/core/shipped, for the test that notices a change.

python tools/store_answers.py [TASK/VARIANT ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core.store.zoo import list_models
from tests.core.shipped_answers import FOLDER, answers, store


def main(names: list[str]) -> None:
    for info in list_models():
        if (FOLDER / f"{info.task}.txt").exists() and (not names or info.id in names):
            found = answers(info.id)
            store(info.id, found)
            print(f"{info.id}: {len(found)} answers")


if __name__ == "__main__":
    main(sys.argv[1:])
