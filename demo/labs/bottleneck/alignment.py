"""Aligned words: attention of forced outputs against links made by hand, as an error rate and as a map of differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from demo import controls, resources, state
from demo.blocks import answer
from demo.blocks.comparison import attentions
from demo.blocks.source import no_model
from demo.components.events import choice
from demo.components.outputs.mount import Figure, Row, output_table
from demo.labs.bottleneck.data import Pair, aligned
from demo.visitors.kept import kept
from demo.wording import plain

if TYPE_CHECKING:
    from seq2seq_core.store.zoo import ModelInfo
    from seq2seq_core.trace.nodes import Doubles
    from seq2seq_core.training.metrics import Counts

TASK = "translation"
CHART = {"displayModeBar": False}
GOLD = "gold"
WITHOUT = ("none", "every-step")
AT_ONCE = 16
DIAGONAL = "diagonal"


def part() -> None:
    known = attentions(resources.installed(TASK))
    mapped = {name: info for name, info in known.items() if name not in WITHOUT}
    if not known:
        no_model(TASK)
        return
    maps = attention_maps(mapped)
    pair, shown, against = choose(list(mapped))
    if shown:
        panels(pair, maps[shown][pair], shown, against, maps.get(against))
    else:
        st.info("No installed variant has an attention map, so there is nothing to compare with the gold links.", icon=":material/info:")
    error_table(list(known), maps)


def attention_maps(mapped: Mapping[str, ModelInfo]) -> dict[str, tuple[Doubles, ...]]:
    """The attention of every variant while it is made to say the references, by word."""
    total = len(mapped) * len(aligned())
    for info in mapped.values():
        answer.load(info.id)
    bar = st.progress(0.0, "Reading the attention")
    maps = {}
    try:
        for number, (name, info) in enumerate(mapped.items()):
            own: list[Doubles] = []
            for begin in range(0, len(aligned()), AT_ONCE):
                own += _maps(info.id, str(info.card.get("sha256")), aligned()[begin : begin + AT_ONCE])
                bar.progress((number * len(aligned()) + len(own)) / total, f"{name}: {len(own)} of {len(aligned())} references")
            maps[name] = tuple(own)
    finally:
        bar.empty()
    return maps


@kept(256, 24)
def _maps(model_id: str, weights: str, pairs: tuple[Pair, ...]) -> tuple[Doubles, ...]:  # noqa: ARG001
    from seq2seq_core.study.alignment import word_attention

    with resources.my_turn():
        traces = resources.pipeline(model_id).score_batch([pair.source for pair in pairs], [pair.target for pair in pairs])
    return tuple(word_attention(trace) for trace in traces)


def choose(mapped: list[str]) -> tuple[int, str, str]:
    """Which pair is shown, whose map, and what is taken away from it."""
    pairs = aligned()
    chosen = min(state.current(state.PAIR), len(pairs)) - 1
    key = f"pair_{chosen}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        with st.container(width="stretch"):
            st.selectbox(
                "Pair", range(len(pairs)), chosen, format_func=lambda place: f"{place + 1}  {pairs[place].source}", key=key,
                on_change=lambda: state.remember(state.PAIR, int(st.session_state[key]) + 1),
            )  # fmt: skip
        if not mapped:
            return chosen, "", ""
        with st.container(width=190):
            shown = controls.menu(state.MAP_OF, mapped)
        with st.container(width=190):
            against = controls.menu(state.AGAINST, [GOLD, *mapped])
    return chosen, shown, against


def words(pair: Pair) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """As every subword model here groups its pieces; the links count these words."""
    from seq2seq_core.inputs.spans import split_words

    return split_words(pair.source), split_words(pair.target)


def panels(place: int, weights: Doubles, shown: str, against: str, others: Sequence[Doubles] | None) -> None:
    """Gold, attention, and the one less the other."""
    from demo.labs.bottleneck.charts import word_map
    from seq2seq_core.study.alignment import difference_map, error_rate, error_stats, gold_map, strongest_links

    pair = aligned()[place]
    gold = pair.gold()
    source, target = words(pair)
    ideal = gold_map(gold, len(source), len(target))
    taken = ideal if others is None else others[place]
    difference = difference_map(weights, taken)
    links = [(i, j, (i, j) in gold.sure) for i, j in sorted(gold.possible)]
    rate = float(error_rate(error_stats(strongest_links(weights), gold)))
    moved = float(np.nansum(np.abs(difference)) / 2 / max(1, int((~np.isnan(difference[:, 0])).sum())))
    drawn = (
        ("Gold links", "solid: sure, dotted: possible", word_map(ideal, source, target, links=links)),
        (f"Attention of {shown}", f"alignment error here {rate:.0f} %", word_map(weights, source, target, links=links)),
        (f"{shown} less {against}", f"{moved:.0%} of a row differs, on average", word_map(difference, source, target, signed=True)),
    )
    for column, (title, note, figure) in zip(st.columns(3, gap="small"), drawn, strict=True):
        with column:
            st.markdown(f"**{plain(title)}**")
            st.caption(plain(note))
            alt = f"{title}: rows are {plain(pair.target)} columns are {plain(pair.source)}"
            st.plotly_chart(figure, key=f"map_{title}", config=CHART, alt=alt)
    st.caption(
        "Rows: English words, forced one after the other. Columns: German words. In the difference, blue is more weight, orange less."
    )


def statistics(pairs: Sequence[Pair], maps: Sequence[Doubles]) -> Counts:
    """[n, 4] of every sentence."""
    from seq2seq_core.study.alignment import error_stats, strongest_links

    return np.stack([error_stats(strongest_links(weights), pair.gold()) for pair, weights in zip(pairs, maps, strict=True)])


def _diagonal(pairs: Sequence[Pair]) -> Counts:
    from seq2seq_core.study.alignment import diagonal_links, error_stats

    return np.stack([error_stats(diagonal_links(*map(len, words(pair))), pair.gold()) for pair in pairs])


def error_table(variants: Sequence[str], maps: Mapping[str, Sequence[Doubles]]) -> None:
    """The alignment error of every variant with its interval; those without a map say so."""
    from seq2seq_core.study.alignment import error_rate
    from seq2seq_core.training.intervals import interval

    pairs, rows = aligned(), []
    for name in (*variants, DIAGONAL):
        if name not in maps and name != DIAGONAL:
            rows.append(Row("", name, ("no map", "", "")))
            continue
        stats = _diagonal(pairs) if name == DIAGONAL else statistics(pairs, maps[name])
        found = interval(stats, error_rate)
        values = (f"{found.value:.1f} %", f"{found.low:.1f} to {found.high:.1f}", f"{len(stats)}")
        text = "no model: the diagonal" if name == DIAGONAL else name
        rows.append(Row("", text, values, bars=(found.value / 100,)))

    def show_map() -> None:
        row = choice("errors", len(variants))
        if row is not None and variants[row] in maps:
            state.assign(state.MAP_OF, variants[row])

    output_table(
        rows,
        (
            Figure("AER", tip="1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|): links A, sure gold links S, possible ones P (Och and Ney 2003)."),
            Figure("95 % interval", tip="Bootstrap over the sentences."),
            Figure("n", tip="Sentence pairs linked by hand."),
        ),
        key="errors", title="Alignment error rate: each English word is linked to the German word it looks at most", header="variant",
        on_choose=show_map, note="A variant without a map looks nowhere, so it has no links. Fewer errors are better; 0 is gold itself.",
    )  # fmt: skip
