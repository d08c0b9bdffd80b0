"""The outputs behind a bar: which sentences of a length a variant gets wrong, and a way to look at one on another page.

The sentences of a dev set are not ours to show: behind its bars stand our own of the same length.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from demo import controls, state
from demo.app import lab
from demo.blocks import answer
from demo.components.events import choice, selected, whole
from demo.components.outputs.mount import Row, output_table
from demo.lab import language_of
from demo.labs.bottleneck.data import Pair, own_of_length
from demo.labs.bottleneck.results import Result, failures, outputs_now, wrong_among
from demo.tasks import TASKS

SHOWN = 6  # failures in the list


def remember_bar(key: str) -> None:
    """Callback of the chart: the bar that was clicked belongs to the link."""
    variant, bucket = (*selected(key), None, None)[:2]
    if isinstance(variant, str) and (place := whole(bucket)) is not None:
        state.assign(state.BAR, variant)
        state.remember(state.BUCKET, place + 1)
        state.remember(state.FAILED, 1)


def failing(task: str, results: Sequence[Result], pairs: Sequence[Pair]) -> None:
    """The failures of one bar, the worst first."""
    known = {result.variant: result for result in results}
    buckets = results[0].buckets
    bucket = min(state.current(state.BUCKET), len(buckets))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        with st.container(width=190):
            result = known[controls.menu(state.BAR, list(known))]
        lengths = ["choose a length", *result.names]
        with st.container(width=190):
            bucket = st.selectbox(
                "of length", range(len(lengths)), bucket, format_func=lambda place: lengths[place], key=f"bucket_{bucket}_{len(lengths)}",
                on_change=_choose_bucket, args=(f"bucket_{bucket}_{len(lengths)}",),
            )  # fmt: skip
    if not bucket:
        return
    pairs, outputs, wrong, count = _behind(task, result, pairs, bucket - 1)
    if not count:
        st.info("None of our own is of this length; choose another.", icon=":material/info:")
        return
    if not wrong:
        st.success(f"Every output of {result.variant} in this bar is the reference.", icon=":material/check:")
        return
    own = "" if result.outputs else " of our own"
    chosen = min(state.current(state.FAILED), len(wrong), SHOWN) - 1
    left, right = st.columns(2, gap="medium")
    written = language_of(f"{task}/{result.variant}")
    with left:
        output_table(
            [Row(str(i + 1), outputs[place], chosen=i == chosen) for i, place in enumerate(wrong[:SHOWN])],
            key="failures", header="output, the worst first", on_choose=_choose_failure, language=written, dense=True,
            title=f"{result.variant}: {len(wrong)} of {count}{own} are not the reference",
        )  # fmt: skip
    with right:
        pair = pairs[wrong[chosen]]
        told = (("source", pair.source), ("output", outputs[wrong[chosen]]), ("reference", pair.target))
        output_table(
            [Row(lead, text) for lead, text in told], key="failure", title=f"Number {chosen + 1}", header="text", language="", dense=True
        )
        open_elsewhere(task, result.variant, pair)


def _behind(task: str, result: Result, pairs: Sequence[Pair], bucket: int) -> tuple[Sequence[Pair], Sequence[str], list[int], int]:
    """Of one bar: the pairs, what became of all of them, which are wrong, and among how many."""
    if result.outputs:
        return pairs, result.outputs, failures(result, pairs, bucket), result.buckets[bucket]["n"]
    first, last, _ = result.lengths[bucket]
    own = own_of_length(task, TASKS[task].unit, first, last if bucket + 1 < len(result.buckets) else None)
    if own:
        answer.load(f"{task}/{result.variant}")
    outputs = outputs_now(task, result.variant, own)
    return own, outputs, wrong_among(outputs, own, range(len(own))), len(own)


def _choose_bucket(key: str) -> None:
    state.remember(state.BUCKET, int(st.session_state[key]))
    state.remember(state.FAILED, 1)


def _choose_failure() -> None:
    row = choice("failures", SHOWN)
    if row is not None:
        state.remember(state.FAILED, row + 1)


def open_elsewhere(task: str, variant: str, pair: Pair) -> None:
    """The chosen sentence on the pages that decode it."""
    row = TASKS[task]
    values = {row.fields[0].key: pair.source, row.model.key: variant}
    if task != state.TASK.default:
        values[state.TASK.key] = task
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        for one in (lab("translate"), lab("compare")):
            if any(query.text == pair.source for query in one.queries(state.values_of("") | values).values()):
                st.page_link(one.file, label=f"Open in {one.title}", icon=":material/open_in_new:", query_params=values)
