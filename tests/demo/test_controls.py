"""The widgets show what the link says, keep to their ranges, and forget what is wrong."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from demo import state
from seq2seq_core.config import DecodeSettings


def page() -> None:
    import streamlit as st

    from demo import controls, state
    from demo.colours import VARIANTS

    text = controls.lines(state.SENTENCE)
    model = controls.menu(state.TRANSLATION_MODEL, ["none", "dot", "additive"])
    controls.search_settings(glimpse=True)
    settings = state.current_settings()
    compared = controls.several(state.COMPARED, VARIANTS)
    same = controls.flag(state.SAME_TARGET)
    target = controls.line(state.TARGET)
    language = controls.menu(state.LANGUAGE)
    st.button("Example", on_click=state.assign, args=(state.SENTENCE, "Guten Morgen."))
    st.session_state["seen"] = (text, model, settings, compared, same, target, language)


DEFAULT = ("Das gefällt mir.", "additive", DecodeSettings(), ("none", "additive"), False, "", "Hindi")


def seen(query: str) -> AppTest:
    at = AppTest.from_function(page)
    for pair in filter(None, query.split("&")):
        key, _, value = pair.partition("=")
        at.query_params[key] = [*at.query_params.get(key, []), value]
    at.run()
    assert not at.exception
    return at


def test_without_a_link_everything_is_at_its_default() -> None:
    assert seen("").session_state["seen"] == DEFAULT


def test_a_link_sets_every_control() -> None:
    at = seen(
        "sentence=Guten Tag.&model=dot&search=sample&temperature=0.5&top_k=3&top_p=0.9&seed=7&glimpse=expected"
        "&variants=none&variants=dot&same_target=true&target=Good day.&language=Tamil"
    )
    settings = DecodeSettings(search="sample", temperature=0.5, top_k=3, top_p=0.9, seed=7, glimpse="expected")
    assert at.session_state["seen"] == ("Guten Tag.", "dot", settings, ("none", "dot"), True, "Good day.", "Tamil")


@pytest.mark.parametrize(
    "wrong",
    [
        "model=nonsense",
        "search=exhaustive",
        "search=",
        "beam=many",
        "beam=",
        "length=nan",
        "length=1e999",
        "glimpse=<script>",
        "variants=nonsense",
        "same_target=perhaps",
        "language=Klingon",
        "unknown=1",
    ],
)
def test_what_is_wrong_in_a_link_is_the_default(wrong: str) -> None:
    assert seen(wrong).session_state["seen"] == DEFAULT


@pytest.mark.parametrize(("beam", "size"), [("0", 1), ("-7", 1), ("11", 10), ("99999999999999999999", 10), ("3", 3)])
def test_a_number_out_of_range_is_the_nearest_or_the_default(beam: str, size: int) -> None:
    settings = seen(f"beam={beam}").session_state["seen"][2]
    assert settings in (DecodeSettings(beam_size=size), DecodeSettings())


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "🙂", "x" * 10_000, "नमस्ते", "a\nb", ""])
def test_any_text_arrives_as_typed(text: str) -> None:
    assert seen(f"sentence={text}").session_state["seen"][0] == text


def test_only_the_settings_of_the_chosen_search_are_shown() -> None:
    labels = {search: {slider.label for slider in seen(f"search={search}").slider} for search in state.SEARCH.choices}
    assert labels["greedy"] == set()
    assert labels["beam"] == {"Beam size", "Length normalisation"}
    assert labels["sample"] == {"Temperature", "Top p"}


def test_an_example_replaces_the_text() -> None:
    at = seen("sentence=Guten Tag.")
    at.button[0].click().run()
    assert not at.exception
    assert at.session_state["seen"][0] == "Guten Morgen."


def test_a_list_with_nothing_in_it_says_so() -> None:
    def empty() -> None:
        import streamlit as st

        from demo import controls, state

        st.session_state["seen"] = controls.menu(state.TRANSLATION_MODEL, [])

    at = AppTest.from_function(empty).run()
    assert not at.exception
    assert at.session_state["seen"] == ""
    assert at.selectbox[0].disabled
