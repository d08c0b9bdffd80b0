"""The Lessons page as a student meets it: predict, see, and go on; what cannot be asked is said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from demo import resources, state
from demo.labs.lessons import files
from demo.labs.lessons.links import read_link
from demo.query import Asset
from seq2seq_core.errors import InputError
from tests.demo.pages import components, errors, open_page, player, table

pytestmark = pytest.mark.usefixtures("models")

ONE = """\
title: Looking
order: 1
summary: Where it looks.
questions:
  - question: Where does it look for “{word}”?
    start: translate?sentence=Ein Hund läuft über die Wiese.&search=greedy
    hides: attention
    check: {kind: looks at, word: dog}
    explanation: Each row sums to 1.
  - question: What will it write?
    start: translate?sentence=Das gefällt mir.&search=greedy
    hides: output
    check: {kind: output text}
  - question: How many bits at most?
    start: transliterate?word=namaste
    hides: attention
    check: {kind: number, measure: largest entropy, within: 0.1}
  - question: Do they write the same?
    start: compare?sentence=Das gefällt mir.&variants=none&variants=additive&search=greedy
    hides: output
    check: {kind: same outputs}
  - question: Where does it look for “{word}”?
    start: translate?sentence=Das gefällt mir.&model=dot
    hides: attention
    check: {kind: looks at, word: 1}
