"""Transliterate: words in Latin letters become Devanagari, another script, or their sounds, while they are typed."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

from demo import lab
from demo.blocks import answer, steer_from
from demo.blocks.player import player, showing
from demo.components.outputs.mount import output_line
from demo.lab import Queries, Values
from demo.labs.transliterate import LAB, sounds, words
from demo.labs.transliterate.row import choose, latin, row, word_list
from demo.state import LANGUAGE, WORD
from demo.visitors.turn import by_itself
from demo.wording import signed


@by_itself
def main() -> None:
    source = row(LAB.title)
    if source is not None and source.ready() and latin(source):
        show(LAB.queries(source.values), source.values)


def show(queries: Queries, values: Values) -> None:
    """All words as a line; of one of them the player, and the likeliest outputs."""
    place, typed = st.container(), values[WORD.key]
    nth = choose([query.text for query in queries.values()], typed)
    query = list(queries.values())[nth]
    shown = showing(LAB.name, query)
    traces = [answer.trace_of(each) for each in queries.values()]
    trace = traces[nth]
    hypothesis, language = answer.hypothesis_of(trace), lab.language_of(query.model_id)
    chosen = [each.hypotheses[hypothesis if i == nth else 0] for i, each in enumerate(traces)]
    with place:
        note = "The models know words, not sentences: each is read by itself. Choose one to see where it looked." if len(traces) > 1 else ""
        total = replace(answer.LOG_P, value=signed(math.fsum(found.total for found in chosen)))
        said = words.joined(words.split(typed), [found.text for found in chosen])
        output_line(said, [total], key="all_words", language=language, note=note)
    answer.unknown_signs(trace)
    hear = steer_from.hear(query, trace, hypothesis)
    player(trace, hypothesis, layout=shown.layout(), actions=steer_from.actions(query), on_click=hear)
    steer_from.lead()
    word_list(values[LANGUAGE.key])
    answer.top_outputs(trace, hypothesis, language=language)
    if sounds_like := sounds.said(trace.hypotheses[hypothesis].text):
        st.caption(sounds_like)


main()
