"""Headline: the first sentence of a news story becomes its headline, and what is copied from it is shown."""

from __future__ import annotations

import streamlit as st

from demo.blocks import answer
from demo.blocks.source import source_row
from demo.labs.headline import LAB, TASK, view
from demo.wording import plain


def main() -> None:
    source = source_row((TASK,), title=LAB.title)
    if not source.ready():
        return
    (query,) = LAB.queries(source.values).values()
    trace = view.result(query)
    view.others(source.values, query)
    answer.n_best(trace, answer.hypothesis_of(trace))
    if learnt := answer.learnt(query.model_id):
        st.caption(plain(learnt))


main()
