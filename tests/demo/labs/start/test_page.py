"""Start as a visitor meets it: a recording that plays without a model, a sentence to type, a card for every lab."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from demo import app, examples, state
from demo.blocks import pictures
from demo.blocks.drawing import HEIGHT, WIDTH
from demo.labs.start import view
from seq2seq_core.errors import InputError
from seq2seq_core.store import zoo
from tests.demo.pages import components, open_page, player, result

ROOT = Path(__file__).parents[4]
OTHERS = [lab for lab in app.labs() if lab.name != "start"]
PAINTED_WITHOUT_TORCH = """
import sys
from demo import resources
seen = []
resources.warm_up = lambda *_, **__: seen.append("torch" in sys.modules)  # the shell calls it when the page is painted
from streamlit.testing.v1 import AppTest
shown = AppTest.from_file("streamlit_app.py", default_timeout=60).run()
assert not shown.exception and len(shown.get("bidi_component")) >= 2
sys.exit(seen != [False])
"""


def all_cards(at: AppTest) -> dict[str, Any]:
    """Those of the labs; three things to do stand above them."""
    return [data for data in components(at) if "groups" in data][-1]


def test_a_recording_plays_before_any_model_is_asked() -> None:
    shown = player(open_page("start"))
    assert shown is not None, "no trace of the start page's sentence is stored: run tools/store_examples.py"
    assert shown["player"]["parts"][0]["text"] == examples.START.text
    assert shown["layout"]["autoplay"]
    assert shown["player"]["map"]


def test_nothing_of_the_second_minute_is_in_the_first() -> None:
    at = open_page("start")
    shown = player(at)
    assert shown is not None
    assert "</s>" not in json.dumps(shown["player"]["target"], ensure_ascii=False)
    assert not shown["layout"]["panel"], "candidates, log p and entropy"
    said = " ".join(each.value for each in [*at.main.markdown, *at.main.caption])
    assert not re.search(r"</s>|<0\.01|log p|entropy", said)


def test_three_things_to_do_lead_on() -> None:
    at = open_page("start")
    verbs = next(data for data in components(at) if data.get("form") == "list")["groups"][0]["cards"]
    assert [card["name"] for card in verbs] == [address for address, _, _ in view.VERBS]
    assert all(card["picture"] for card in verbs)
    for address, _, _ in view.VERBS:
        page, _, query = address.partition("?")
        assert page in [lab.name for lab in OTHERS]
        assert state.link(page, state.values_of(query)).replace("+", " ") in (address, page), "no default, and nothing unknown"


@pytest.mark.usefixtures("models")
def test_surprise_me_needs_no_german() -> None:
    at = open_page("start")
    at.button(key="surprise").click().run()
    assert at.title[0].value == "Translate"
    assert at.text_input(key="sentence").value in [example.text for example in examples.GERMAN]  # the link leaves out the page's own


def test_every_example_says_its_words_in_english() -> None:
    at = open_page("start")
    assert all(example.gloss for example in (examples.START, *examples.GERMAN[:3]))
    assert examples.GERMAN[0].gloss in at.button(key="example_0").label


def test_the_recording_is_of_the_shipped_model() -> None:
    request = pictures.queries()["translation"]
    try:
        zoo.find(request.model_id)
    except InputError:
        pytest.skip(f"{request.model_id} is not installed")
    assert examples.stored(request) is not None, "the model has changed: run tools/store_examples.py"


def test_painting_needs_no_torch() -> None:
    done = subprocess.run([sys.executable, "-c", PAINTED_WITHOUT_TORCH], cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_every_other_page_has_a_card_with_a_picture() -> None:
    shown = all_cards(open_page("start"))
    cards = [card for group in shown["groups"] for card in group["cards"]]
    assert [(card["name"], card["title"], card["about"]) for card in cards] == [(lab.name, lab.title, lab.about) for lab in OTHERS]
    assert all(card["picture"] for card in cards)
    assert [group["title"] for group in shown["groups"]] == list(dict.fromkeys(lab.group for lab in OTHERS))


@pytest.mark.parametrize("name", [lab.name for lab in app.LABS if lab.name != "start"])
def test_a_picture_stays_in_its_frame(name: str) -> None:
    draw = app.lab(name).picture
    assert draw is not None
    shapes = draw(pictures.stored_traces())
    for shape in shapes:
        if "at" in shape:
            x, y = shape["at"][:2]
            assert -1 <= x <= WIDTH + 1
            assert -1 <= y <= HEIGHT + 1
        if shape["kind"] == "cell":
            assert shape["at"][0] + shape["at"][2] <= WIDTH + 1
            assert shape["at"][1] + shape["at"][3] <= HEIGHT + 1
            assert shape["colours"][0] != shape["colours"][1]


@pytest.mark.usefixtures("models")
def test_without_a_recording_there_are_the_sentence_and_the_cards() -> None:
    at = open_page("start")
    assert player(at) is None
    shown = all_cards(at)
    assert not any(card["picture"] for group in shown["groups"] for card in group["cards"])
    assert at.text_input(key="own_sentence").label == "Your own German sentence"


def ask(at: AppTest, text: str) -> AppTest:
    at.text_input(key="own_sentence").set_value(text)
    return next(button for button in at.button if button.label == "Translate").click().run()


@pytest.mark.usefixtures("models")
def test_a_typed_sentence_is_translated() -> None:
    at = ask(open_page("start"), "Das gefällt dir.")
    assert not at.exception
    assert at.title[0].value == "Translate"
    assert result(at) == "You like it."
    shown = player(at)
    assert shown is not None
    assert shown["layout"]["autoplay"]


@pytest.mark.usefixtures("models")
def test_an_example_is_translated() -> None:
    at = open_page("start")
    at.button(key="example_1").click().run()
    assert result(at) == "I have read a book."


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("text", ["", "   "])
def test_nothing_typed_is_said(text: str) -> None:
    at = ask(open_page("start"), text)
    assert "Type a German sentence first" in at.info[0].value


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "ß" * 10_000, "🙂🙂", "**a** [b](c)"])
def test_odd_sentences_reach_translate_unharmed(text: str) -> None:
    at = ask(open_page("start"), text)
    assert not at.exception
    assert at.title[0].value == "Translate"
