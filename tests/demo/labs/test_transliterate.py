"""Transliterate as a visitor meets it."""

from __future__ import annotations

import math

import pytest

from demo import resources
from demo.labs.transliterate import sounds, words
from demo.query import Query
from seq2seq_core.config import DecodeSettings
from tests.demo.pages import errors, open_page, player, result, table, texts

pytestmark = pytest.mark.usefixtures("models")


def test_the_page_opens_with_a_word() -> None:
    at = open_page("transliterate")
    found = table(at, "Top 5")
    assert texts(found)[0] == "नमस्ते"
    shown = player(at)
    assert shown is not None
    assert shown["player"]["units"] == ["characters", "graphemes"]
    assert shown["player"]["target"]["words"][:3] == ["न", "म", "स्"] or "स्ते" in shown["player"]["target"]["words"]


def test_the_five_probabilities_are_of_whole_words() -> None:
    at = open_page("transliterate", word="kitab")
    found = table(at, "Top 5")
    assert found is not None
    settings = DecodeSettings(beam_size=5, length_penalty=0, hypotheses=5)
    trace = resources.answer(Query("transliteration/additive", ("kitab",), settings=settings))
    chances = [math.exp(one.total) for one in trace.hypotheses]
    assert [row["share"] for row in found["rows"]] == pytest.approx(chances)
    assert f"{sum(chances):.2f}" in found["note"]


def test_the_list_of_words_can_be_taken_away() -> None:
    at = open_page("transliterate", word="namaste")
    with_list = table(at, "Top 5")
    assert with_list is not None
    assert [column[0] for column in with_list["columns"]] == ["probability", "word list"]
    at.toggle[0].set_value(False).run()
    alone = table(at, "Top 5")
    assert alone is not None
    shares = [row["share"] for row in alone["rows"]]
    assert shares == sorted(shares, reverse=True)
    assert [column[0] for column in alone["columns"]] == ["probability"]


def test_the_word_is_read_while_it_is_typed() -> None:
    at = open_page("transliterate")
    assert at.text_input[0].proto.live_debounce_ms == 0
    at.text_input[0].set_value("dosti").run()
    assert texts(table(at, "Top"))[0] == "दोस्ती"


def test_a_beam_of_one_has_one_output() -> None:
    assert len(texts(table(open_page("transliterate", beam="1"), "Top 1"))) == 1


def test_languages_with_a_model_are_in_the_menu() -> None:
    at = open_page("transliterate")
    assert at.selectbox[0].options == ["Hindi", "Tamil"]
    at.selectbox[0].set_value("Tamil").run()
    assert not at.error
    assert at.selectbox[1].options == ["tamil"]
    assert any(button.label == "nandri" for button in at.button)
    at.text_input[0].set_value("nandri").run()
    assert texts(table(at, "Top"))[0] == "நன்றி"


def test_a_link_to_an_output_plays_that_one() -> None:
    at = open_page("transliterate", hypothesis="2")
    found = table(at, "Top 5")
    shown = player(at)
    assert found is not None
    assert shown is not None
    assert [row["chosen"] for row in found["rows"]] == [False, True, False, False, False]
    assert shown["player"]["target"]["text"] == texts(found)[1]


@pytest.mark.parametrize("word", ["", "  "])
def test_an_empty_box_teaches(word: str) -> None:
    at = open_page("transliterate")
    at.text_input[0].set_value(word).run()
    assert [note.value for note in at.info] == ["Type a word in Latin letters, or take one of the examples above."]
    assert not at.error


@pytest.mark.parametrize("word", ["Ähre", "x😀y", "a<img"])
def test_signs_the_model_does_not_know_are_named(word: str) -> None:
    at = open_page("transliterate", word=word)
    assert not at.error
    assert any(caption.value.startswith("This model does not know") for caption in at.caption)
    assert not any("<img" in caption.value for caption in at.caption)


@pytest.mark.parametrize("word", ["Namaste", "NAMASTE", " namaste", "namaste!"])
def test_capitals_spaces_and_signs_around_a_word_change_nothing(word: str) -> None:
    assert texts(table(open_page("transliterate", word=word), "Top 5")) == texts(table(open_page("transliterate"), "Top 5"))


def test_several_words_are_read_one_by_one_and_joined() -> None:
    at = open_page("transliterate", word="Namaste,  dosti 2026!")
    assert result(at) == "नमस्ते, दोस्ती 2026!"
    assert texts(table(at, "Top 5"))[0] == "दोस्ती"  # the last one is what is being typed
    linked = open_page("transliterate", word="Namaste, dosti", nth="1", hypothesis="2")
    second = texts(table(linked, "Top 5"))[1]
    assert second != "नमस्ते" and result(linked) == f"{second}, दोस्ती"
    linked.text_input[0].set_value("Namaste, dosti namaste").run()
    shown = player(linked)
    assert shown is not None and shown["player"]["target"]["text"] == "नमस्ते"
    assert "nth" not in linked.query_params


def test_too_many_words_are_one_sentence() -> None:
    assert errors(open_page("transliterate", word="na " * 21)) == [
        "The text has 21 words; at most 20 are transliterated at once, so shorten it."
    ]


@pytest.mark.parametrize(
    ("word", "script"), [("नमस्ते", "Devanagari"), ("kya हाल", "Devanagari"), ("வணக்கம்", "Tamil"), ("привет", "Cyrillic")]
)
def test_other_scripts_are_asked_for_in_latin_letters(word: str, script: str) -> None:
    at = open_page("transliterate", word=word)
    assert [f"written in {script} letters already" in note.value for note in at.info] == [True]
    assert player(at) is None and table(at, "Top") is None


def test_what_is_no_word_is_said_as_it_is() -> None:
    at = open_page("transliterate", word="<img src=x onerror=alert(1)>")
    assert not at.error and result(at).startswith("<")


def test_bad_text_is_one_sentence() -> None:
    assert errors(open_page("transliterate", word="x" * 10_000)) == [
        "The text has 10,000 characters; at most 2,000 are allowed, so shorten it."
    ]
    assert len(errors(open_page("transliterate", word="a\x07"))) == 1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("language", "Klingon"),
        ("language", "Bengali"),
        ("word_model", "../x"),
        ("beam", "-3"),
        ("hypothesis", "99"),
        ("step", "x"),
        ("view", ""),
    ],
)
def test_a_wrong_parameter_does_no_harm(key: str, value: str) -> None:
    at = open_page("transliterate", **{key: value})
    assert not at.error
    assert texts(table(at, "Top"))[0] == "नमस्ते" or key == "beam"


def test_phonemes_are_told_in_letters_and_words_that_anybody_can_say() -> None:
    assert sounds.said("N AA L AH JH") == (
        "In letters of the International Phonetic Alphabet: [nɑlʌdʒ]; AA as in father, AH as in but, JH as in joy."
    )
    assert sounds.said("B") == "In letters of the International Phonetic Alphabet: [b]."
    assert [sounds.said(text) for text in ("", "नमस्ते", "N aa")] == ["", "", ""]


def test_sounds_of_several_words_do_not_run_together() -> None:
    typed = words.split("no, 7 keys!")
    assert words.joined(typed, ["N OW", "K IY Z"]) == "N OW, | 7 | K IY Z!"
    assert words.joined(typed, ["नो", "कीज़"]) == "नो, 7 कीज़!"
