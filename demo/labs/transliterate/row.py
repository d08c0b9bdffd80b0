"""The row of Transliterate: words that count while they are typed, models by the language they write, and which word is shown."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from demo import controls, resources, state
from demo.blocks.heading import heading
from demo.blocks.source import Source, decode_button, no_model, values_now
from demo.components.plain_typing.mount import plain_typing
from demo.labs.transliterate import TASK
from demo.labs.transliterate.words import other_script
from demo.tasks import TASKS
from demo.wording import plain, shortened
from seq2seq_core.inputs.known_words import known_words

TYPED = "word_typed"  # in the session: the text that was shown last


def row(title: str) -> Source | None:
    """None when there is no model, which is said."""
    table = TASKS[TASK]
    models = {name: [info.variant for info in resources.installed(TASK) if info.language == name] for name in state.LANGUAGE.choices}
    languages = [name for name, variants in models.items() if variants]
    if not languages:
        st.title(title, anchor=False)
        no_model(TASK)
        return None
    asked = state.current(state.LANGUAGE)
    heading(title, table, table.examples(asked if asked in languages else languages[0]))
    place = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    with place:
        with st.container(width="stretch", gap=None):
            controls.line(state.WORD, placeholder="Type a word, or several", live=True)
            plain_typing(state.WORD.label, key="word_typing")
        with st.container(width=180):
            language = controls.menu(state.LANGUAGE, languages)
        with st.container(width=160):
            variant = controls.menu(table.model, models[language])
        with st.container(width=170):
            controls.whole(state.BEAM)
        with st.container(width=170):
            decode_button("Play")
    return Source(table, values_now(table, {state.LANGUAGE.key: language, table.model.key: variant}), place)


def word_list(language: str) -> None:
    """Beside the outputs that it puts in order."""
    if known_words(language) and not state.simple():
        controls.flag(state.WORD_LIST)


def latin(source: Source) -> bool:
    """Whether the letters are those that the models read; if not, what to type instead is said."""
    text = source.values[state.WORD.key]
    script = other_script(text)
    if script:
        said = f"“{plain(shortened(text))}” is written in {script} letters already."
        st.info(f"{said} Type it in Latin letters, as on a phone: namaste, not नमस्ते.", icon=":material/keyboard:")
    return not script


def choose(words: Sequence[str], typed: str) -> int:
    """Which word is played, counted from 0: the last, until another is chosen."""
    if st.session_state.get(TYPED) != typed and TYPED in st.session_state:
        state.remember(state.NTH, state.NTH.default)
    st.session_state[TYPED] = typed
    if len(words) < 2:
        return 0
    chosen = min(state.current(state.NTH) or len(words), len(words)) - 1
    key = f"nth_{chosen}_{typed}"
    st.segmented_control(
        state.NTH.label, range(len(words)), default=chosen, required=True, key=key, format_func=lambda place: plain(words[place]),
        on_change=lambda: state.remember(state.NTH, int(st.session_state[key]) + 1),
    )  # fmt: skip
    return chosen
