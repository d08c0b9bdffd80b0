"""Everything a captioner's card says, and what photos lose as people upload them: python tools/caption_scores.py captioning/soft DATA

First `evaluate --recipe`, which writes the scores of COCO dev, Flickr8k dev and the dev photos at their original size into model.json. Then
the same photos squashed to 256 x 256, as the others of COCO are, and by how much the originals are ahead of them. DATA is laid out as the
recipes say. A model may be a folder too ("ship/soft"): its last part names the recipe.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core.__main__ import main as command
from seq2seq_core.commands import record
from seq2seq_core.config import DecodeSettings
from seq2seq_core.store.zoo import find, load
from seq2seq_core.tasks import TASKS
from seq2seq_core.trace.trace import DecodeTrace
from seq2seq_core.training.evaluation import decode_all, differences, evaluate, here
from seq2seq_core.training.named_files import inputs_of
from seq2seq_core.training.readers import Row, read_captions

RECIPES = Path(__file__).resolve().parents[1] / "configs"
ORIGINALS, AS_UPLOADED, SQUASHED = "originals.tsv", "originals", "photos"  # in the folder coco
NAME = "COCO dev, the same photos squashed"


def best(trace: DecodeTrace) -> list[str]:
    return [trace.text()]


def main(model: str, data: Path, cache: Path | None, beam: int) -> int:
    recipe = RECIPES / f"captioning-{Path(model).name}.toml"
    kept = ["--cache", str(cache)] if cache else []
    failed = command(["evaluate", model, "--recipe", str(recipe), "--data", str(data), "--beam-size", str(beam), *kept])
    if not failed:
        squashed(model, data / "coco", cache, DecodeSettings(search="beam", beam_size=beam, candidates=1))
    return failed


def squashed(model: str, coco: Path, cache: Path | None, settings: DecodeSettings) -> None:
    """The scores of the photos squashed, and by how much the originals are ahead."""
    pipeline = load(model)
    rows = [Row((name,), "", tuple(said)) for name, said in read_captions(coco / ORIGINALS, "dev").items()]
    names, (slot,) = [row.given[0] for row in rows], TASKS[pipeline.task].reads
    uploaded, small = (list(inputs_of(pipeline, slot, names, coco / folder, cache)) for folder in (AS_UPLOADED, SQUASHED))
    right = [row.right for row in rows]
    scores = evaluate(pipeline, small, right, settings)
    record(find(model), NAME, scores, settings)
    print(f"{NAME}\nBLEU-4 {scores['bleu4']:.1f}, CIDEr {scores['cider']:.3f}")
    told = [decode_all(here(pipeline), photos, settings, lambda _: None, best) for photos in (uploaded, small)]
    for name, one in differences("captions", *told, right).items():
        print(f"as uploaded less squashed, {name}: {one['value']:+.3f} [{one['low']:.3f}, {one['high']:.3f}]")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", metavar="task/variant")
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, help="a folder where the photos' features are kept for another time")
    parser.add_argument("--beam", type=int, default=5)
    arguments = parser.parse_args()
    sys.exit(main(arguments.model, arguments.data, arguments.cache, arguments.beam))
