"""Compare: the same source through several variants, under one cursor."""

from __future__ import annotations

import streamlit as st

from demo import resources, state, tasks
from demo.blocks import answer, comparison
from demo.blocks.comparison import TYPED
from demo.blocks.player import showing
from demo.blocks.source import no_model, source_row
from demo.labs.compare import LAB, controls, view
from demo.labs.compare.opening import open_on_one


def main() -> None:
    open_on_one()
    source = source_row(tasks.compared(), title=LAB.title, model=False, search=False)
    values = controls.how(source, controls.choose(source))
    names = controls.names(values)
    if not resources.installed(source.task):
        no_model(source.task)
    elif source.missing:
        st.info(source.missing, icon=":material/edit:")
    elif len(names) < 2:
        st.info("Choose at least two to compare.", icon=":material/view_column:")
    elif values[state.SAME_TARGET.key] and values[state.FOLLOWED.key] == TYPED and not values[state.TARGET.key].strip():
        st.info("Type the words that all of them are to say.", icon=":material/edit:")
    else:
        queries = LAB.queries(values)
        shown = showing(LAB.name, *queries.values())
        for query in queries.values():
            answer.load(query.model_id)
        view.show(comparison.answers(queries), shown, queries)


main()