"""
OTHER = ONE.replace("title: Looking", "title: Other").replace("order: 1", "order: 2").replace("word: dog", "word: zebra")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "lessons"
    place.mkdir()
    (place / "looking.yaml").write_text(ONE, encoding="utf8")
    (place / "other.yaml").write_text(OTHER, encoding="utf8")
    monkeypatch.setattr(files, "FOLDER", place)
    return place


def read(at: AppTest) -> str:
    """All text of the page, without the marks that keep Markdown out."""
    shown = [*at.markdown, *at.caption, *at.subheader, *at.info, *at.warning, *at.title]
    return "\n".join(re.sub(r"\\(.)", r"\1", each.value) for each in shown)


def button(at: AppTest, label: str) -> Any:
    return next(each for each in at.button if each.label.endswith(label))


def shown_outputs(at: AppTest) -> list[str]:
    found = next(data for data in components(at) if data.get("kind") == "table")
    return ["".join(row["parts"]) for row in found["rows"]]


def list_of(at: AppTest) -> list[dict[str, Any]]:
    """The cards of the lessons."""
    return [card for data in components(at) for group in data.get("groups", ()) for card in group["cards"] if "lesson=" in card["name"]]


def choose(at: AppTest, option: int) -> AppTest:
    at.radio[0].set_value(option)
    button(at, "Answer").click().run()
    assert not at.exception
    return at


@pytest.mark.parametrize(("variant", "word", "language"), [("additive", "namaste", "hi"), ("tamil", "vanakkam", "ta")])
def test_an_answer_is_marked_as_the_language_it_is_in(folder: Path, variant: str, word: str, language: str) -> None:
    start = f"transliterate?word={word}&word_model={variant}"
    (folder / "looking.yaml").write_text(ONE.replace("transliterate?word=namaste", start), encoding="utf8")
    found = table(open_page("lessons", lesson="looking", question="3"), "transliteration")
    assert found is not None
    assert found["language"] == language


@pytest.mark.parametrize("page", ["steer", "how_it_works", "caption"])
def test_a_lesson_about_a_photo_asks_about_the_photo(page: str) -> None:
    """And not about the German sentence that stands in the same link."""
    (query,) = read_link(f"{page}?task=captioning&photo=cat&sentence=Ja.").asked.values()
    assert (query.model_id, query.given) == ("captioning/soft", (Asset("photo", "cat"),))
    with pytest.raises(InputError, match="the sample photos are"):
        read_link(f"{page}?task=captioning&photo=nobody")


def test_the_list_shows_every_lesson_and_opens_one() -> None:
    at = open_page("lessons")
    assert [(card["name"], card["title"], card["about"]) for card in list_of(at)] == [
        ("lessons?lesson=looking", "1. Looking", "5 questions. Where it looks."),
        ("lessons?lesson=other", "2. Other", "5 questions. Where it looks."),
    ]
    assert not at.get("download_button")
    assert open_page("lessons", lesson="looking").title[0].value == "Looking"


def test_a_prediction_is_asked_first_and_then_the_player_is_shown() -> None:
    at = open_page("lessons", lesson="looking", question="1")
    assert "Where does it look for “dog”?" in read(at)
    assert shown_outputs(at) == ["Ein Hund läuft über die Wiese.", "A dog runs across the meadow."]
    assert player(at) is None
    assert not at.get("link_button")
    assert at.radio[0].options == ["Ein", "Hund", "läuft", "über", "die", "Wiese", "\\."]
    trace = resources.answer(files.shelf().all[0].questions[0].states[0][1])
    right = int(trace.grouped().attention[1].argmax())
    choose(at, right)
    assert "Right:" in read(at)
    assert f"has {trace.grouped().attention[1].max():.2f} of the weight" in read(at)
    assert "Each row sums to 1." in read(at)
    shown = player(at)
    assert shown is not None
    assert shown["player"]["target"]["text"] == trace.text()
    assert at.get("link_button")[0].proto.url.startswith("translate?sentence=Ein+Hund")
    assert "1 of 5 answered, 1 right" in read(at)
    choose(open_page("lessons", lesson="looking", question="1"), right)


def test_a_wrong_answer_says_both() -> None:
    at = choose(open_page("lessons", lesson="looking"), 5)
    assert "Not this time." in read(at)
    assert "You said “Wiese”; the answer is “" in read(at)
    button(at, "Next question").click().run()
    assert "What will it write?" in read(at)
    button(at, "All lessons").click().run()
    assert "1 of 10 answered, 0 right" in read(at)
    assert at.get("download_button")[0].proto.label == "Answers, CSV"


def test_what_is_hidden_is_not_sent_to_the_browser() -> None:
    at = open_page("lessons", lesson="looking", question="2")
    assert shown_outputs(at) == ["Das gefällt mir.", "hidden until you have answered"]
    assert not any("I like it." in each.proto.json for each in at.get("bidi_component"))
    at.text_input[0].set_value("i LIKE it")
    button(at, "Answer").click().run()
    assert "Right:" in read(at)
    assert "I like it." in shown_outputs(at)


@pytest.mark.parametrize(("typed", "said"), [(2.81, "Right:"), (2.0, "Not this time.")])
def test_a_number(typed: float, said: str) -> None:
    at = open_page("lessons", lesson="looking", question="3")
    at.number_input[0].set_value(typed)
    button(at, "Answer").click().run()
    assert said in read(at)
    assert "The largest entropy a row could have is 2.81 bit." in read(at)


def test_two_states_stand_under_one_cursor() -> None:
    at = choose(open_page("lessons", lesson="looking", question="4"), 0)
    kinds = [data["player"]["kind"] for data in components(at) if "player" in data]
    assert kinds == ["clock", "text", "text"]
    assert table(at, "translation, 2 models") is not None


def test_no_answer_is_no_answer() -> None:
    at = open_page("lessons", lesson="looking", question="1")
    button(at, "Answer").click().run()
    assert "Choose or type an answer first" in read(at)
    assert "0 of 5 answered" in read(at)


def test_a_question_can_be_skipped_and_shows_its_answer() -> None:
    at = open_page("lessons", lesson="looking", question="1")
    button(at, "Skip").click().run()
    assert "Skipped." in read(at)
    assert "1 skipped" in read(at)
    assert player(at) is not None


def test_a_missing_model_is_named_and_can_be_skipped() -> None:
    at = open_page("lessons", lesson="looking", question="5")
    assert "This question needs translation/dot, which is not installed here" in read(at)
    button(at, "Skip").click().run()
    assert "1 skipped" in read(at)
    button(at, "Back to all lessons").click().run()
    assert "0 of 10 answered, 0 right, 1 skipped" in read(at)
    assert list_of(at)[0]["about"].startswith("0 of 5 answered, 0 right, 1 skipped. ")


def test_a_word_that_this_model_does_not_write_is_said() -> None:
    at = open_page("lessons", lesson="other", question="1")
    assert "without “zebra”, so this question cannot be asked here." in read(at)
    button(at, "Skip").click().run()
    assert "What will it write?" in read(at)


def test_begin_again_forgets_the_answers() -> None:
    at = open_page("lessons", lesson="looking", question="5")
    button(at, "Skip").click().run()
    button(at, "Begin again").click().run()
    assert "0 of 5 answered, 0 right" in read(at)
    assert "skipped" not in read(at)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"lesson": "nowhere"}, "There is no lesson “nowhere”"),
        ({"lesson": "<b>"}, "Predict what a model will do"),
        ({"lesson": "looking", "question": "99"}, "needs translation/dot"),
        ({"lesson": "looking", "question": "-3"}, "Where does it look for “dog”?"),
        ({"lesson": "looking", "question": "many"}, "Where does it look for “dog”?"),
    ],
)
def test_a_wrong_link_leads_somewhere(query: dict[str, str], said: str) -> None:
    at = open_page("lessons", **query)
    assert said in read(at)
    assert not errors(at)


def test_a_bad_file_is_named_and_the_others_work(folder: Path) -> None:
    (folder / "bad.yaml").write_text("title: Bad\norder: none\n", encoding="utf8")
    at = open_page("lessons")
    assert errors(at) == ["One lesson file cannot be used. bad.yaml, line 1: a lesson needs summary, questions."]
    assert len(list_of(at)) == 2


def test_an_added_file_is_a_lesson(folder: Path) -> None:
    (folder / "third one.yaml").write_text(ONE.replace("title: Looking", "title: '<b>Third</b> $x$'"), encoding="utf8")
    at = open_page("lessons", lesson="third one")
    assert at.title[0].value == r"\<b\>Third\<\/b\> \$x\$"


def test_an_empty_folder_says_what_to_do(folder: Path) -> None:
    for path in folder.glob("*.yaml"):
        path.unlink()
    assert "put a file under demo/labs/lessons/" in read(open_page("lessons"))


def test_answers_are_kept_for_this_session_alone() -> None:
    at = choose(open_page("lessons", lesson="looking", question="1"), 0)
    assert at.session_state[state.ANSWERS]["looking"][0].models == ("translation/additive",)
    assert at.session_state[state.ANSWERS]["looking"][0].link.startswith("translate?")
    assert "0 of 5 answered" in read(open_page("lessons", lesson="looking"))


def test_marks_are_kept_over_a_reload() -> None:
    at = choose(open_page("lessons", lesson="looking", question="1"), 0)
    right = at.session_state[state.ANSWERS]["looking"][0].right
    done = at.query_params["done"]
    assert done == [f"looking:{'r' if right else 'w'}"] or done == f"looking:{'r' if right else 'w'}"
    again = open_page("lessons", lesson="looking", question="1", done="looking:wr.s;nowhere:rr;looking2")
    assert "3 of 5 answered" not in read(again)
    assert "2 of 5 answered, 1 right, 1 skipped" in read(again)
    assert "You have answered this before, and it was not right." in read(again)
    assert player(again) is not None


@pytest.mark.parametrize("done", ["looking:xxx", ":", ";;;", "looking", "looking:" + "r" * 500])
def test_marks_that_someone_made_up_break_nothing(done: str) -> None:
    at = open_page("lessons", done=done)
    assert len(list_of(at)) == 2
    assert not errors(at)


def test_the_next_lesson_follows_the_last_question() -> None:
    at = open_page("lessons", lesson="looking", question="5")
    button(at, "Skip").click().run()
    button(at, "Next lesson: Other").click().run()
    assert at.title[0].value == "Other"
    last = open_page("lessons", lesson="other", question="5")
    button(last, "Skip").click().run()
    assert not [each.label for each in last.button if "Next lesson" in each.label]


def test_what_a_question_needs_is_explained_before_it_is_answered(folder: Path) -> None:
    asked = ONE.replace("measure: largest entropy", "measure: entropy").replace("How many bits at most?", "How wide are its rows?")
    (folder / "looking.yaml").write_text(
        asked.replace("transliterate?word=namaste", "translate?sentence=Das gefällt mir."), encoding="utf8"
    )
    said = read(open_page("lessons", lesson="looking", question="3"))
    assert "**entropy**: How widely weights" in said
    before = asked.replace("questions:", "before: Entropy says how widely weights are spread.\nquestions:", 1)
    (folder / "looking.yaml").write_text(
        before.replace("transliterate?word=namaste", "translate?sentence=Das gefällt mir."), encoding="utf8"
    )
    said = read(open_page("lessons", lesson="looking", question="3"))
    assert "Entropy says how widely weights are spread." in said
    assert "**entropy**:" not in said
