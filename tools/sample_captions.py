"""What every shipped captioner says of every sample photo, as a table to copy: python tools/sample_captions.py [task/variant ...]"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from demo.given.photos import FOLDER, SAMPLES
from seq2seq_core import DecodeSettings, list_models, load
from seq2seq_core.inputs.photo import read_photo


def main(models: list[str]) -> None:
    captioners = [load(model) for model in models]
    print("| photo |", " | ".join(model.rpartition("/")[2] for model in models), "|")
    print("|---" * (len(models) + 1) + "|")
    for sample in SAMPLES:
        photo = read_photo(FOLDER / f"{sample.name}.jpg")
        said = [captioner.decode(photo, DecodeSettings(beam_size=5, candidates=1)).text() for captioner in captioners]
        print(f"| {sample.name} |", " | ".join(said), "|", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or [info.id for info in list_models() if info.task == "captioning"])
