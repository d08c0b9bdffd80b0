"""What one fixed vector can hold."""

from __future__ import annotations

import numpy as np

from demo.blocks.drawing import line, text
from demo.lab import Lab, Shape, Traces


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  a drawing, not a trace
    """Quality against length: one vector gives way on long sentences, attention holds."""

    def curve(fall: float) -> list[tuple[float, float]]:
        return [(22 + 280 * t, 24 + fall * 82 * t**2.2) for t in np.linspace(0, 1, 24)]

    axes = line([(14, 6), (14, 124), (312, 124)], role="quiet")
    named = [text(312, 20, "attention", anchor="end", size=16), text(188, 92, "one vector", anchor="end", size=16)]
    return [axes, line(curve(0.22), role="attention", width=5), line(curve(1.0), role="ink", width=5), *named]


LAB = Lab(
    "bottleneck",
    "Bottleneck",
    "Look inside",
    "compress",
    "What one fixed vector can hold: quality against sentence length, with and without attention.",
    picture=picture,
)
