"""Hindi and English on the pages, with tiny models of both directions."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from demo import app, resources, state
from demo.blocks.language import READS, instead_of, not_read
from demo.examples import ENGLISH_TO_HINDI, HINDI
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.pages import components, open_page, player, result

pytestmark = pytest.mark.usefixtures("hindi_models")


def above(at: AppTest) -> dict[str, Any]:
    return next(data for data in components(at) if "words" in data and data.get("language") == "hi")


def test_the_direction_is_a_choice_of_its_own() -> None:
    at = open_page("translate")
    assert [box.label for box in at.selectbox] == ["Languages", "Model"]
    assert at.selectbox[0].options == ["German to English", "Hindi to English", "English to Hindi"]
    assert at.selectbox[1].options == ["none", "additive", "multi-head"]
    at.selectbox[0].set_value("hindi-english").run()
    assert at.selectbox[0].value == "hindi-english" and at.query_params["task"] == "hindi-english"
    assert [(box.label, box.value) for box in at.text_input] == [("Hindi in Latin letters", "main ghar ja raha hoon")]
    assert [box.label for box in at.selectbox] == ["Languages"]
    assert at.button(key="example_1").label == "mai ghar ja rahi hu"
    assert (result(at), [note.value for note in at.info]) == ("I am going home.", [])
    shown, row = player(at), above(at)
    assert shown is not None and shown["player"]["parts"][0]["words"] == ["main", "ghar", "ja", "raha", "hoon"]
    assert row["words"] == [["main", "मैं"], ["ghar", "घर"], ["ja", "जा"], ["raha", "रहा"], ["hoon", "हूं"]]
    at.text_input[0].set_value("मैं घर जा रही हूँ").run()  # Devanagari is read too
    assert result(at) == "I am going home now."
    assert [word[0] for word in above(at)["words"]] == "main ghar ja rahi hoon".split()  # noqa: SIM905


def test_hindi_is_said_in_latin_letters_with_its_script_above() -> None:
    at = open_page("translate", task="english-hindi", english="She is reading a book.")
    assert at.selectbox[0].value == "english-hindi"
    assert result(at) == "vah kitab padh rahi hai"
    assert at.text_input[0].label == "English"
    row = above(at)
    assert row["words"][:2] == [["vah", "वह"], ["kitab", "किताब"]]
    assert row["words"][2][0] == "padh" and row["words"][2][1]  # in no list, so the transliteration model wrote it
    assert "padh" in row["note"]


@pytest.mark.parametrize(
    ("task", "text", "said"),
    [
        ("hindi-english", "I am going to the beach.", "English. The model has read Hindi alone"),
        ("hindi-english", "I am going to the beach.", "choose English to Hindi"),
        ("hindi-english", "Ich gehe jetzt nach Hause.", "choose German to English"),
        ("hindi-english", "Я иду домой", "Cyrillic letters"),
        ("english-hindi", "main ghar ja raha hoon", "choose Hindi to English"),
        ("english-hindi", "Ich habe ein Buch gelesen.", "choose German to English"),
        ("english-hindi", "मैं घर जा रहा हूँ", "choose Hindi to English"),
        ("translation", "main ghar ja raha hoon", "choose Hindi to English"),
    ],
)
def test_another_language_is_noticed_and_the_way_shown(task: str, text: str, said: str) -> None:
    assert said in not_read(task, text, tuple(READS))


def test_the_way_is_called_as_the_menu_of_the_page_calls_it() -> None:
    english = "I am going to the beach."
    assert not_read("translation", english, tuple(READS)).endswith("Under Languages, choose English to Hindi for it.")
    assert not_read("translation", english, ("captioning", *READS)).endswith("Under Task, choose english-hindi for it.")
    assert not_read("translation", english, ("translation",)).endswith("an English sentence of anything.")


def test_no_example_is_taken_for_another_language() -> None:
    own = {"Hindi": HINDI, "English": ENGLISH_TO_HINDI}
    assert [one.text for language, offered in own.items() for one in offered if instead_of(language, one.text)] == []
    assert [instead_of("Hindi", text) for text in ("mein bhai", "kya", "", "मैं घर")] == ["", "", "", ""]


def test_the_lectures_rows_are_written_in_steer() -> None:
    (query,) = app.lab("steer").queries(state.values_of("") | {"task": "hindi-english"}).values()
    count = resources.answer(query).positions
    at = open_page("steer", task="hindi-english", part="oracle", edits=f"r0_1_{count - 1}x0~r1_{count - 1}x0_1")
    assert next(box.options for box in at.selectbox if box.label == "Task")[:2] == ["translation", "hindi-english"]
    grid = next(data for data in components(at) if "given" in data)
    assert grid["given"][:3] == [True, True, False]
    assert "".join(grid["tokens"]).replace(" ", "") == "maingharjarahahoon"


def test_directions_are_not_mixed() -> None:
    compare = open_page("compare")
    assert "hindi-english" not in [name for box in compare.selectbox for name in box.options]
    assert [info.variant for info in resources.installed("translation")] == ["none", "additive", "multi-head"]
    (query,) = app.lab("how_it_works").queries(state.values_of("") | {"task": "english-hindi"}).values()
    trace = resources.answer(query)
    assert isinstance(trace, DecodeTrace) and (trace.model_id, trace.text()) == ("translation/english-hindi", "main ghar ja raha hoon")
