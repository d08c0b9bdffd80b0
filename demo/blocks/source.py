"""The source row: what is given, the task, the model and the search, for every page that decodes; and the values it amounts to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from demo import controls, resources, state
from demo.blocks import ways_in
from demo.blocks.heading import heading
from demo.blocks.language import not_read
from demo.blocks.player import play
from demo.blocks.ways_in import film
from demo.fields import TextField
from demo.lab import Values, attention_of, named, reads
from demo.own import models
from demo.tasks import TASKS, TaskRow
from demo.terms import MODELS
from demo.wording import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


WIDE, NARROW = 170, 150  # of a menu, in pixels
LANGUAGES, LANGUAGES_WIDE = "languages", 205  # in the session, the menu of tasks that are pairs of languages; pixels
BUTTON = 178  # of the button that decodes


@dataclass(frozen=True, slots=True)
class Source:
    """What the rows say."""

    row: TaskRow
    values: Values  # of every field; of a menu or a photo, what is shown
    place: DeltaGenerator  # the row of the menus, where a page may put more

    @property
    def task(self) -> str:
        return self.row.name

    @property
    def missing(self) -> str:
        """What to do first; empty when everything is given."""
        if any(not self.values[key] for key in ways_in.fields(self.row)):
            return film.first()
        needed = [field for field in self.row.texts() if self.row.fields]
        empty = any(not self.values[field.key].strip() for field in needed)
        return f"{self.row.placeholder}, or take one of the examples above." if empty else ""

    def ready(self) -> bool:
        """Whether something can be asked; if not, what is missing is said."""
        if not self.values[self.row.model.key]:
            no_model(self.task)
        elif self.missing:
            st.info(self.missing, icon=":material/edit:")
        else:
            return True
        return False


def source_row(
    tasks: Sequence[str], *, title: str = "", compact: bool = False, model: bool = True, search: bool = True, act: str = "Decode",
    also: TextField | None = None,
) -> Source:  # fmt: skip
    """What is given, the menus and the button on one line; `compact`: the menus come first.

    Without `title` the page has a heading of its own, without `model` a choice of its own, without `search` no search to set.
    `act`: what the button is called; `also`: one more text that is typed, where there is a source.
    """
    there = tuple(task for task in tasks if resources.installed(task))
    asked = state.current(state.TASK)
    row = TASKS[asked if asked in there else (there or tuple(tasks))[0]]
    if title:
        heading(title, row)
    line = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="source_line")
    asks = row.asks and row.reads_text and (search or len(there) > 1)  # two texts beside many menus have a line of their own
    place = line if (model or not row.texts()) and not asks else st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    shown: dict[str, Any] = {state.TASK.key: row.name}
    if asks:
        with line:
            given(row, also)
    with place if asks else line:
        if not compact and not asks:
            given(row, also)
        if len(there) > 1:
            task_menu(row, there)
        if model and lone_model(row):
            shown[row.model.key] = lone_model(row)
        elif model:
            with st.container(width=NARROW if compact else WIDE):
                shown[row.model.key] = model_menu(row)
        if compact:
            if not asks:
                given(row)
            ways_in.ways_in(row)
        if search:
            search_menu(row, shown)
        if row.texts() or (also and row.fields):
            with st.container(width=BUTTON):
                decode_button(act)
    tell_of(shown.get(row.model.key, ""))
    tell_if_not_read(row, values := values_now(row, shown), there)
    return Source(row, values, place)


def task_menu(row: TaskRow, there: Sequence[str]) -> None:
    """Tasks that are told apart by their languages are shown by them. The link holds names, so that menu is not bound to it."""
    if not all(TASKS[task].title for task in there):
        with st.container(width=NARROW):
            controls.menu(state.TASK, there)
        return
    st.session_state[LANGUAGES] = row.name
    with st.container(width=LANGUAGES_WIDE):
        st.selectbox("Languages", there, key=LANGUAGES, format_func=lambda task: TASKS[task].title, on_change=take_languages)


def take_languages() -> None:
    """Callback of the menu of languages."""
    st.session_state.pop(state.TASK.key, None)  # what the menu of another page left
    state.remember(state.TASK, st.session_state[LANGUAGES])


def tell_of(*models: str) -> None:
    """In simple, half a sentence of each."""
    told = [f"{model}: {MODELS[model]}" for model in models if model in MODELS]
    if state.simple() and told:
        st.caption(plain(" ".join(told)))


def tell_if_not_read(row: TaskRow, values: Values, there: Sequence[str]) -> None:
    """That what is typed is in another language."""
    if row.texts() and (said := not_read(row.name, values[row.texts()[0].key], there)):
        st.info(said, icon=":material/translate:")


def search_menu(row: TaskRow, shown: Mapping[str, Any]) -> None:
    """The search in a word, and all its settings behind that."""
    if state.simple():
        return
    glimpse = bool(shown.get(row.model.key)) and attention_of(named(row.name, shown[row.model.key])) == "hard"
    settings = state.current_settings()
    said = f"beam {settings.beam_size}" if settings.search == "beam" else settings.search
    with st.popover(f"Search: {said}", icon=":material/tune:", width="content", key="search_menu"):
        controls.search_settings(glimpse=glimpse)
    if state.current(state.SEARCH) == "sample":
        st.button("Draw again", key="draw_anew", icon=":material/casino:", help="With the next seed.", on_click=draw_anew)


def draw_anew() -> None:
    """Callback: another output of the same search, played."""
    state.assign(state.SEED, (state.current(state.SEED) + 1) % state.SEED.high)
    play()


def values_now(row: TaskRow, shown: Mapping[str, Any]) -> Values:
    """What the link and the widgets say; `shown` is what menus really show. A visitor's own photo is in no link."""
    values = {**state.current_values(), **shown}
    return values | dict.fromkeys(ways_in.fields(row), "") | {key: asset.name for key, asset in ways_in.shown(row).items()}


def given(row: TaskRow, also: TextField | None = None) -> None:
    """The text boxes. A photo is chosen in the heading."""
    hint = row.placeholder if row.prompt else f"{row.placeholder}, or take an example"
    hints = [(field, f"Type a {field.label.lower()}" if row.asks else hint) for field in row.texts()]
    for field, said in hints + ([(also, also.help)] if also and row.fields else []):
        with st.container(width="stretch", key=f"typed_{field.key}"):
            (controls.lines if isinstance(field, TextField) and field.tall else controls.line)(field, placeholder=said)


def decode_button(label: str = "Decode") -> None:
    """Take what was typed and play the answer."""
    st.button(label, key="decode", shortcut="Ctrl+Enter", on_click=play, width="stretch")


def lone_model(row: TaskRow) -> str:
    """The only model of a pair of languages: there is nothing to choose."""
    variants = [info.variant for info in resources.installed(row.name)]
    return variants[0] if row.core.beside and len(variants) == 1 else ""


def model_menu(row: TaskRow, field: Any = None) -> str:
    """The chosen model's name; empty when there is none. What the visitor trained stands with the others."""
    field = field or row.model
    variants = [info.variant for info in resources.installed(row.name) if reads(row, info)]
    own = models.by_name(row.own_source) if row.takes_own else {}
    asked = state.current(field)
    chosen = controls.menu(field, [*variants, *own])
    models.refuse_strangers([asked], list(own))
    return chosen


def no_model(task: str) -> None:
    st.info(f"No {task} model is installed: put one under models/{task}/, as the README says.", icon=":material/info:")
