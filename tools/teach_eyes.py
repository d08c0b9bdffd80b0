"""Teach the last blocks of the image network what people write about photos, into `seq2seq_core/inputs/everyday.safetensors`.

    teach_eyes.py look DATA WORK     what enters those blocks, of every photo in two views; several processes share the work
    teach_eyes.py teach DATA WORK    train them to say which words the captions have, and which of 80 kinds of things are there

The network knows the thousand kinds of ImageNet, a tenth of them dogs, one photo for each kind; it has no reason to keep a table apart from
what stands on it. The blocks before stay as they are: they see edges and parts, which are the same everywhere. DATA has `coco/` and
`flickr8k/` as the recipes of the captioners name them, and `coco/objects.tsv` with rows `image TAB kind,kind,...`. What is interrupted goes
on where it stopped.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core.inputs.photo import open_photo
from seq2seq_core.inputs.views import degraded, view_of
from seq2seq_core.inputs.vision import EVERYDAY, FEATURE_SCALE, TAUGHT, Block, EfficientNetLite, as_trained, load_network, to_pixels
from seq2seq_core.training.metrics import caption_words

SIDE, SHARE, VIEWS = 320, 0.5, 2  # as captioners are trained
SETS = (("coco", "coco/photos"), ("flickr8k", "flickr8k/images"))
CHUNK = 512  # photos that one process takes at a time
WORDS = 2000
BATCH, EPOCHS, RATE, WARMUP = 64, 2, 3e-4, 100
OBJECTS = 1.0  # weight of their loss
SAVE_EVERY = 100  # steps


def photos(data: Path, split: str) -> list[tuple[Path, list[str]]]:
    """Each photo with its captions."""
    found: dict[Path, list[str]] = {}
    for name, folder in SETS:
        for row in (data / name / "captions.tsv").read_text(encoding="utf8").splitlines()[1:]:
            part, image, _, caption = row.split("\t")
            if part == split:
                found.setdefault(data / folder / image, []).append(caption)
    return list(found.items())


def enters(network: EfficientNetLite, pixels: Tensor) -> Tensor:
    """What comes out of the blocks that stay as they are: [B, C, rows, columns]."""
    x: Tensor = F.relu6(network.stem(pixels), inplace=True)
    for block in list(network.blocks)[:-TAUGHT]:
        x = block(x)
    return x


def file_of(work: Path, split: str, view: int) -> Path:
    return work / f"{split}-{view}.npy"


def look(data: Path, work: Path) -> None:
    work.mkdir(parents=True, exist_ok=True)
    network = load_network().to(torch.bfloat16)
    for split, views in (("dev", 1), ("train", VIEWS)):
        paths = [path for path, _ in photos(data, split)]
        for view in range(views):
            _look_at(network, paths, file_of(work, split, view), view, SHARE if split == "train" else 0.0)


@torch.no_grad()
def _look_at(network: EfficientNetLite, paths: list[Path], file: Path, view: int, share: float) -> None:
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        channels, side = network.blocks[-1].expand.in_channels, SIDE // 32  # type: ignore[union-attr]
        if not file.exists():
            np.lib.format.open_memmap(file, "w+", np.float16, (len(paths), side * side, channels)).flush()
        fcntl.flock(lock, fcntl.LOCK_UN)
    grids = np.lib.format.open_memmap(file, "r+")
    for begin in range(0, len(paths), CHUNK):
        with file.with_suffix(f".{begin}").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue  # another process is at it
            rows = [row for row in range(begin, min(begin + CHUNK, len(paths))) if not grids[row, 0].any()]
            for some in (rows[at : at + 8] for at in range(0, len(rows), 8)):
                pixels = []
                for row in some:
                    chance = np.random.default_rng((view, row))
                    photo = view_of(open_photo(paths[row].read_bytes()).image, view, chance)
                    pixels.append(to_pixels(as_trained(degraded(photo, chance) if chance.random() < share else photo), SIDE))
                whole = torch.cat(pixels).to(torch.bfloat16, memory_format=torch.channels_last)
                grids[some] = enters(network, whole).float().flatten(2).transpose(1, 2).numpy()
            print(f"{time.strftime('%H:%M:%S')} {file.name} {begin}", flush=True)


def through(block: Block, x: Tensor) -> Tensor:
    """As `Block.forward`, half of it in bfloat16: a depthwise convolution is three times slower in it than in float32."""
    assert block.expand is not None
    with torch.autocast("cpu", torch.bfloat16):
        inner = F.relu6(block.expand(x))
    inner = F.relu6(block.depthwise(inner.float()))
    with torch.autocast("cpu", torch.bfloat16):
        inner = block.project(inner)
    return inner.float() + x if block.residual else inner.float()


class Namer(nn.Module):
    """The taught blocks, and what each cell of their grid says is there: a word is in the photo as far as some cell says so."""

    def __init__(self, blocks: Sequence[nn.Module], channels: int, labels: int) -> None:
        super().__init__()
        self.blocks, self.said = nn.ModuleList(blocks), nn.Linear(channels, labels)
        self.drop = nn.Dropout(0.2)

    def forward(self, grids: Tensor) -> Tensor:
        """[B, C, rows, columns] -> logits [B, labels]"""
        for block in self.blocks:
            grids = through(block, grids)  # type: ignore[arg-type]
        cells = self.drop(grids.flatten(2).transpose(1, 2) * FEATURE_SCALE)
        with torch.autocast("cpu", torch.bfloat16):
            said: Tensor = self.said(cells)
        return torch.logsumexp(said.float(), 1) - math.log(said.shape[1])


def labels_of(data: Path, split: str, words: list[str]) -> tuple[Tensor, Tensor]:
    """For each photo the share of its captions with each word, and 1 for each kind of thing in it; and whether its things are known."""
    objects = dict(row.split("\t") for row in (data / "coco" / "objects.tsv").read_text(encoding="utf8").splitlines()[1:])
    kinds = sorted({kind for listed in objects.values() for kind in listed.split(",") if kind})
    word_at, kind_at = {word: at for at, word in enumerate(words)}, {kind: len(words) + at for at, kind in enumerate(kinds)}
    rows = photos(data, split)
    labels, known = torch.zeros(len(rows), len(words) + len(kinds)), torch.zeros(len(rows))
    for row, (path, captions) in enumerate(rows):
        for caption in captions:
            for word in set(caption_words(caption)) & word_at.keys():
                labels[row, word_at[word]] += 1 / len(captions)
        if path.name in objects:
            known[row] = 1
            labels[row, [kind_at[kind] for kind in objects[path.name].split(",") if kind]] = 1
    return labels, known


def losses(logits: Tensor, labels: Tensor, known: Tensor, words: int) -> tuple[Tensor, Tensor]:
    """Of the words and of the things, per photo."""
    each = F.binary_cross_entropy_with_logits(logits, labels, reduction="none")
    return each[:, :words].sum(1).mean(), (each[:, words:].sum(1) * known).sum() / known.sum().clamp(min=1)


def teach(data: Path, work: Path) -> None:
    torch.manual_seed(1)
    counts = Counter(word for _, captions in photos(data, "train") for caption in captions for word in caption_words(caption))
    words = [word for word, _ in counts.most_common(WORDS)]
    (labels, known), (dev_labels, dev_known) = labels_of(data, "train", words), labels_of(data, "dev", words)
    grids = [np.load(file_of(work, "train", view), mmap_mode="r") for view in range(VIEWS)]
    dev = np.load(file_of(work, "dev", 0), mmap_mode="r")

    network = load_network()
    namer = Namer(list(network.blocks)[-TAUGHT:], network.head.in_channels, labels.shape[1])
    namer.requires_grad_().to(memory_format=torch.channels_last)
    mean = labels.mean(0).clamp(1e-5, 1 - 1e-5)
    with torch.no_grad():
        namer.said.weight.mul_(0.1)
        namer.said.bias.copy_(torch.log(mean / (1 - mean)))
    groups = [{"params": namer.blocks.parameters(), "rate": RATE}, {"params": namer.said.parameters(), "rate": 10 * RATE}]
    optimizer = torch.optim.AdamW(groups, RATE, weight_decay=1e-4, fused=True)
    per_epoch = len(labels) // BATCH
    last, step, state = EPOCHS * per_epoch, 0, work / "state.pt"
    if state.exists():
        kept = torch.load(state, weights_only=True)
        namer.load_state_dict(kept["namer"])
        optimizer.load_state_dict(kept["optimizer"])
        step = kept["step"]

    def batch(array: np.ndarray, rows: np.ndarray) -> Tensor:
        side = round(array.shape[1] ** 0.5)
        found = torch.from_numpy(array[rows].astype(np.float32)).transpose(1, 2).unflatten(2, (side, side))
        return found.contiguous(memory_format=torch.channels_last)

    begin, running = time.time(), []
    while step < last:
        epoch, within = divmod(step, per_epoch)
        rows = np.random.default_rng((1, epoch)).permutation(len(labels))[within * BATCH : (within + 1) * BATCH]
        view = int(np.random.default_rng((2, step)).integers(VIEWS))
        scale = min(1.0, (step + 1) / WARMUP) * 0.5 * (1 + math.cos(math.pi * step / last))
        for group in optimizer.param_groups:
            group["lr"] = group["rate"] * scale
        namer.train()
        logits = namer(batch(grids[view], np.sort(rows)))
        named, things = losses(logits, labels[np.sort(rows)], known[np.sort(rows)], len(words))
        optimizer.zero_grad()
        (named + OBJECTS * things).backward()
        nn.utils.clip_grad_norm_(namer.parameters(), 20.0)
        optimizer.step()
        running.append((named.item(), things.item()))
        step += 1
        if step % 20 == 0:
            print(f"{step}/{last} {np.mean(running[-100:], 0).round(3)} {(time.time() - begin) / len(running):.2f} s a step", flush=True)
        if step % SAVE_EVERY == 0 or step == last:
            torch.save({"namer": namer.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, state.with_suffix(".new"))
            state.with_suffix(".new").replace(state)
        if step % (per_epoch // 2) == 0 or step == last:
            namer.eval()
            with torch.no_grad():
                parts = np.array_split(np.arange(len(dev)), len(dev) // BATCH)
                logits = torch.cat([namer(batch(dev, part)) for part in parts])
            coco = dev_known.bool()
            score = {
                name: round(losses(logits[which], dev_labels[which], dev_known[which], len(words))[kind].item(), 3)
                for name, which, kind in (("COCO words", coco, 0), ("things", coco, 1), ("Flickr8k words", ~coco, 0))
            }
            print(json.dumps({"step": step, **score}), flush=True)
    first = len(network.blocks) - TAUGHT
    weights = {f"blocks.{first + int(name.partition('.')[0])}.{name.partition('.')[2]}": w for name, w in namer.blocks.state_dict().items()}
    save_file({name: weight.half().contiguous() for name, weight in weights.items()}, EVERYDAY)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("look", "teach"))
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    given = parser.parse_args()
    {"look": look, "teach": teach}[given.what](given.data, given.work)
