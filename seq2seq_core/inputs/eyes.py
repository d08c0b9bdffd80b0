"""The eyes of models that watch: what they make of each frame. They know nothing of time; that is the business of a model's encoder.

For rendered clips they are a small convolutional network of our own that was taught on single frames to say what is where
(`tools/train_eyes.py`), for filmed ones the pretrained network that photos are looked at with.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Protocol

import torch
import torch.nn.functional as F
from PIL import Image
from safetensors.torch import load_file
from torch import Tensor, nn

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.clip import SIDE, Clip
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.inputs.rendering import COLOURS, SHAPES, SIZES, TEXTURES
from seq2seq_core.inputs.vision import FEATURE_SCALE, GridEncoder, to_pixels

WEIGHTS = Path(__file__).with_name("eyes.safetensors")
FINE = 12  # rows and columns in which the network says what is there
KINDS = (len(COLOURS), len(SHAPES), len(SIZES), len(TEXTURES))  # of what is told apart of a thing
CHANNELS = 1 + sum(KINDS)  # whether there is something, and what it looks like
FEATURES = 2 * FINE * CHANNELS  # of a frame: of each channel how much of it is in each column, and in each row
BATCH = 96  # frames that go through the network together


class Eyes(nn.Module):
    """Four convolutions, and what each of FINE x FINE cells says of the thing whose middle it holds."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(3, 16, 4, 2, 1), nn.ReLU(), nn.Conv2d(16, 24, 3, 2, 1), nn.ReLU(), nn.Conv2d(24, 48, 3, 2, 1), nn.ReLU(),
            nn.Conv2d(48, 64, 3, 1, 1), nn.ReLU(), nn.Conv2d(64, 64, 1), nn.ReLU(), nn.Conv2d(64, CHANNELS, 1),
        )  # fmt: skip

    def forward(self, frames: Tensor) -> Tensor:
        """Whole numbers [N, SIDE, SIDE, 3] -> logits [N, CHANNELS, FINE, FINE]."""
        pixels = frames.permute(0, 3, 1, 2).float() / 64 - 2.5
        found: Tensor = self.layers(pixels)
        return found

    def features(self, frames: Tensor) -> Tensor:
        """What a model is given of each frame, the shares of all cells added up column by column and row by row: [N, FEATURES].

        So what moves to the right is seen to do so at whatever height.
        """
        logits = self(frames).float()
        there = logits[:, :1].sigmoid()
        looks = [part.softmax(1) for part in torch.split(logits[:, 1:], list(KINDS), 1)]
        told = there * torch.cat([torch.ones_like(there), *looks], 1)  # [N, CHANNELS, FINE, FINE]
        return torch.cat([told.sum(2), told.sum(3)], 1).flatten(1)

    @torch.inference_mode()
    def look(self, given: object) -> Grid:
        """As a pipeline takes it: a position for each frame."""
        if not isinstance(given, Clip):
            raise InputError("This model watches; give it a clip.")
        frames = torch.from_numpy(given.frames)
        if frames.shape[1:] != (SIDE, SIDE, 3):
            raise InputError(f"The frames are {frames.shape[2]} x {frames.shape[1]} pixels; this model watches {SIDE} x {SIDE}.")
        return given.grid(torch.cat([self.features(some) for some in torch.split(frames, BATCH)]))


@cache
def the_eyes() -> Eyes:
    """With the weights that are part of the package."""
    eyes = Eyes()
    eyes.load_state_dict({name: weight.float() for name, weight in load_file(WEIGHTS).items()})
    return eyes.eval().requires_grad_(requires_grad=False)


class FilmEyes:
    """For filmed clips: the grid of the pretrained network, as the means of six parts of the frame, so that it is known where a hand is."""

    SIDE = 160  # pixels that a frame is brought to: a grid of 5 x 5
    PARTS = (2, 3)  # rows, columns

    def __init__(self) -> None:
        self.encoder = GridEncoder(side=self.SIDE)

    @torch.inference_mode()
    def look(self, given: object) -> Grid:
        """As a pipeline takes it: a position for each frame."""
        if not isinstance(given, Clip):
            raise InputError("This model watches; give it a clip.")
        network = self.encoder.network()
        pixels = [to_pixels(Image.fromarray(frame), self.SIDE) for frame in given.frames]
        trunks = [network.trunk(torch.cat(pixels[begin : begin + 10])) for begin in range(0, len(pixels), 10)]
        parts = F.adaptive_avg_pool2d(torch.cat(trunks).float() * FEATURE_SCALE, self.PARTS)  # [S, C, 2, 3]
        return given.grid(parts.flatten(1))


class Looks(Protocol):
    def look(self, given: object) -> Grid: ...


@cache
def eyes_of(task: str) -> Looks:
    """Those that the models of a task see with."""
    return FilmEyes() if task == "gesture" else the_eyes()
