"""Every lesson with the shipped models, from the first question to the last: none has to be skipped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from demo import resources
from demo.labs.lessons.files import Lesson, shelf
from demo.labs.lessons.kinds import find
from tests.demo.conftest import Install
from tests.demo.pages import ROOT, components, errors, open_page, player


@pytest.fixture(autouse=True)
def shipped(install: Install) -> Path:
    return install(ROOT / "models")


@pytest.mark.parametrize("lesson", shelf().all, ids=lambda lesson: lesson.name)
def test_a_lesson_from_beginning_to_end(lesson: Lesson) -> None:
    at = open_page("lessons", lesson=lesson.name)
    for place, question in enumerate(lesson.questions, 1):
        for number in at.number_input:
            number.set_value(1)
        for text in at.text_input:
            text.set_value("A woman reads.")
        for radio in at.radio:
            radio.set_value(0)
        by_label = {button.label.split(":")[-1]: button for button in at.button}
        assert "Answer" in by_label, (place, question.text, [each.value for each in at.warning])
        by_label["Answer"].click().run()
        assert not at.exception and not errors(at)
        assert re.search("Right:|Not this time", "\n".join(each.value for each in at.markdown)), (place, question.text)
        assert player(at) is not None
        several = [each for each in components(at) if "player" in each and each["layout"]["sync"] and each["player"]["kind"] == "text"]
        assert all(each["layout"]["height"] - 120 >= 18 * len(each["player"]["target"]["words"]) for each in several), "words without room"
        assert [each.proto.url for each in at.get("link_button")] == [link.address for _, link in question.links]
        onward = next(button for button in at.button if button.label.endswith(("Next question", "Back to all lessons")))
        onward.click().run()
    count = len(lesson.questions)
    cards = [card for data in components(at) for group in data.get("groups", ()) for card in group["cards"]]
    about = next(card["about"] for card in cards if card["name"].endswith(f"lesson={lesson.name}"))
    assert re.match(rf"{count} of {count} answered, \d right", about)


@pytest.mark.parametrize(
    ("name", "place", "right"),
    [
        ("5-score-functions", 3, "none"),
        ("5-score-functions", 5, "whole"),
        ("6-greedy-and-beam", 2, "beam 5"),
        ("9-greedys-bad-luck", 2, "beam 5"),
        ("9-greedys-bad-luck", 3, "beam 5"),
        ("11-tokens", 3, "."),
        ("15-a-set", 1, "They differ"),
    ],
)
def test_an_example_shows_what_its_explanation_says(name: str, place: int, right: str) -> None:
    """Of the models shipped today. If others answer otherwise, another sentence has to be found for the question."""
    question = next(lesson for lesson in shelf().all if lesson.name == name).questions[place - 1]
    found = find({state: resources.answer(query) for state, query in question.states}, question.check)
    assert [found.options[one] for one in found.right] == [right], found.said
