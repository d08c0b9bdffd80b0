"""Lectures that are given from the app itself."""

from __future__ import annotations

from demo.blocks.drawing import line, text
from demo.lab import Lab, Shape, Traces


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  a drawing, not a trace
    """An outline, one idea of it chosen, and what it leads to."""
    shapes: list[Shape] = []
    for i, width in enumerate((92, 70, 104, 82, 60)):
        y, chosen = 16 + 26 * i, i == 2
        shapes.append(text(22, y, f"{i + 1}", anchor="end", size=15, role="accent" if chosen else "quiet"))
        shapes.append(line([(34, y), (34 + width, y)], role="accent" if chosen else "faint", width=9))
    shapes.append(line([(150, 68), (178, 68)], role="accent", width=3))
    shapes.append(line([(190, 10), (316, 10), (316, 126), (190, 126), (190, 10)], role="quiet", width=2))
    return [*shapes, text(253, 68, "c = Σ α h", anchor="middle", size=22, role="formula")]


LAB = Lab("lectures", "Lectures", "Learn", "co_present", "Give a lecture idea by idea: each opens the page that shows it.", picture=picture)
