"""One training step, forwards and backwards."""

from __future__ import annotations

from demo.blocks.drawing import line, text
from demo.lab import Lab, Shape, Traces


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  a drawing, not a trace
    """The chain of states, with the gradient on its way from the right to the left, less and less of it."""
    shapes: list[Shape] = []
    for i in range(7):
        x, height, decoder = 8 + i * 45, 12 + 60 * 0.72 ** (6 - i), i > 3
        role = "accent" if i == 2 else "faint" if i < 2 else "ink"
        shapes += [line([(x + offset, 104), (x + offset, 104 - height)], role=role, width=3) for offset in range(0, 26, 3)]
        shapes.append(text(x + 12, 124, f"{'s' if decoder else 'h'}{'₁₂₃₄₁₂₃'[i]}", anchor="middle", role="ink" if decoder else "quiet"))
    shapes.append(text(8, 20, "∂L/∂h₃", size=18, role="formula"))
    shapes.append(line([(150, 14), (100, 14)], role="accent", width=3))
    shapes.append(line([(108, 8), (100, 14), (108, 20)], role="accent", width=3))
    return shapes


LAB = Lab(
    "training_step",
    "Training step",
    "Learn",
    "undo",
    "One pair forwards, the gradient of its loss backwards through every state, and the update.",
    picture=picture,
)
