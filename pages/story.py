"""Story: a small story and a question about it; the decoder looks at a sentence at each word, and answers."""

from __future__ import annotations

import streamlit as st

from demo.blocks import answer
from demo.blocks.source import source_row
from demo.labs.story import LAB, TASK, view
from demo.wording import plain


def main() -> None:
    source = source_row((TASK,), title=LAB.title, search=False, act="Answer")
    if not source.ready():
        return
    queries = LAB.queries(source.values)
    query = next(iter(queries.values()))
    if not view.unknown(query):
        view.result(queries)
    view.vocabulary(query)
    view.kinds(queries)
    if learnt := answer.learnt(query.model_id):
        st.caption(plain(learnt))


main()
