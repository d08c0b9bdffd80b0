"""The first sentence of a news story becomes its headline."""

from __future__ import annotations

from demo.blocks.drawing import line
from demo.lab import Lab, Queries, Shape, Traces, Values, asked
from demo.tasks import SUMMARY_MODEL

TASK = "summary"


def queries(values: Values) -> Queries:
    return {values[SUMMARY_MODEL.key]: asked(TASK, values)}


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  a drawing, not a trace
    """A story of many lines, of which a few pieces go down into a headline."""
    pieces = ((40, 12, 90), (150, 34, 214), (60, 56, 128))  # where they begin, their line, where they end
    shapes = [line([(20, y), (300, y)], role="faint", width=9) for y in (12, 34, 56)]
    x = 34.0
    for left, y, right in pieces:
        shapes.append(line([(left, y), (right, y)], role="accent", width=9))
        width = right - left
        shapes.append(line([((left + right) / 2, y + 6), (x + width / 2, 104)], role="accent", width=2, curved=True))
        shapes.append(line([(x, 112), (x + width, 112)], role="ink", width=14))
        x += width + 26
    return shapes


LAB = Lab(
    "headline",
    "Headline",
    "Applications",
    "newspaper",
    "The first sentence of a news story becomes its headline, and names that the model has never seen are copied.",
    queries,
    picture,
    needs=TASK,
)
