"""Sentence vectors: what the encoder makes of our sentences and of a student's, and the way of the decoder's state through an output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from demo import controls, resources, state
from demo.blocks import answer
from demo.blocks.source import model_menu, no_model
from demo.components.events import choice, selected, whole
from demo.components.outputs.mount import Figure, Row, output_line, output_table
from demo.lab import named
from demo.labs.bottleneck.data import Meaning, meanings, typed_sentences
from demo.query import Query
from demo.tasks import TASKS
from demo.visitors.kept import kept
from demo.wording import plain, token
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from demo.labs.bottleneck.charts import Mark
    from seq2seq_core.trace.nodes import Doubles

TASK = "translation"
CHART = {"displayModeBar": False}
NEAREST = 8
DISTANCE = Figure("distance", tip="Cosine distance, 1 − cos of the angle between two vectors: 0 the same direction, 1 a right angle.")


def part() -> None:
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        view = state.current(state.VECTORS)
        if not state.simple() or view != state.VECTORS.default:
            view = controls.segments(state.VECTORS)
        with st.container(width=190):
            variant = model_menu(TASKS[TASK], state.VECTOR_MODEL)
        model_id = named(TASK, variant) if variant else ""
        text = ""
        if view == "decoder states":
            with st.container(width="stretch"):
                text = controls.line(state.SENTENCE, placeholder="Type a German sentence")
    if not model_id:
        no_model(TASK)
    elif view == "sentences":
        sentences(model_id)
    elif text.strip():
        trajectory(model_id, text)
    else:
        st.info("Type a German sentence: the way of the decoder's state through its translation is drawn.", icon=":material/edit:")


# -- sentences ------------------------------------------------------------------------------------------------------------


def sentences(model_id: str) -> None:
    """The points, and whatever lies nearest to the chosen one."""
    from demo.labs.bottleneck.charts import points_chart
    from seq2seq_core.study.vectors import cosine_distances, principal_components

    left, right = st.columns([6, 5], gap="medium")
    own, problem = _own(state.current(state.SENTENCES))
    shown = [*meanings(), *own]
    answer.load(model_id)
    vectors = _vectors(model_id, _weights(model_id), tuple(one.text for one in shown))
    distances, projection = cosine_distances(vectors), principal_components(vectors)
    chosen = min(state.current(state.POINT), len(shown)) - 1
    with left:
        alt = f"{len(shown)} sentences as points in two dimensions; the table beside it lists what lies nearest to the chosen one."
        chart = points_chart(projection, marks(shown), chosen)
        if state.simple():
            chart.update_xaxes(title="")
            chart.update_yaxes(title="")
        st.plotly_chart(chart, key="points", config=CHART, on_select=_clicked, selection_mode="points", alt=alt)
        first, second = projection.explained
        st.caption(
            "Each point is a sentence, where the model’s one vector for it lies: what it takes to be alike stands near each other. "
            "Sentences of one colour speak of the same scene."
            if state.simple()
            else f"The {vectors.shape[1]} numbers of h_T, seen along two principal components: they hold {first:.0%} + {second:.0%} = "
            f"{first + second:.0%} of the variance. Colour: scene. Hollow: roles swapped. Shape: circle active, square object first, "
            "diamond passive, triangle paraphrase."
        )
    with right:  # not before the chart, which a phone shows above it
        controls.lines(state.SENTENCES, height=90, placeholder="Die Katze schläft.")
        if problem:
            st.error(plain(problem), icon=":material/error:")
        neighbours(shown, distances, chosen)
    if not state.simple():
        kinds_table(distances)


def _own(written: str) -> tuple[tuple[Meaning, ...], str]:
    """The student's sentences, or why they cannot be read; the others are shown all the same."""
    try:
        return typed_sentences(written), ""
    except InputError as error:
        return (), str(error)


def _weights(model_id: str) -> str:
    return next((str(info.card.get("sha256")) for info in resources.installed(TASK) if info.id == model_id), "")


@kept(64, 24)
def _vectors(model_id: str, weights: str, texts: tuple[str, ...]) -> Doubles:  # noqa: ARG001
    from seq2seq_core.study.vectors import sentence_vectors

    with resources.my_turn():
        return sentence_vectors(resources.pipeline(model_id), texts)


def marks(shown: Sequence[Meaning]) -> list[Mark]:
    from demo.labs.bottleneck.charts import Mark

    scenes = list(dict.fromkeys(one.scene for one in meanings()))
    first = {one.who for scene in scenes for one in [next(each for each in meanings() if each.scene == scene)]}
    return [
        Mark(one.text, scenes.index(one.scene) if one.scene in scenes else len(scenes), one.scene in scenes and one.who not in first,
             one.form, one.who)
        for one in shown
    ]  # fmt: skip


def _clicked() -> None:
    point = whole(next(iter(selected("points")), None))
    if point is not None:
        state.remember(state.POINT, point + 1)


