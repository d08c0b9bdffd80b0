"""Translate as a visitor meets it."""

from __future__ import annotations

import numpy as np
import pytest

from demo import resources
from demo.blocks import answer
from demo.blocks import player as blocks
from demo.blocks.export_menu import OPENED
from demo.blocks.language import instead_of
from demo.examples import GERMAN
from demo.labs.bottleneck.data import meanings, own_pairs
from demo.query import Query
from seq2seq_core.config import DecodeSettings
from tests.demo.pages import errors, open_page, player, result, table, texts
from tests.demo.tiny_models import DIFFERS

pytestmark = pytest.mark.usefixtures("models")


def test_a_link_may_play_by_itself_once() -> None:
    shown = player(open_page("translate", plays="true"))
    assert shown is not None
    assert shown["layout"]["autoplay"]
    shown = player(open_page("translate", plays="true", step="2"))
    assert shown is not None
    assert shown["options"]["step"] == 2  # with a step the player rests there
    shown = player(open_page("translate"))
    assert shown is not None
    assert not shown["layout"]["autoplay"]


def test_the_page_opens_with_an_answer() -> None:
    at = open_page("translate")
    assert at.title[0].value == "Translate"
    assert at.text_input[0].value == "Das gefällt mir."
    assert result(at) == "I like it."
    shown = player(at)
    assert shown is not None
    assert shown["player"]["parts"][0]["words"] == ["Das", "gefällt", "mir", "."]
    assert shown["player"]["target"]["text"] == "I like it."
    assert not at.error


