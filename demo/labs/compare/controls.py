"""The controls of Compare: what stands side by side, whose words are said, and how it is drawn."""

from __future__ import annotations

import streamlit as st

from demo import controls, resources, state
from demo.blocks import comparison, widgets
from demo.blocks.comparison import TYPED, Queries
from demo.own import models
from demo.query import Query


def choose(tasks: list[str], task: str, text: str) -> Queries:
    """What to compare, by name; the widgets that stand between the text and the players."""
    own = {name: model.info for name, model in models.of_text().items()} if task == "translation" else {}
    infos = resources.installed(task)
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        if len(tasks) > 1:
            with st.container(width=170):
                controls.menu(state.TASK, tasks)
        kind = controls.segments(state.COMPARE)
        if kind == "searches":
            with st.container(width=170):
                model_id = widgets.model_menu(state.MODELS[task], task)
            names = controls.several(state.COMPARED_SEARCHES, list(comparison.SEARCHES))
        else:
            cells = kind == "cells"
            known = comparison.cells(infos) if cells else comparison.attentions(infos) | own
            field = state.COMPARED_CELLS if cells else state.COMPARED
            asked: tuple[str, ...] = state.current(field)
            names = controls.several(field, list(known))
            models.refuse_strangers(list(asked), list(own))
    if kind == "searches":
        found = [info for info in [*infos, *own.values()] if info.id == model_id]
        return {name: (info, Query(info.id, (text,), settings=comparison.SEARCHES[name])) for info in found for name in names}
    settings = state.current_settings()
    return {name: (known[name], Query(known[name].id, (text,), settings=settings)) for name in names}


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
