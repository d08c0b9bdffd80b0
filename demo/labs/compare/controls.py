"""The controls of Compare: what stands side by side, whose words are said, and how it is drawn."""

from __future__ import annotations

from typing import Any

import streamlit as st

from demo import controls, resources, state
from demo.blocks import comparison
from demo.blocks.comparison import TYPED
from demo.blocks.source import Source, model_menu
from demo.fields import ManyField
from demo.lab import Values
from demo.own import models

WHAT = {  # the field of its names
    "attention": state.COMPARED,
    "cells": state.COMPARED_CELLS,
    "wiring": state.COMPARED_WIRINGS,
    "searches": state.COMPARED_SEARCHES,
}
UNSHOWN = (*state.SEARCHING, state.WORDS, state.NUMBERS, state.SAME_TARGET, state.FOLLOWED, state.TARGET)  # in simple


def choose(source: Source) -> Values:
    """What to compare; the widgets that stand between the text and the players."""
    shown: dict[str, Any] = {}
    own = list(models.of_text()) if source.row.takes_own else []
    infos = resources.installed(source.task)
    kind = state.current(state.COMPARE)
    with source.place:
        if kind == "searches":
            with st.container(width=170):
                shown[source.row.model.key] = model_menu(source.row)
            offered = list(comparison.SEARCHES) if shown[source.row.model.key] else []
        elif kind == "attention":
            offered = [*comparison.variants(infos), *own]
        else:
            offered = list(comparison.by_cell(infos) if kind == "cells" else comparison.by_wiring(infos))
        field = WHAT[kind]
        asked: tuple[str, ...] = state.current(field)
        kept = [name for name in asked if name in offered]
        if len(kept) < 2 and (not kept or asked == field.default):  # they are of another task
            usual = [name for name in (*kept, source.row.model.default, *offered) if name in offered]
            state.assign(field, tuple(dict.fromkeys(usual))[:2])
        shown[field.key] = controls.several(field, offered, named=kind != "attention")
        models.refuse_strangers(list(asked), own)
    return {**source.values, **shown}


def names(values: Values) -> tuple[str, ...]:
    """Of what is compared."""
    field: ManyField = WHAT[values[state.COMPARE.key]]
    chosen: tuple[str, ...] = values[field.key]
    return chosen


def how(source: Source, values: Values) -> Values:
    """Folded away: what is compared, how maps are drawn, and whose words are said: each its own, or all those of one, or typed ones."""
    if state.simple():
        return {**values, **state.current_values(UNSHOWN)}
    shown: dict[str, Any] = {}
    with source.place, st.popover("Settings", icon=":material/tune:"):
        paired = comparison.by_wiring(resources.installed(source.task))
        controls.segments(state.COMPARE, offered=[kind for kind in WHAT if kind != "wiring" or paired])
        for option in (state.WORDS, state.NUMBERS, state.SAME_TARGET):
            shown[option.key] = controls.flag(option)
        if shown[state.SAME_TARGET.key]:
            shown[state.FOLLOWED.key] = controls.menu(state.FOLLOWED, [*names(values), TYPED])
            if shown[state.FOLLOWED.key] == TYPED:
                shown[state.TARGET.key] = controls.line(state.TARGET)
        if values[state.COMPARE.key] != "searches":
            controls.search_settings()
    return {**values, **state.current_values(state.SEARCHING), **shown}
