"""Compare: the same source through several variants, under one cursor."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from demo import comparison, controls, examples, resources, state, widgets
from demo.comparison import TYPED, Entry, Requests
from demo.components.outputs import output_table
from demo.components.player import attention_player
from demo.components.player_data import PlayerLayout, PlayerOptions, clock_data, player_data
from demo.state import DecodeRequest

ONE_ROW, TWO_ROWS = 400, 300  # the height of a map, in pixels


def main() -> None:
    tasks = [task for task in ("translation", "transliteration") if resources.installed(task)]
    task = state.TASK.clean(state.current(state.TASK))
    task = task if task in tasks else "translation"
    field, offered = (state.SENTENCE, examples.GERMAN) if task == "translation" else (state.WORD, examples.LATIN["Hindi"])
    widgets.heading("Compare", offered[1:4], field)
    text = widgets.input_row(field, placeholder="Type something, or take an example")
    requests = choose(tasks, task, text)
    followed, target = how(list(requests))
    if not tasks:
        widgets.no_model(task)
    elif not text.strip():
        st.info("Type something to decode, or take one of the examples above.", icon=":material/edit:")
    elif len(requests) < 2:
        st.info("Choose at least two to compare.", icon=":material/view_column:")
    elif followed == TYPED and not target.strip():
        st.info("Type the words that all of them are to say.", icon=":material/edit:")
    else:
        first = next(iter(requests.values()))[1]
        shown = widgets.showing("compare", replace(first, model_id="+".join(requests), prefix=target, edits=followed or ""))
        for info, _ in requests.values():
            widgets.load(info.id)
        show(comparison.answers(requests, followed, target), shown)


def choose(tasks: list[str], task: str, text: str) -> Requests:
    """What to compare, by name; the widgets that stand between the text and the players."""
    infos = resources.installed(task)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if len(tasks) > 1:
            with st.container(width=170):
                controls.menu(state.TASK, tasks)
        kind = controls.segments(state.COMPARE)
        if kind == "searches":
            with st.container(width=170):
                model_id = widgets.model_menu(state.TRANSLATION_MODEL if task == "translation" else state.TRANSLITERATION_MODEL, task)
            names = controls.several(state.COMPARED_SEARCHES, list(comparison.SEARCHES))
        else:
            known, field = (
                (comparison.cells(infos), state.COMPARED_CELLS) if kind == "cells" else (comparison.attentions(infos), state.COMPARED)
            )
            names = controls.several(field, list(known))
    if kind == "searches":
        found = [info for info in infos if info.id == model_id]
        return {name: (info, DecodeRequest(info.id, text, settings=comparison.SEARCHES[name])) for info in found for name in names}
    settings = state.current_settings()
    return {name: (known[name], DecodeRequest(known[name].id, text, settings=settings)) for name in names}


def how(names: list[str]) -> tuple[str | None, str]:
    """How maps are drawn, and whose words are said: None, each its own; else the one that all follow, or TYPED with the words."""
    followed, target = None, ""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        for option in (state.WORDS, state.NUMBERS, state.SAME_TARGET):
            same = controls.flag(option)
        if same:
            followed = controls.menu(state.FOLLOWED, [*names, TYPED])
            target = controls.line(state.TARGET) if followed == TYPED else ""
        if state.current(state.COMPARE) != "searches":
            with st.popover("Search"):
                controls.search_settings()
    return followed, target


def show(entries: list[Entry], shown: widgets.Showing) -> None:
    """The clock, the players that follow it, and the table."""
    options, parted = replace(state.player_options(), fit=True), comparison.partings([entry.trace for entry in entries])
    steps = max(comparison.steps_of(entry.trace, options.words) for entry in entries)
    led = PlayerLayout(sync="compare", autoplay=shown.autoplay, round=shown.round)
    attention_player(clock_data(steps), key="clock", options=options, layout=led, on_options=lambda: remember("clock"))
    per_row = comparison.PER_ROW[len(entries)]
    follows = replace(led, controls=False, panel=False, autoplay=False, height=ONE_ROW if len(entries) <= per_row else TWO_ROWS)
    for begin in range(0, len(entries), per_row):
        for place, entry, step in zip(st.columns(per_row, gap="small"), entries[begin:], parted[begin:], strict=False):
            with place, st.container(gap=None):
                key = f"player_{entry.name.replace(' ', '_')}"
                st.html(comparison.color_bar(entry))
                data = player_data(entry.trace, variant=entry.info.variant, diverges=step, title=entry.name)
                attention_player(data, key=key, options=options, layout=follows, on_options=lambda key=key: remember(key))
    output_table(comparison.rows(entries, parted), comparison.COLUMNS, key="figures", title="Outputs")


def remember(key: str) -> None:
    """Callback: where the cursor stands, and how fast it moves, belong to the link; the rest has its own controls here."""
    reported = PlayerOptions.from_dict((st.session_state.get(key) or {}).get("options"))
    state.remember(state.STEP, -1 if reported.step is None else reported.step)
    state.remember(state.SPEED, reported.speed)


main()
