"""An attention map to explore, as a Plotly figure: to zoom and pan, with every number under the mouse.

Plotly is imported with this file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from demo.colours import DARK, LIGHT, THEME_INK, THEME_SCALE, Palette, color_scale
from demo.export.figure import from_right, rows_of
from demo.wording import END, shortened, visible

if TYPE_CHECKING:
    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.trace import DecodeTrace

Theme = Literal["light", "dark", "streamlit"]  # the last: Streamlit puts its theme's colours in
ROW, AROUND, LEAST, MOST = 26, 190, 340, 820  # pixels
MOST_LABELS = 90  # on an axis; of more positions every second, third ... is named
LONGEST_LABEL, LONGEST_TITLE = 24, 120  # characters
# As the other exported page has it; the button that takes a picture makes a data URL.
POLICY = "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
CONFIG = {"displaylogo": False, "scrollZoom": True, "responsive": True, "modeBarButtonsToRemove": ["select2d", "lasso2d"]}


@dataclass(frozen=True, slots=True)
class Columns:
    """The source along the axis, of all texts: what each column is called, and the positions that it stands for."""

    labels: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    borders: tuple[tuple[int, str], ...]  # where each text begins, and its name


def heat_map(trace: DecodeTrace, hypothesis: int = 0, *, words: bool = True, theme: Theme = "light") -> go.Figure:
    """The weights of one hypothesis; of several heads a menu chooses. Without a map of a text: the probability of every token."""
    rows, columns = rows_of(trace, hypothesis, words), _columns(trace, words)
    if not columns.labels:
        return _bars(trace, hypothesis, rows, theme)
    maps = trace.maps(hypothesis)  # [T, K, S]
    looks = [("All heads, averaged", _averaged(trace, maps)), *((head.name, maps[:, k]) for k, head in enumerate(trace.heads))]
    each = [(name, _grouped(weights, rows, columns)) for name, weights in (looks if len(trace.heads) > 1 else looks[:1])]
    numbers = list(range(1, len(rows) + 1))
    said = [f"step {number}: <b>{plain(label)}</b>" for number, (label, _) in zip(numbers, rows, strict=True)]
    heat = go.Heatmap(
        z=each[0][1].tolist(), x=list(range(1, len(columns.labels) + 1)), y=numbers, zmin=0, zmax=1, xgap=1, ygap=1,
        colorscale=_scale(theme), colorbar=dict(title=dict(text="attention"), thickness=14, outlinewidth=0),
        text=[[f"{line}<br>looks at <b>{plain(label)}</b>" for label in columns.labels] for line in said],
        hovertemplate="%{text}<br>weight %{z:.4f}<extra></extra>", hoverongaps=False,
    )  # fmt: skip
    figure = go.Figure(heat)
    _layout(figure, theme, len(rows), menu=len(each) > 1 or len(columns.borders) > 1)
    figure.update_xaxes(side="top", **_ticks(columns.labels), tickangle=0 if _short(columns.labels) else -50)
    figure.update_yaxes(autorange="reversed", **_ticks([label for label, _ in rows]))
    _parts(figure, columns, theme)
    if len(each) > 1:
        buttons = [dict(label=plain(name), method="restyle", args=[{"z": [weights.tolist()]}, [0]]) for name, weights in each]
        figure.update_layout(updatemenus=[dict(buttons=buttons, x=0, xanchor="left", y=0, yanchor="top", pad=dict(t=28), **_menu(theme))])
    return figure


def page(trace: DecodeTrace, hypothesis: int = 0, *, words: bool = True, title: str = "") -> str:
    """One HTML file with the figure and all of plotly.js in it, five megabytes: it opens anywhere and asks the network for nothing."""
    light, dark = (heat_map(trace, hypothesis, words=words, theme=theme).to_plotly_json() for theme in ("light", "dark"))
    for shared in ("z", "text", "x", "y", "hovertext"):
        dark["data"][0].pop(shared, None)
    content = _json({"light": light, "dark": dark, "config": CONFIG})
    given = shortened(trace.given_text.replace("\n", " / "), LONGEST_TITLE) or "Output"
    name = escape(title or f"{given} \u2192 {shortened(trace.text(hypothesis), LONGEST_TITLE)}")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{name}</title>\n<style>\n'
        f"html {{ color-scheme: light dark; background: light-dark({LIGHT.background}, {DARK.background}); }}\n"
        f"body {{ margin: 0; padding: 16px 24px; color: light-dark({LIGHT.text}, {DARK.text}); font: 17px system-ui, sans-serif; }}\n"
        "h1 { font-size: 22px; font-weight: 600; }\n</style>\n</head>\n<body>\n"
        f'<h1>{name}</h1>\n<main id="place"></main>\n<script type="application/json" id="figure">{content}</script>\n'
        f"<script>\n{get_plotlyjs()}\n</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )


SCRIPT = """const { light, dark, config } = JSON.parse(document.getElementById("figure").textContent);
const wanted = window.matchMedia("(prefers-color-scheme: dark)");
const draw = () => {
  const { data, layout } = wanted.matches ? dark : light;
  Plotly.react("place", [{ ...light.data[0], ...data[0] }], layout, config);
};
wanted.addEventListener("change", draw);
draw();
"""


def plain(text: str) -> str:
    """As Plotly shows exactly this: it reads tags, entities, and formulas between dollar signs."""
    return escape(text, quote=False).replace("$", "&#36;")


def _json(values: Any) -> str:
    from plotly.utils import PlotlyJSONEncoder

    return json.dumps(values, cls=PlotlyJSONEncoder, ensure_ascii=True).replace("<", "\\u003c")


def _columns(trace: DecodeTrace, words: bool) -> Columns:
    """Of every text that something looks at; what is read from the right stands from the right."""
    labels: list[str] = []
    positions: list[tuple[int, ...]] = []
    borders = []
    for place, part in enumerate(trace.parts):
        if part.kind != "text" or not any(head.part == place for head in trace.heads):
            continue
        start, turn = trace.borders[place], -1 if from_right(part.text) else 1
        groups = part.members if words else tuple((i,) for i in range(part.positions))
        borders.append((len(labels), part.name))
        labels += [visible(part.word(group) if words else part.labels[group[0]]) for group in groups][::turn]
        positions += [tuple(start + i for i in group) for group in groups][::turn]
    return Columns(tuple(labels), tuple(positions), tuple(borders))


def _averaged(trace: DecodeTrace, maps: Floats) -> Floats:
    """Over the heads of each part: each is 0 at the others. [T, S]"""
    total = np.zeros((len(maps), trace.positions), dtype=np.float64)
    for part in range(len(trace.parts)):
        looking = [k for k, head in enumerate(trace.heads) if head.part == part]
        if looking:
            total += maps[:, looking].mean(1)
    return total.astype(np.float32)


def _grouped(weights: Floats, rows: Sequence[tuple[str, tuple[int, ...]]], columns: Columns) -> Floats:
    """Summed over the pieces of a source word, averaged over those of a target word; [rows, columns]."""
    summed = np.stack([weights[:, list(places)].sum(1) for places in columns.members], axis=1)
    return np.stack([summed[list(steps)].mean(0) for _, steps in rows])


def _ticks(labels: Sequence[str]) -> dict[str, Any]:
    every = math.ceil(len(labels) / MOST_LABELS)
    shown = range(0, len(labels), every)
    return dict(tickmode="array", tickvals=[place + 1 for place in shown], ticktext=[_tick(labels[place]) for place in shown])


def _tick(label: str) -> str:
    cut = label if len(label) <= LONGEST_LABEL else shortened(label, LONGEST_LABEL) if " " in label else label[: LONGEST_LABEL - 1] + "…"
    return plain("end" if cut == END else cut)


def _short(labels: Sequence[str]) -> bool:
    return len(labels) <= 12 and max(map(len, labels)) <= 8


def _parts(figure: go.Figure, columns: Columns, theme: Theme) -> None:
    """The names of several texts, and a line where one ends."""
    if len(columns.borders) < 2:
        return
    for at, name in columns.borders:
        figure.add_annotation(x=at + 1, y=0, yref="paper", yanchor="top", xanchor="left", text=plain(name), showarrow=False)
        if at:
            figure.add_vline(at + 0.5, line=dict(width=3, color=_ink(theme)))


def _bars(trace: DecodeTrace, hypothesis: int, rows: Sequence[tuple[str, tuple[int, ...]]], theme: Theme) -> go.Figure:
    path = trace.path(hypothesis)
    chances = [math.exp(sum(path[t].logprob for t in steps)) for _, steps in rows]
    said = [f"step {place}: <b>{plain(label)}</b>" for place, (label, _) in enumerate(rows, 1)]
    colour = (DARK if theme == "dark" else LIGHT).muted
    bars = go.Bar(
        x=chances, y=list(range(1, len(rows) + 1)), orientation="h", marker=dict(color=colour), hovertext=said,
        hovertemplate="%{hovertext}<br>probability %{x:.4f}<extra></extra>",
    )  # fmt: skip
    figure = go.Figure(bars)
    _layout(figure, theme, len(rows))
    figure.update_xaxes(range=[0, 1], title=dict(text="probability of each token"))
    figure.update_yaxes(autorange="reversed", **_ticks([label for label, _ in rows]))
    return figure


def _layout(figure: go.Figure, theme: Theme, rows: int, *, menu: bool = False) -> None:
    figure.update_layout(
        height=min(MOST, max(LEAST, AROUND + ROW * rows)),
        margin=dict(l=8, r=8, t=36, b=72 if menu else 16), dragmode="zoom", template="none",
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)", font=dict(size=15, color=_ink(theme)),
        hoverlabel=dict(font=dict(size=15)), modebar=dict(bgcolor="rgba(0,0,0,0)", color=_ink(theme), activecolor=_palette(theme).accent),
    )  # fmt: skip
    text = dict(size=15, color=_ink(theme))
    for axes in (figure.update_xaxes, figure.update_yaxes):
        axes(showgrid=False, zeroline=False, automargin=True, ticks="", tickfont=text, title_font=text)


def _palette(theme: Theme) -> Palette:
    return DARK if theme == "dark" else LIGHT


def _ink(theme: Theme) -> str:
    return THEME_INK if theme == "streamlit" else _palette(theme).text


def _scale(theme: Theme) -> list[Any]:
    return THEME_SCALE if theme == "streamlit" else [[i / 32, colour] for i, colour in enumerate(color_scale(theme))]


def _menu(theme: Theme) -> dict[str, Any]:
    colours = {} if theme == "streamlit" else dict(bgcolor=_palette(theme).surface, bordercolor=_palette(theme).border)
    return dict(font=dict(color=_ink(theme)), **colours)
