"""The small pictures on the start page: shapes of a drawing 320 wide and 140 high, most of them drawn from a stored trace."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from demo.scale import attention_color, hex_color
from seq2seq_core.trace.nodes import FINISHED

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

Shape = dict[str, Any]
Traces = dict[str, "DecodeTrace"]  # by task
WIDTH, HEIGHT = 320, 140
TREE_STEPS = 8
MOST_WORDS = 6


def cell(x: float, y: float, width: float, height: float, weight: float) -> Shape:
    return {"kind": "cell", "at": [round(n, 1) for n in (x, y, width, height)], "colours": colours(round(weight, 2))}


@cache
def colours(weight: float) -> list[str]:
    """On a light and on a dark page."""
    return [hex_color(attention_color(weight, theme)) for theme in ("light", "dark")]


def text(x: float, y: float, said: str, *, anchor: str = "start", size: int = 15, role: str = "ink") -> Shape:
    return {"kind": "text", "at": [round(x, 1), round(y, 1)], "text": said, "anchor": anchor, "size": size, "role": role}


def line(points: Sequence[tuple[float, float]], *, role: str = "quiet", width: float = 2, curved: bool = False) -> Shape:
    """Through the points; `curved`: between two points, leaving and arriving upright."""
    joined = " ".join(f"L{x:.1f} {y:.1f}" for x, y in points)[1:]
    if curved:
        (x, y), (u, v) = points
        joined = f"{x:.1f} {y:.1f}C{x:.1f} {(y + v) / 2:.1f} {u:.1f} {(y + v) / 2:.1f} {u:.1f} {v:.1f}"
    return {"kind": "line", "path": f"M{joined}", "role": role, "width": round(width, 1)}


def dot(x: float, y: float, *, role: str = "ink", radius: float = 4) -> Shape:
    return {"kind": "dot", "at": [round(x, 1), round(y, 1), radius], "role": role}


def cells(weights: np.ndarray, x: float, y: float, width: float, height: float) -> list[Shape]:
    """An attention map in a box."""
    rows, columns = weights.shape
    w, h = width / columns, height / rows
    return [cell(x + j * w, y + i * h, w - 1.5, h - 1.5, float(weights[i, j])) for i in range(rows) for j in range(columns)]


def words_of(trace: DecodeTrace) -> tuple[tuple[str, ...], tuple[str, ...], np.ndarray]:
    """Source words, target words without the end sign, and the weights between them."""
    grouped = trace.grouped()
    target = grouped.target[: -1 if trace.tokens()[-1] == "</s>" else None]
    return grouped.source, target, grouped.attention[: len(target)]


def map_with_words(traces: Traces) -> list[Shape]:
    source, target, weights = words_of(traces["translation"])
    left, top = 70, 24
    column, row = (WIDTH - left) / len(source), (HEIGHT - top) / len(target)
    names = [text(left + (j + 0.5) * column, 12, word, anchor="middle", size=14) for j, word in enumerate(source)]
    names += [text(left - 8, top + (i + 0.5) * row, word, anchor="end") for i, word in enumerate(target)]
    return names + cells(weights, left, top, WIDTH - left, HEIGHT - top)


def curves(traces: Traces) -> list[Shape]:
    """Letters above, joined signs below, and the weights between them as lines."""
    if "transliteration" not in traces:
        return [text(160, 30, "namaste", anchor="middle", size=26), text(160, 108, "नमस्ते", anchor="middle", size=30)]
    source, target, weights = words_of(traces["transliteration"])
    above = [WIDTH * (j + 0.5) / len(source) for j in range(len(source))]
    below = [WIDTH * (i + 0.5) / len(target) for i in range(len(target))]
    shapes = [
        line([(below[i], 92), (above[j], 34)], role="attention", width=10 * float(weights[i, j]), curved=True)
        for i in range(len(target))
        for j in range(len(source))
        if weights[i, j] > 0.08
    ]
    shapes += [text(x, 18, letter, anchor="middle", size=24) for x, letter in zip(above, source, strict=True)]
    return shapes + [text(x, 114, sign, anchor="middle", size=28) for x, sign in zip(below, target, strict=True)]


def spot(traces: Traces) -> list[Shape]:  # noqa: ARG001  a drawing, not a trace
    """A photo's grid, with the part that one word looked at."""
    y, x = np.mgrid[0:7, 0:16]
    weights = 0.05 + 0.9 * np.exp(-((x - 10.5) ** 2 / 9 + (y - 3.6) ** 2 / 3.2))
    words = (("a", 40), ("black", 88), ("dog", 146), ("on", 196), ("grass", 248))
    said = [text(at, 126, word, anchor="middle", size=18, role="ink" if word == "dog" else "quiet") for word, at in words]
    return [*cells(weights, 0, 0, WIDTH, 104), *said, line([(130, 137), (162, 137)], role="accent", width=3)]


def bars(traces: Traces) -> list[Shape]:
    """What might come next, and how likely it is."""
    trace = traces["translation"]
    node = max(trace.path()[:-1], key=lambda one: -max(candidate.logprob for candidate in one.candidates))
    shapes: list[Shape] = []
    for i, candidate in enumerate(sorted(node.candidates, key=lambda one: -one.logprob)[:5]):
        chosen, y = candidate.token_id == node.token_id, 14 + 28 * i
        shapes.append(text(92, y, candidate.token.strip(), anchor="end", size=18, role="ink" if chosen else "quiet"))
        shapes.append(line([(106, y), (108 + 205 * math.exp(candidate.logprob), y)], role="accent" if chosen else "quiet", width=14))
    return shapes


