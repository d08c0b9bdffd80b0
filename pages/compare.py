"""Compare: the same source through several variants, under one cursor."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from demo import examples, resources, state
from demo.blocks import comparison, steer_from, widgets
from demo.blocks.comparison import TYPED, Entry
from demo.components.outputs.mount import output_table
from demo.components.player.data import PlayerLayout, clock_data, player_data
from demo.components.player.mount import attention_player, reported_options
from demo.labs.compare import controls
from demo.query import Query

ONE_ROW, TWO_ROWS = 400, 300  # the least height of a map, in pixels


def main() -> None:
    tasks = [task for task in ("translation", "transliteration") if resources.installed(task)]
    task = state.TASK.clean(state.current(state.TASK))
    task = task if task in tasks else "translation"
    field, offered = (state.SENTENCE, examples.GERMAN) if task == "translation" else (state.WORD, examples.LATIN["Hindi"])
    widgets.heading("Compare", offered[1:4], field)
    text = widgets.input_row(field, placeholder="Type something, or take an example")
    chosen = controls.choose(tasks, task, text)
    followed, target = controls.how(list(chosen))
    if not tasks:
        widgets.no_model(task)
    elif not text.strip():
        st.info("Type something to decode, or take one of the examples above.", icon=":material/edit:")
    elif len(chosen) < 2:
        st.info("Choose at least two to compare.", icon=":material/view_column:")
    elif followed == TYPED and not target.strip():
        st.info("Type the words that all of them are to say.", icon=":material/edit:")
    else:
        told = comparison.told(chosen, followed, target)
        queries = [query for _, query in told.values()]
        shown = widgets.showing("compare", queries[0], tuple(queries))
        for query in queries:
            widgets.load(query.model_id)
        show(comparison.answers(told), shown, queries)


def show(entries: list[Entry], shown: widgets.Showing, queries: list[Query]) -> None:
    """The clock, the players that follow it, and the table."""
    options, parted = replace(state.player_options(), fit=True), comparison.partings([entry.trace for entry in entries])
    steps = max(comparison.steps_of(entry.trace, options.words) for entry in entries)
    led = PlayerLayout(sync="compare", autoplay=shown.autoplay, round=shown.round)
    attention_player(clock_data(steps), key="clock", options=options, layout=led, on_options=lambda: remember("clock"))
    per_row = comparison.per_row(len(entries), entries[0].trace, options.words)
    height = comparison.height(steps, ONE_ROW if len(entries) <= per_row else TWO_ROWS)
    follows = replace(led, controls=False, panel=False, autoplay=False, height=height)
    for begin in range(0, len(entries), per_row):
        row = zip(st.columns(per_row, gap="small"), entries[begin:], parted[begin:], queries[begin:], strict=False)
        for place, entry, step, query in row:
            with place, st.container(gap=None):
                key = f"player_{entry.name.replace(' ', '_')}"
                st.html(comparison.color_bar(entry))
                data = player_data(entry.trace, variant=entry.info.variant, diverges=step, title=entry.name)
                attention_player(
                    data, key=key, options=options, layout=follows, on_options=partial(remember, key),
                    on_click=partial(steer_from.take, key, query, entry.trace, 0),
                )  # fmt: skip
    steer_from.offer(queries)
    output_table(comparison.rows(entries, parted), comparison.columns(entries[0]), key="figures", title="Outputs")


def remember(key: str) -> None:
    """Callback: where the cursor stands, and how fast it moves, belong to the link; the rest has its own controls here."""
    options = reported_options(key)
    if options is not None:
        state.remember(state.STEP, -1 if options.step is None else options.step)
        state.remember(state.SPEED, options.speed)


main()