def neighbours(shown: Sequence[Meaning], distances: Doubles, chosen: int) -> None:
    """The nearest sentences, each of which can be chosen in its turn."""
    key = f"point_{chosen}_{len(shown)}"
    st.selectbox(
        "Nearest to", range(len(shown)), chosen, format_func=lambda place: f"{place + 1}  {shown[place].text}", key=key,
        on_change=lambda: state.remember(state.POINT, int(st.session_state[key]) + 1),
    )  # fmt: skip
    order = [int(place) for place in np.argsort(distances[chosen], kind="stable") if place != chosen][:NEAREST]
    longest = max(float(distances[chosen].max()), 1e-9)

    def choose() -> None:
        row = choice("nearest", len(order))
        if row is not None:
            state.remember(state.POINT, order[row] + 1)

    rows = []
    for place in order:
        distance = float(distances[chosen, place])
        rows.append(Row(str(place + 1), shown[place].text, () if state.simple() else (f"{distance:.3f}",), bars=(distance / longest,)))
    output_table(
        rows,
        () if state.simple() else (DISTANCE,),
        key="nearest",
        title="Nearest neighbours",
        header="sentence",
        language="de",
        on_choose=choose,
        dense=True,
    )


def kinds(shown: Sequence[Meaning], distances: Doubles) -> list[tuple[str, str, float, int]]:
    """What changes between two sentences, an example, the mean distance, and of how many pairs. One of the two is active."""
    found: dict[str, list[tuple[int, int]]] = {}
    for a, one in enumerate(shown):
        for b, other in enumerate(shown):
            if one.form != "active" or a == b:
                continue
            if one.who == other.who:
                found.setdefault(f"same meaning, {other.form}", []).append((a, b))
            elif other.form == "active":
                kind = "same words, roles swapped" if one.scene == other.scene else "another scene"
                found.setdefault(kind, []).append((a, b))
    rows = []
    for kind, pairs in found.items():
        a, b = pairs[0]
        rows.append((kind, f"{shown[a].text} {shown[b].text}", float(np.mean([distances[pair] for pair in pairs])), len(pairs)))
    return sorted(rows, key=lambda row: row[2])


def kinds_table(distances: Doubles) -> None:
    """Our own sentences alone: what moves the vector how far."""
    ours = meanings()
    rows = kinds(ours, distances[: len(ours), : len(ours)])
    longest = rows[-1][2] or 1.0
    nearest = np.where(np.eye(len(ours), dtype=bool), np.inf, distances[: len(ours), : len(ours)]).argmin(1)
    same = sum(one.who == ours[place].who for one, place in zip(ours, nearest, strict=True))
    form = sum(one.form == ours[place].form for one, place in zip(ours, nearest, strict=True))
    output_table(
        [Row(kind, example, (f"{mean:.3f}", str(count)), bars=(mean / longest, None)) for kind, example, mean, count in rows],
        (DISTANCE, Figure("pairs", tip="How many pairs of sentences the mean is over.")),
        key="kinds", header="for example", language="de", dense=True, title="How far a change moves the vector, on average",
        note=f"Of our {len(ours)} sentences, {same} have one of the same meaning as their nearest neighbour, {form} one of the same form.",
    )  # fmt: skip


# -- decoder states -------------------------------------------------------------------------------------------------------


def trajectory(model_id: str, text: str) -> None:
    """The states s_0, s_1, ... of one output in two dimensions."""
    from demo.labs.bottleneck.charts import trajectory_chart
    from seq2seq_core.study.vectors import decoder_states, principal_components

    trace = answer.trace_of(Query(model_id, (text,)))
    answer.load(model_id)
    pipeline = resources.pipeline(model_id)
    states = decoder_states(pipeline, pipeline.encode(text), trace.token_ids())
    projection = principal_components(states)
    labels = ["start", *map(token, trace.tokens())]
    output_line(trace.text(), key="result")
    left, right = st.columns([5, 3], gap="medium")
    with left:
        alt = "The decoder's states as points in two dimensions, joined in order; the table beside it says how far each step went."
        st.plotly_chart(trajectory_chart(projection, labels), key="trajectory", config=CHART, alt=alt)
        first, second = projection.explained
        st.caption(
            f"The state of {states.shape[1]} numbers after each token, along two principal components of these {len(states)} states: "
            f"{first:.0%} + {second:.0%} = {first + second:.0%} of the variance. The square is s_0, made from h_T."
        )
    with right:
        steps = np.linalg.norm(np.diff(states, axis=0), axis=1)
        moved = Figure("moved", tip="Length of s_t − s_(t−1), in all dimensions.")
        rows = [
            Row(str(step + 1), label, (f"{length:.2f}",), bars=(float(length / steps.max()),))
            for step, (label, length) in enumerate(zip(labels[1:], steps, strict=True))
        ]
        output_table(rows, (moved,), key="moved", title="How far each token moves the state", header="token", dense=True)