def two_maps(traces: Traces) -> list[Shape]:
    """One vector for the whole sentence on the left, attention on the right."""
    _, target, weights = words_of(traces["translation"])
    row = 112 / len(target)
    links = [line([(46, 84), (134, 28 + (i + 0.5) * row)], width=2) for i in range(len(target))]
    ends = [dot(138, 28 + (i + 0.5) * row, radius=3.5) for i in range(len(target))]
    named = [text(72, 12, "none", anchor="middle"), text(248, 12, "additive", anchor="middle")]
    vector = [cell(28, 46 + 15.5 * i, 14, 14, weight) for i, weight in enumerate((0.7, 0.35, 0.9, 0.5, 0.75))]
    return [*named, *links, *ends, *vector, *cells(weights, 178, 28, 140, 112)]


def equation(traces: Traces) -> list[Shape]:
    source, _, weights = words_of(traces["translation"])
    sharpest = int(weights.max(axis=1).argmin())
    row = weights[sharpest]
    width = WIDTH / len(row)
    shapes = [text(160, 24, "αₜ = softmax(eₜ)", anchor="middle", size=26, role="formula")]
    for j, weight in enumerate(row):
        middle = (j + 0.5) * width
        shapes.append(cell(j * width, 52, width - 1.5, 40, float(weight)))
        shapes.append(text(middle, 106, f"{weight:.2f}", anchor="middle"))
        shapes.append(text(middle, 128, source[j], anchor="middle", size=14, role="quiet"))
    return shapes


def tree(traces: Traces) -> list[Shape]:
    """The first steps of the beam: what was kept, what was dropped, and the way to the best output."""
    trace = traces["translation"]
    table, best = trace.nodes, {node.id for node in trace.path()}
    steps = min(TREE_STEPS, int(table.step.max()) + 1)
    place: dict[int, tuple[float, float]] = {-1: (8, HEIGHT / 2)}
    edges: list[Shape] = []
    kept: list[Shape] = []
    for step in range(steps):
        nodes = [int(n) for n in np.flatnonzero((table.step == step) & (table.rank < MOST_WORDS))]
        nodes = [n for n in nodes if int(table.parent[n]) in place]
        nodes.sort(key=lambda n: (n not in best, place[int(table.parent[n])][1], int(table.rank[n])))
        for i, n in enumerate(nodes):
            place[n] = (8 + (step + 1) * (WIDTH - 16) / steps, HEIGHT * (i + 0.5) / len(nodes))
            won, alive = n in best, int(table.state[n]) <= FINISHED
            role = "accent" if won else "ink" if alive else "faint"
            edges.append(line([place[int(table.parent[n])], place[n]], role=role, width=4 if won else 2))
            kept.append(dot(*place[n], role=role, radius=5 if won else 3.5))
    return [*edges, *kept, dot(8, HEIGHT / 2, role="accent", radius=5)]


def falling(traces: Traces) -> list[Shape]:  # noqa: ARG001  a drawing, not a trace
    """Quality against length: one vector gives way on long sentences, attention holds."""

    def curve(fall: float) -> list[tuple[float, float]]:
        return [(22 + 280 * t, 24 + fall * 82 * t**2.2) for t in np.linspace(0, 1, 24)]

    axes = line([(14, 6), (14, 124), (312, 124)], role="quiet")
    named = [text(312, 20, "attention", anchor="end", size=16), text(188, 92, "one vector", anchor="end", size=16)]
    return [axes, line(curve(0.22), role="attention", width=5), line(curve(1.0), role="ink", width=5), *named]


def forming(traces: Traces) -> list[Shape]:
    """A map before, during and after training."""
    _, _, weights = words_of(traces["translation"])
    shapes: list[Shape] = []
    for i, sharpness in enumerate((0.05, 0.45, 1.0)):
        softened = weights**sharpness
        shapes += cells(softened / softened.sum(axis=1, keepdims=True), i * 112, 28, 96, 112)
        shapes.append(text(i * 112 + 48, 12, ("step 0", "step 100", "step 900")[i], anchor="middle"))
    return shapes


def question(traces: Traces) -> list[Shape]:
    """A map with one row left to guess."""
    source, target, weights = words_of(traces["translation"])
    left, row = 70, HEIGHT / len(target)
    asked = len(target) // 2
    column = (WIDTH - left) / len(source)
    shapes = [text(left - 8, (i + 0.5) * row, word, anchor="end") for i, word in enumerate(target)]
    for i in range(len(target)):
        if i != asked:
            shapes += cells(weights[i : i + 1], left, i * row, WIDTH - left, row)
    return shapes + [
        text(left + (j + 0.5) * column, (asked + 0.5) * row, "?", anchor="middle", size=20, role="accent") for j in range(len(source))
    ]


DRAWN: dict[str, Callable[[Traces], list[Shape]]] = {
    "translate": map_with_words,
    "transliterate": curves,
    "caption": spot,
    "language_model": bars,
    "compare": two_maps,
    "how_it_works": equation,
    "steer": tree,
    "bottleneck": falling,
    "train": forming,
    "lessons": question,
}


def picture(lab: str, traces: Traces) -> list[Shape]:
    """The picture of a lab; none without the trace it is drawn from."""
    drawn = DRAWN.get(lab)
    return drawn(traces) if drawn and "translation" in traces else []
