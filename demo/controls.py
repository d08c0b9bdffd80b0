"""Widgets for the fields of `state`: each is bound to the URL, keeps to its field's range, and returns a clean value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from demo import state
from demo.fields import ChoiceField, FlagField, ManyField, NameField, NumberField, RowField, TextField, WholeField

if TYPE_CHECKING:
    from streamlit.elements.lib.mutable_tab_container import TabContainer


def line(field: TextField, *, placeholder: str = "", live: bool = False) -> str:
    """One line of text. `live`: every key press counts, not only Enter."""
    return field.clean(
        st.text_input(
            field.label,
            field.default,
            key=field.key,
            bind="query-params",
            help=field.help or None,
            placeholder=placeholder,
            live="0ms" if live else False,
            autocomplete="off",
        )
    )


def lines(field: TextField, *, height: int = 120, placeholder: str = "") -> str:
    """Several lines of text."""
    return field.clean(
        st.text_area(
            field.label, field.default, height, key=field.key, bind="query-params", help=field.help or None, placeholder=placeholder
        )
    )


def segments(field: ChoiceField, *, named: bool = True, offered: Sequence[str] = ()) -> str:
    """A choice among few, all visible. `named`: whether its label is visible too; `offered`: those that there are something for."""
    return field.clean(
        st.segmented_control(
            field.label,
            offered or field.choices,
            default=field.default,
            required=True,
            key=field.key,
            bind="query-params",
            help=field.help or None,
            label_visibility="visible" if named else "collapsed",
        )
    )


def tabs(field: ChoiceField, *, offered: Sequence[str] = ()) -> Mapping[str, TabContainer]:
    """Tabs by their names; the one whose `open` is true is to be filled. `offered`: as of `segments`."""
    names = offered or field.choices
    made = st.tabs(names, default=field.default, key=field.key, bind="query-params", on_change="rerun")
    return dict(zip(names, made, strict=True))


def menu(field: NameField | RowField | ChoiceField, options: Sequence[str] = ()) -> str:
    """A choice from a list; a NameField's list is only known at run time."""
    offered = list(options or (field.choices if isinstance(field, ChoiceField) else ()))
    if not offered:
        st.selectbox(field.label, [], disabled=True, placeholder="none installed", key=f"{field.key}_none")
        return ""
    first = offered.index(field.default) if field.default in offered else 0
    chosen = st.selectbox(field.label, offered, first, key=field.key, bind="query-params", help=field.help or None)
    return chosen if chosen in offered else offered[first]


def several(field: ManyField, options: Sequence[str], *, named: bool = True) -> tuple[str, ...]:
    """A choice of more than one, all visible. `named`: whether its label is visible too."""
    default = [name for name in field.default if name in options]
    chosen = st.pills(
        field.label, options, selection_mode="multi", default=default, key=field.key, bind="query-params", help=field.help or None,
        label_visibility="visible" if named else "collapsed",
    )  # fmt: skip
    return tuple(name for name in options if name in field.clean(chosen))


def whole(field: WholeField) -> int:
    """A slider over a short range, a number box over a long one."""
    if field.high - field.low <= 20:
        value = st.slider(field.label, field.low, field.high, field.default, key=field.key, bind="query-params", help=field.help or None)
    else:
        value = st.number_input(
            field.label, field.low, field.high, field.default, 1, key=field.key, bind="query-params", help=field.help or None
        )
    return field.clean(value)


def number(field: NumberField) -> float:
    return field.clean(
        st.slider(
            field.label, field.low, field.high, field.default, field.step, key=field.key, bind="query-params", help=field.help or None
        )
    )


def flag(field: FlagField) -> bool:
    return field.clean(st.toggle(field.label, field.default, key=field.key, bind="query-params", help=field.help or None))


def search_settings(*, glimpse: bool = False) -> None:
    """The search and only those of its settings that it uses, in one row. `glimpse`: for hard attention."""
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        search = segments(state.SEARCH)
        if search == "beam":
            with st.container(width=170):
                whole(state.BEAM)
            with st.container(width=210):
                number(state.LENGTH)
        sampled = search == "sample"
        if sampled:
            for field in (state.TEMPERATURE, state.TOP_P):
                with st.container(width=170):
                    number(field)
            with st.container(width=130):
                whole(state.TOP_K)
        if glimpse:
            sampled = segments(state.GLIMPSE) == "sample" or sampled
        if sampled:
            with st.container(width=130):
                whole(state.SEED)
