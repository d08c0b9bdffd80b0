"""Teach the last blocks of the image network what people write about photos, into `seq2seq_core/inputs/everyday.safetensors`.

    teach_eyes.py look DATA WORK [PART PARTS]    what enters those blocks, of every photo in two views; one of several processes
    teach_eyes.py teach DATA WORK                train them to say which words the captions have, and which of 80 kinds of things are there

The network knows the thousand kinds of ImageNet, a tenth of them dogs, one photo for each kind; it has no reason to keep a table apart from
what stands on it. The blocks before stay as they are: they see edges and parts, which are the same everywhere. DATA has `coco/` and
`flickr8k/` as the recipes of the captioners name them, and `coco/objects.tsv` with rows `image TAB kind,kind,...`. What is interrupted goes
on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core.inputs.views import shown
from seq2seq_core.inputs.vision import CELL, EVERYDAY, FEATURE_SCALE, TAUGHT, Block, EfficientNetLite, as_trained, load_network, to_pixels
from seq2seq_core.training.metrics import caption_words
from seq2seq_core.training.readers import read_captions

SIDE, SHARE, VIEWS = 320, 0.5, 2  # as captioners are trained
SETS = (("coco", "coco/photos"), ("flickr8k", "flickr8k/images"))
TOGETHER = 8  # photos that go through the network at once
WORDS = 2000
BATCH, EPOCHS, RATE, WARMUP = 64, 2, 3e-4, 100
SEED_OF_ROWS, SEED_OF_VIEWS = 1, 2
LONGEST = 20.0  # gradient
SAVE_EVERY = 100  # steps


def photos(data: Path, split: str) -> list[tuple[Path, list[str]]]:
    """Each photo with its captions."""
    named = ((folder, read_captions(data / name / "captions.tsv", split)) for name, folder in SETS)
    return [(data / folder / image, captions) for folder, found in named for image, captions in found.items()]


def enters(network: EfficientNetLite, pixels: Tensor) -> Tensor:
    """What comes out of the blocks that stay as they are: [B, C, rows, columns]."""
    x: Tensor = F.relu6(network.stem(pixels), inplace=True)
    for block in list(network.blocks)[:-TAUGHT]:
        x = block(x)
    return x


def file_of(work: Path, split: str, view: int) -> Path:
    return work / f"{split}-{view}.npy"


def look(data: Path, work: Path, part: int, parts: int) -> None:
    work.mkdir(parents=True, exist_ok=True)
    network = load_network().to(torch.bfloat16)
    for split, views in (("dev", 1), ("train", VIEWS)):
        paths = [path for path, _ in photos(data, split)]
        for view in range(views):
            grids = shared(file_of(work, split, view), (len(paths), *grid_of(network)), first=part == 0)
            rows = [row for row in range(part, len(paths), parts) if not grids[row, 0].any()]
            for some in (rows[at : at + TOGETHER] for at in range(0, len(rows), TOGETHER)):
                seen = (shown(paths[row], view, row, SHARE if split == "train" else 0.0) for row in some)
                pixels = torch.cat([to_pixels(as_trained(photo), SIDE) for photo in seen])
                found = enters(network, pixels.to(torch.bfloat16, memory_format=torch.channels_last))
                grids[some] = found.float().flatten(2).transpose(1, 2).numpy()
            print(f"{split}, view {view}: {len(rows)} photos", flush=True)


def grid_of(network: EfficientNetLite) -> tuple[int, int]:
    """Cells and channels of what enters the last blocks."""
    return (SIDE // CELL) ** 2, network.blocks[-1].expand.in_channels  # type: ignore[union-attr, return-value]


def shared(file: Path, shape: tuple[int, ...], *, first: bool) -> np.memmap:
    """An array on the disk that several processes fill; the first of them makes it."""
    if first and not file.exists():
        np.lib.format.open_memmap(file.with_suffix(".new"), "w+", np.float16, shape).flush()
        file.with_suffix(".new").replace(file)
    while not file.exists():
        time.sleep(1)
    return np.lib.format.open_memmap(file, "r+")


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


class Lessons:
    """What the blocks are taught with: what enters them, and what they are to say."""

    def __init__(self, data: Path, work: Path) -> None:
        counts = Counter(word for _, captions in photos(data, "train") for caption in captions for word in caption_words(caption))
        words = [word for word, _ in counts.most_common(WORDS)]
        self.words = len(words)
        self.labels, self.known = labels_of(data, "train", words)
        self.dev_labels, self.dev_known = labels_of(data, "dev", words)
        self.views = [np.load(file_of(work, "train", view), mmap_mode="r") for view in range(VIEWS)]
        self.dev = np.load(file_of(work, "dev", 0), mmap_mode="r")

    def __len__(self) -> int:
        """Steps of an epoch."""
        return len(self.labels) // BATCH

    def batch(self, step: int) -> tuple[Tensor, Tensor, Tensor]:
        epoch, within = divmod(step, len(self))
        rows = np.random.default_rng((SEED_OF_ROWS, epoch)).permutation(len(self.labels))[within * BATCH : (within + 1) * BATCH]
        view = int(np.random.default_rng((SEED_OF_VIEWS, step)).integers(VIEWS))
        rows.sort()
        return as_grids(self.views[view][rows]), self.labels[rows], self.known[rows]

    @torch.no_grad()
    def score(self, namer: Namer) -> dict[str, float]:
        """Losses of the dev photos: of words for COCO and Flickr8k apart, of things where they are known."""
        namer.eval()
        parts = np.array_split(np.arange(len(self.dev)), max(1, len(self.dev) // BATCH))
        logits = torch.cat([namer(as_grids(self.dev[part])) for part in parts])
        coco = self.dev_known.bool()
        named = (("COCO words", coco, 0), ("things", coco, 1), ("Flickr8k words", ~coco, 0))
        return {
            name: round(losses(logits[which], self.dev_labels[which], self.dev_known[which], self.words)[kind].item(), 3)
            for name, which, kind in named
        }


def as_grids(features: np.ndarray) -> Tensor:
    """[B, S, C] -> [B, C, rows, columns]"""
    side = round(features.shape[1] ** 0.5)
    found = torch.from_numpy(features.astype(np.float32)).transpose(1, 2).unflatten(2, (side, side))
    return found.contiguous(memory_format=torch.channels_last)


def steps(lessons: Lessons, namer: Namer, state: Path) -> Iterator[int]:
    """Train from where `state` stopped; gives the number of each step that is done."""
    groups = [{"params": namer.blocks.parameters(), "rate": RATE}, {"params": namer.said.parameters(), "rate": 10 * RATE}]
    optimizer = torch.optim.AdamW(groups, RATE, weight_decay=1e-4, fused=True)
    step, last = 0, EPOCHS * len(lessons)
    if state.exists():
        kept = torch.load(state, weights_only=True)
        namer.load_state_dict(kept["namer"])
        optimizer.load_state_dict(kept["optimizer"])
        step = kept["step"]
    while step < last:
        scale = min(1.0, (step + 1) / WARMUP) * 0.5 * (1 + math.cos(math.pi * step / last))
        for group in optimizer.param_groups:
            group["lr"] = group["rate"] * scale
        grids, labels, known = lessons.batch(step)
        named, things = losses(namer.train()(grids), labels, known, lessons.words)
        optimizer.zero_grad()
        (named + things).backward()
        nn.utils.clip_grad_norm_(namer.parameters(), LONGEST)
        optimizer.step()
        step += 1
        if step % SAVE_EVERY == 0 or step == last:
            print(f"{step}/{last}: words {named.item():.2f}, things {things.item():.2f}", flush=True)
            torch.save({"namer": namer.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, state.with_suffix(".new"))
            state.with_suffix(".new").replace(state)
        yield step


def teach(data: Path, work: Path) -> None:
    torch.manual_seed(1)
    lessons, network = Lessons(data, work), load_network()
    namer = Namer(list(network.blocks)[-TAUGHT:], network.head.in_channels, lessons.labels.shape[1])
    namer.requires_grad_().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    usual = lessons.labels.mean(0).clamp(1e-5, 1 - 1e-5)
    with torch.no_grad():
        namer.said.weight.mul_(0.1)
        namer.said.bias.copy_(torch.log(usual / (1 - usual)))
    for step in steps(lessons, namer, work / "state.pt"):
        if step % max(1, len(lessons) // 2) == 0:
            print(json.dumps({"step": step, **lessons.score(namer)}), flush=True)
    first = len(network.blocks) - TAUGHT
    weights = {f"blocks.{first + int(name.partition('.')[0])}.{name.partition('.')[2]}": w for name, w in namer.blocks.state_dict().items()}
    save_file({name: weight.half().contiguous() for name, weight in weights.items()}, EVERYDAY)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("look", "teach"))
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("part", type=int, nargs="?", default=0)
    parser.add_argument("parts", type=int, nargs="?", default=1)
    given = parser.parse_args()
    if given.what == "look":
        look(given.data, given.work, given.part, given.parts)
    else:
        teach(given.data, given.work)
