"""The still charts of the Bottleneck page, as Plotly figures: scores by length, points, a trajectory, and maps of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from demo.colours import GROUPS, LESS, MORE, THEME_INK, THEME_SCALE, VARIANTS
from demo.wording import change

if TYPE_CHECKING:
    from demo.labs.bottleneck.results import Result
    from seq2seq_core.study.vectors import Projection
    from seq2seq_core.trace.nodes import Doubles

# Streamlit puts the theme's own colours in the place of these, for both themes and without a new run.
THEME_VARIANTS = [f"#{number:06d}" for number in range(1, len(VARIANTS) + 1)]
DIFFERENCE_SCALE = [
    [0.0, "rgba({},{},{},0.9)".format(*LESS)],
    [0.5, "rgba({},{},{},0)".format(*LESS)],
    [0.5, "rgba({},{},{},0)".format(*MORE)],
    [1.0, "rgba({},{},{},0.9)".format(*MORE)],
]
FORMS = {"active": "circle", "object first": "square", "passive": "diamond", "paraphrase": "triangle-up", "yours": "star"}
TEXT = dict(size=16, color=THEME_INK)
RING = "#8f8f8f"
LABEL = 0.07, 0.045  # the room of a number, as shares of a chart of points
MOST_LABELLED = 4  # variants whose scores are written on the bars


@dataclass(frozen=True, slots=True)
class Mark:
    """One point: what it stands for, and how it is drawn."""

    text: str
    group: int  # its colour
    open: bool  # drawn hollow
    form: str  # its shape
    legend: str


def _layout(figure: go.Figure, height: int, **more: Any) -> go.Figure:
    figure.update_layout(
        height=height, margin=dict(l=8, r=8, t=8, b=8), dragmode=False, hovermode="closest", font=TEXT,
        hoverlabel=dict(font=dict(size=TEXT["size"])), legend=dict(orientation="h", y=1.02, yanchor="bottom", x=0, font=TEXT), **more,
    )  # fmt: skip
    figure.update_xaxes(tickfont=TEXT, title_font=TEXT, automargin=True, fixedrange=True)
    figure.update_yaxes(tickfont=TEXT, title_font=TEXT, automargin=True, fixedrange=True)
    return figure


def length_chart(results: Sequence[Result], unit: str, title: str, height: int = 420) -> go.Figure:
    """Bars span the interval, the dash in each is the score. Points carry [variant, bucket] for a click."""
    figure = go.Figure()
    width = 0.84 / len(results)
    count = len(results[0].buckets)
    for number, result in enumerate(results):
        color = THEME_VARIANTS[VARIANTS.index(result.variant)] if result.variant in VARIANTS else THEME_INK  # ink: a Transformer
        places = [bucket + (number - (len(results) - 1) / 2) * width for bucket in range(count)]
        scores = [result.score(bucket) for bucket in range(count)]
        told = [[result.variant, bucket, *scores[bucket], result.buckets[bucket]["n"]] for bucket in range(count)]
        hover = "%{customdata[0]}: %{customdata[2]:.1f} [%{customdata[3]:.1f}, %{customdata[4]:.1f}], n = %{customdata[5]}<extra></extra>"
        figure.add_bar(
            x=places, y=[high - low for _, low, high in scores], base=[low for _, low, _ in scores], width=width * 0.84,
            marker=dict(color=color, opacity=0.5, line=dict(width=0)), name=result.variant, customdata=told, hovertemplate=hover,
            legendgroup=result.variant, text=[f"{value:.0f}" for value, _, _ in scores] if len(results) <= MOST_LABELLED else None,
            textposition="outside", textangle=0, textfont=TEXT, cliponaxis=False,
        )  # fmt: skip
        dash = dict(type="constant", value=width * 0.42, thickness=4, width=0, color=color)
        figure.add_scatter(
            x=places, y=[value for value, _, _ in scores], mode="lines+markers", line=dict(color=color, width=1.5), error_x=dash,
            marker=dict(size=2, color=color), name=result.variant, customdata=told, hovertemplate=hover, showlegend=False,
            legendgroup=result.variant, cliponaxis=False,
        )  # fmt: skip
    names = [f"{name}<br>n = {b['n']:,}" for name, b in zip(results[0].names, results[0].buckets, strict=True)]
    figure.update_xaxes(
        tickvals=list(range(count)), ticktext=names, range=[-0.55, count - 0.45], showgrid=False, tickangle=0, title=f"{unit} in the source"
    )
    figure.update_yaxes(title=title, rangemode="tozero" if min(r.score(b)[1] for r in results for b in range(count)) < 5 else "normal")
    return _layout(figure, height, bargap=0, barmode="overlay")


def points_chart(projection: Projection, marks: Sequence[Mark], chosen: int, height: int = 560) -> go.Figure:
    """Sentences in two dimensions; the numbers are those of the list. Points carry their place for a click."""
    figure = go.Figure()
    points = projection.points
    named = with_room(points, chosen)
    figure.add_scatter(
        x=[points[chosen, 0]], y=[points[chosen, 1]], mode="markers", showlegend=False, hoverinfo="skip",
        marker=dict(symbol="circle-open", size=32, color=RING, line=dict(width=4)),
    )  # fmt: skip
    for legend in dict.fromkeys(mark.legend for mark in marks):
        places = [place for place, mark in enumerate(marks) if mark.legend == legend]
        figure.add_scatter(
            x=points[places, 0], y=points[places, 1], mode="markers+text", name=legend,
            marker=dict(
                symbol=[FORMS[marks[place].form] + ("-open" if marks[place].open else "") for place in places],
                size=15, color=GROUPS[marks[places[0]].group], opacity=1, line=dict(width=3 if marks[places[0]].open else 0),
            ),
            text=[str(place + 1) if place in named else "" for place in places], textposition="middle right", textfont=TEXT,
            customdata=[[place, f"{place + 1}  {escape(marks[place].text)}"] for place in places],
            hovertemplate="%{customdata[1]}<extra></extra>", cliponaxis=False,
        )  # fmt: skip
    return _axes(_layout(figure, height), projection)


def with_room(points: Doubles, chosen: int) -> set[int]:
    """The points whose numbers can stand to their right without another point or number under theirs, and the chosen one. The others say
    it when pointed at."""
    spread = points / (np.ptp(points, axis=0) + 1e-12)  # [N, 2]: the chart's width and height are 1
    named: list[int] = []
    for place in [chosen, *(place for place in range(len(points)) if place != chosen)]:
        away = spread - spread[place]  # [N, 2]
        level = np.abs(away[:, 1]) < LABEL[1]
        covers = level & (away[:, 0] > 0) & (away[:, 0] < LABEL[0])
        beside = level[named] & (np.abs(away[named, 0]) < LABEL[0])
        if place == chosen or not (covers.any() or beside.any()):
            named.append(place)
    return set(named)


def trajectory_chart(projection: Projection, labels: Sequence[str], height: int = 560) -> go.Figure:
    """From the first decoder state to the last, each labelled with the token that was said there."""
    figure = go.Figure()
    points = projection.points
    figure.add_scatter(
        x=points[:, 0], y=points[:, 1], mode="lines+markers+text", text=[escape(label) for label in labels],
        textposition=[_beside(points, place) for place in range(len(points))], textfont=dict(size=20, color=THEME_INK),
        line=dict(width=2, color=RING),
        marker=dict(size=[16, *([10] * (len(points) - 1))], symbol=["square", *(["circle"] * (len(points) - 1))], color=GROUPS[1]),
        customdata=[[place] for place in range(len(points))], hovertemplate="s<sub>%{customdata[0]}</sub> %{text}<extra></extra>",
        cliponaxis=False, showlegend=False,
    )  # fmt: skip
    for before, after in pairwise(points):
        middle = before + 0.6 * (after - before)
        figure.add_annotation(
            x=middle[0], y=middle[1], ax=before[0], ay=before[1], xref="x", yref="y", axref="x", ayref="y",
            text="", showarrow=True, arrowhead=2, arrowsize=1.4, arrowwidth=2, arrowcolor=RING,
        )  # fmt: skip
    return _axes(_layout(figure, height), projection)


def _beside(points: Doubles, place: int) -> str:
    """Where a label stands: away from the middle of its neighbours."""
    near = points[max(0, place - 1) : place + 2].mean(0)
    return ("top " if points[place, 1] >= near[1] else "bottom ") + ("right" if points[place, 0] >= near[0] else "left")


def _axes(figure: go.Figure, projection: Projection) -> go.Figure:
    names = [f"component {number} ({share:.0%} of the variance)" for number, share in enumerate(projection.explained, 1)]
    for update, name, values in (
        (figure.update_xaxes, names[0], projection.points[:, 0]),
        (figure.update_yaxes, names[1], projection.points[:, 1]),
    ):
        margin = 0.12 * max(float(np.ptp(values)), 1e-6)
        update(title=name, showticklabels=False, zeroline=False, range=[float(values.min()) - margin, float(values.max()) + margin])
    return figure


def word_map(
    weights: Doubles, source: Sequence[str], target: Sequence[str], *, signed: bool = False, links: Sequence[tuple[int, int, bool]] = ()
) -> go.Figure:
    """Rows are target words, columns source words. `signed`: from -1 to 1; `links`: source, target and whether it is sure, as frames."""
    figure = go.Figure(
        go.Heatmap(
            z=weights, x=list(range(len(source))), y=list(range(len(target))), zmin=-1 if signed else 0, zmax=1, xgap=2, ygap=2,
            colorscale=DIFFERENCE_SCALE if signed else THEME_SCALE, showscale=False,
            customdata=[[f"{escape(word)} → {escape(said)}" for word in source] for said in target],
            hovertemplate="%{customdata}: %{z:" + ("+.2f" if signed else ".2f") + "}<extra></extra>", hoverongaps=False,
        )
    )  # fmt: skip
    if signed:
        strong = [(i, j) for j, i in np.argwhere(np.abs(np.nan_to_num(weights)) >= 0.15)]
        figure.add_scatter(
            x=[i for i, _ in strong], y=[j for _, j in strong], mode="text", hoverinfo="skip",
            showlegend=False, textfont=dict(size=15, color=THEME_INK),
            text=[change(weights[j, i]).replace("0.", ".") for i, j in strong],
        )  # fmt: skip
    for i, j, sure in links:
        figure.add_shape(
            type="rect",
            x0=i - 0.44,
            x1=i + 0.44,
            y0=j - 0.42,
            y1=j + 0.42,
            line=dict(color=GROUPS[2], width=3, dash="solid" if sure else "dot"),
        )
    figure.update_xaxes(
        tickvals=list(range(len(source))), ticktext=[escape(word) for word in source], side="top", tickangle=-55, ticklabeloverflow="allow"
    )
    figure.update_yaxes(tickvals=list(range(len(target))), ticktext=[escape(word) for word in target], autorange="reversed")
    figure.update_xaxes(showgrid=False, zeroline=False)
    figure.update_yaxes(showgrid=False, zeroline=False)
    return _layout(figure, 130 + 34 * len(target)).update_layout(margin_r=44)  # the last label leans out
