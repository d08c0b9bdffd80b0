"""Trains the eyes for rendered clips on single frames: `python tools/train_eyes.py [OUT]`, about two minutes of one core.

Of every frame the renderer knows what is where, so the network is told for each cell. Nothing is about time here: things jump.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import Tensor

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core.inputs.clip import FRAMES, SIDE
from seq2seq_core.inputs.events import UNSEEN_PAIRS, a_thing
from seq2seq_core.inputs.eyes import FINE, KINDS, WEIGHTS, Eyes
from seq2seq_core.inputs.rendering import COLOURS, SHAPES, SIZES, TEXTURES, Thing, Track, render, seen
from seq2seq_core.training.loop import half_precision

CLIPS, EPOCHS, BATCH, RATE = 2400, 4, 48, 2.5e-3
VISIBLE = 0.4  # what is hidden further need not be named
CELL = SIDE / FINE


def jumping(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Frames in which up to four things are anywhere, and for each cell of each what is in it [S, FINE, FINE, 4], -1: nothing."""
    chance = np.random.default_rng((seed, 2))
    tracks: list[Track] = []
    while len(tracks) < 4:
        thing = a_thing(chance)
        if (thing.colour, thing.shape) not in UNSEEN_PAIRS:
            tracks.append(Track(thing, chance.uniform(4, SIDE - 5, (FRAMES, 2)), chance.random(FRAMES) < 0.6))
    cells = np.full((FRAMES, FINE, FINE, 4), -1, np.int64)
    for track, shares in zip(tracks, seen(tracks), strict=True):
        for frame in np.flatnonzero(track.there & (shares >= VISIBLE)):
            column, row = (track.places[frame] / CELL).astype(int)
            cells[frame, row, column] = looks(track.thing)
    return render(tracks, seed), cells


def looks(thing: Thing) -> tuple[int, ...]:
    return (tuple(COLOURS).index(thing.colour), SHAPES.index(thing.shape), tuple(SIZES).index(thing.size), TEXTURES.index(thing.texture))


def loss(logits: Tensor, cells: Tensor) -> Tensor:
    there = cells[..., 0] >= 0  # [N, FINE, FINE]
    found = F.binary_cross_entropy_with_logits(logits[:, 0], there.float(), reduction="sum")
    for part, right in zip(torch.split(logits[:, 1:], KINDS, 1), cells.unbind(-1), strict=True):
        found = found + F.cross_entropy(part, right, ignore_index=-1, reduction="sum")
    return found / len(logits)


@torch.inference_mode()
def told(eyes: Eyes, frames: Tensor, cells: Tensor) -> str:
    """How often each property is named of what is there, and how often a cell is taken for full or empty that is not."""
    logits = eyes(frames).float()
    there = cells[..., 0] >= 0
    right = [
        float((part.argmax(1) == one)[there].float().mean())
        for part, one in zip(torch.split(logits[:, 1:], KINDS, 1), cells.unbind(-1), strict=True)
    ]
    missed, invented = float((logits[:, 0] < 0)[there].float().mean()), float((logits[:, 0] > 0)[~there].sum() / there.sum())
    names = ("colour", "shape", "size", "texture")
    return (
        ", ".join(f"{name} {100 * one:.1f} %" for name, one in zip(names, right, strict=True))
        + f"; missed {missed:.3f}, extra {invented:.3f}"
    )


def main(out: Path) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    began = time.time()
    made = [jumping(seed) for seed in range(CLIPS + 40)]
    frames, cells = (torch.from_numpy(np.concatenate(part)) for part in zip(*made, strict=True))
    del made
    held, train = slice(CLIPS * FRAMES, None), CLIPS * FRAMES
    print(f"{len(frames)} frames after {time.time() - began:.0f} s", flush=True)
    eyes = Eyes()
    optimizer = torch.optim.AdamW(eyes.parameters(), RATE, weight_decay=0.01)
    steps = EPOCHS * (train // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.1)
    for epoch in range(EPOCHS):
        order = torch.randperm(train)
        for start in range(0, train - BATCH + 1, BATCH):
            some = order[start : start + BATCH]
            with torch.autocast("cpu", torch.bfloat16, enabled=half_precision("auto")):
                logits = eyes(frames[some])
            found = loss(logits.float(), cells[some])
            optimizer.zero_grad(set_to_none=True)
            found.backward()
            optimizer.step()
            schedule.step()
            if start % (BATCH * 100) == 0:
                print(f"  {found.item():.3f}  {time.time() - began:.0f} s", flush=True)
        save_file({name: weight.half().contiguous() for name, weight in eyes.state_dict().items()}, out)
        print(f"epoch {epoch + 1}: {told(eyes, frames[held], cells[held])}; {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else WEIGHTS)