def test_the_player_of_a_new_answer_is_sent_before_all_else_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a page that is just opening the line comes first, since it would move what is below it."""
    done: list[str] = []
    for where, name in ((answer, "result_line"), (blocks, "player"), (blocks, "sent"), (answer, "greedy_against_beam")):
        wrapped = getattr(where, name)
        monkeypatch.setattr(where, name, lambda *a, _of=wrapped, _name=name, **k: (done.append(_name), _of(*a, **k))[1])
    at = open_page("translate")
    assert done == ["result_line", "player", "greedy_against_beam"]
    done.clear()
    at.text_input[0].set_value("Ich habe ein Buch gelesen.").run()
    assert done == ["player", "sent", "result_line", "greedy_against_beam"]
    assert result(at) == "I have read a book."


def test_it_says_what_the_model_learnt_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "trained_on", lambda _: "two sentences")
    assert any("learnt from two sentences" in each.value for each in open_page("translate").caption)


def test_a_typed_sentence_is_translated_and_plays() -> None:
    at = open_page("translate")
    at.text_input[0].set_value("Ich habe ein Buch gelesen.").run()
    assert result(at) == "I have read a book."
    shown = player(at)
    assert shown is not None
    assert shown["layout"]["autoplay"]


def test_a_setting_changes_the_answer_without_playing_it() -> None:
    at = open_page("translate", sentence=DIFFERS)
    before = result(at)
    at.segmented_control[0].set_value("greedy").run()
    assert result(at) != before
    shown = player(at)
    assert shown is not None
    assert not shown["layout"]["autoplay"]


def test_decode_plays_the_same_answer_again() -> None:
    at = open_page("translate")
    rounds = []
    for _ in range(2):
        next(button for button in at.button if button.label == "Decode").click().run()
        shown = player(at)
        assert shown is not None
        assert shown["layout"]["autoplay"]
        rounds.append(shown["layout"]["round"])
    assert rounds[0] != rounds[1]


def test_an_example_fills_the_box() -> None:
    at = open_page("translate")
    next(button for button in at.button if button.label.startswith("Ein Hund")).click().run()
    assert at.text_input[0].value == "Ein Hund läuft über die Wiese."
    assert result(at) == "A dog runs across the meadow."


def test_a_new_sentence_forgets_step_and_hypothesis_of_the_old() -> None:
    at = open_page("translate", step="1", hypothesis="2")
    at.text_input[0].set_value("Das gefällt dir.").run()
    assert "hypothesis" not in at.query_params
    assert "step" not in at.query_params


@pytest.mark.parametrize(
    ("search", "shown"),
    [("greedy", set()), ("beam", {"Beam size", "Length normalisation"}), ("sample", {"Temperature", "Top p"})],
)
def test_only_the_controls_of_the_chosen_search(search: str, shown: set[str]) -> None:
    at = open_page("translate", search=search)
    assert {slider.label for slider in at.slider} == shown
    assert not at.error


def test_the_hypotheses_are_listed_best_first() -> None:
    at = open_page("translate", sentence=DIFFERS)
    found = table(at, "Hypotheses")
    assert found is not None
    trace = resources.answer(Query("translation/additive", (DIFFERS,)))
    assert texts(found) == [one.text for one in trace.hypotheses]
    assert [row["values"][1] for row in found["rows"]] == [f"{one.total:.2f}".replace("-", "−") for one in trace.hypotheses]
    assert [row["chosen"] for row in found["rows"]] == [True] + [False] * (len(trace.hypotheses) - 1)


def test_a_link_to_a_hypothesis_shows_it_with_its_own_attention() -> None:
    at = open_page("translate", sentence=DIFFERS, hypothesis="2")
    trace = resources.answer(Query("translation/additive", (DIFFERS,)))
    shown = player(at)
    assert shown is not None
    assert result(at) == trace.text(1)
    assert shown["player"]["attention"] == [[[round(float(w), 4) for w in row] for row in step] for step in trace.maps(1)]
    assert np.shape(shown["player"]["attention"]) != np.shape(trace.maps(0)) or trace.text(1) != trace.text(0)


def test_greedy_has_one_hypothesis_and_no_list() -> None:
    assert table(open_page("translate", search="greedy"), "Hypotheses") is None


@pytest.mark.parametrize("search", ["greedy", "beam"])
def test_greedy_stands_against_beam_where_they_part(search: str) -> None:
    at = open_page("translate", sentence=DIFFERS, search=search)
    found = table(at, "Greedy against beam 5")
    assert found is not None
    ways = (DecodeSettings(search="greedy"), DecodeSettings())
    assert texts(found) == [resources.answer(Query("translation/additive", (DIFFERS,), settings=way)).text() for way in ways]
    assert found["note"].startswith("They part at word ")
    assert all(row["parts"][1] for row in found["rows"]), "the token where they part is marked in both"


def test_it_says_so_when_they_do_not_part() -> None:
    at = open_page("translate")
    assert table(at, "Greedy against") is None
    assert any("both give the same output" in caption.value for caption in at.caption)


def test_export_offers_pictures_tables_and_the_whole_trace() -> None:
    at = open_page("translate")
    assert not at.get("download_button"), "nothing of it is drawn before it is opened"
    at.session_state[OPENED] = True
    at.run()
    assert [button.proto.label for button in at.get("download_button")] == [
        "Player, one HTML file",
        "Map to explore, HTML (5 MB)",
        "Picture, PNG",
        "Picture, SVG",
        "Animation, GIF",
        "Weights, CSV",
        "Weights, Parquet",
        "Candidates, CSV",
        "Whole trace, JSON",
    ]


@pytest.mark.parametrize("text", ["", "   ", " \t "])
def test_nothing_to_translate_is_said_kindly(text: str) -> None:
    at = open_page("translate")
    at.text_input[0].set_value(text).run()
    assert not at.exception
    assert not at.error
    assert [note.value for note in at.info] == ["Type a German sentence, or take one of the examples above."]
    assert player(at) is None


def test_a_text_too_long_is_refused_in_one_sentence() -> None:
    at = open_page("translate", sentence="x" * 10_000)
    assert errors(at) == ["The text has 10,000 characters; at most 2,000 are allowed, so shorten it."]
    assert player(at) is None


def test_a_control_character_is_refused_in_one_sentence() -> None:
    at = open_page("translate", sentence="Das\x07 ist.")
    assert [error.startswith("Character 4 is a control character") for error in errors(at)] == [True]


@pytest.mark.parametrize(
    "text", ["😀 🙂", "👩‍👩‍👧 läuft.", "<img src=x onerror=alert(1)>", "**x** $y$ :red[z] [a](b)", "नमस्ते", "</s> <pad>"]
)
def test_any_other_text_is_decoded_and_shown_as_text(text: str) -> None:
    at = open_page("translate", sentence=text)
    shown = player(at)
    assert shown is not None
    assert shown["player"]["parts"][0]["text"] == text
    assert not at.error
    assert not any("<img" in markdown.value for markdown in at.markdown)


WRONG = {
    "model": "nonsense",
    "beam": "many",
    "length": "nan",
    "temperature": "-1",
    "top_k": "1e9",
    "top_p": "2",
    "seed": "x",
    "max_length": "-5",
    "glimpse": "<script>",
    "step": "99999",
    "hypothesis": "0",
    "view": "hologram",
    "words": "perhaps",
    "numbers": "1",
    "relative": "?",
    "head": "17",
    "speed": "1000",
    "fit": "",
}  # one by one: test_fields.py


@pytest.mark.parametrize("search", ["beam", "sample", "exhaustive"])
def test_wrong_parameters_do_no_harm(search: str) -> None:
    at = open_page("translate", search=search, **WRONG)
    assert not at.error
    assert result(at) or search == "sample"
    assert player(at) is not None


def test_without_a_model_it_says_where_one_belongs(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(tmp_path))
    resources.shelf.clear()
    at = open_page("translate")
    assert "No translation model is installed" in at.info[0].value
    assert not at.error


def test_every_installed_model_is_in_the_menu() -> None:
    at = open_page("translate", model="none")
    assert at.selectbox[0].options == ["none", "additive", "multi-head"]
    assert at.selectbox[0].value == "none"
    shown = player(at)
    assert shown is not None
    assert shown["player"]["link"] == "none"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I am going to the beach.", "English"),
        ("My name is Anna.", "English"),
        ("Как тебя зовут?", "Cyrillic letters"),
        ("你好吗", "Chinese letters"),
    ],
)
def test_what_is_no_german_is_noticed(text: str, said: str) -> None:
    at = open_page("translate", sentence=text)
    assert [f"This looks like {said}." in each.value for each in at.info] == [True]
    assert player(at) is not None


@pytest.mark.parametrize("page", ["how_it_works", "compare", "steer"])
def test_what_is_no_german_is_noticed_wherever_german_is_asked_for(page: str) -> None:
    assert any("This looks like English." in each.value for each in open_page(page, sentence="I am going to the beach.").info)


def test_no_german_sentence_of_ours_is_taken_for_another_language() -> None:
    german = [pair.source for pair in own_pairs("translation")] + [one.text for one in meanings()] + [one.text for one in GERMAN]
    english = [pair.target for pair in own_pairs("translation")]
    assert [text for text in german if instead_of("German", text)] == []
    assert [text for text in english if instead_of("German", text) != "English"] == []
    assert [
        text for text in ("Anna", "Hotel", "Handy", "Das ist mein Computer.", "Lukas ist cool.", "", "123") if instead_of("German", text)
    ] == []
