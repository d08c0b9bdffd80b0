"""A class before its answer: hands are counted, and a quarter of a photo is an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from demo.labs.lessons import files
from demo.labs.lessons.kinds import QUARTERS
from tests.demo.pages import components, open_page, table, texts

LESSON = """\
title: Hands
order: 1
summary: Votes.
questions:
  - question: Do they write the same?
    start: compare?sentence=Das gefällt mir.&variants=none&variants=additive&search=greedy
    hides: output
    check: {kind: same outputs}
  - question: Where does it look for “{word}”?
    start: caption?photo=cat&photo_model=soft&search=greedy
    hides: attention
    check: {kind: looks at, word: 1}
"""


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hands.yaml").write_text(LESSON, encoding="utf8")
    monkeypatch.setattr(files, "FOLDER", tmp_path)


@pytest.mark.usefixtures("models")
def test_hands_are_counted_and_stand_beside_the_answer() -> None:
    at = open_page("lessons", lesson="hands", question="1")
    for option, hands in enumerate((12, 1)):
        at.number_input(key=f"hands_hands_0_{option}").set_value(hands).run()
    assert table(at, "Show of hands") is None, "before the answer nothing says what is right"
    at.radio[0].set_value(0)
    next(button for button in at.button if button.label == "Answer").click().run()
    said = table(at, "Show of hands")
    assert said is not None and texts(said) == ["They are the same", "They differ"]
    assert [row["values"] for row in said["rows"]] == [["12"], ["1"]]
    right = [row["chosen"] for row in said["rows"]].index(True)
    assert said["note"] == ("12 of 13 were right.", "1 of 13 was right.")[right]


@pytest.mark.usefixtures("models")
def test_in_simple_and_without_votes_there_are_no_hands() -> None:
    at = open_page("lessons", lesson="hands", question="1", level="simple")
    assert not [each for each in at.number_input if each.key and each.key.startswith("hands")]
    at.radio[0].set_value(1)
    next(button for button in at.button if button.label == "Answer").click().run()
    assert table(at, "Show of hands") is None


@pytest.mark.usefixtures("every_model")
def test_a_photo_is_asked_about_by_its_quarters() -> None:
    at = open_page("lessons", lesson="hands", question="2")
    (shown,) = [data for data in components(at) if "names" in data]
    assert shown["names"] == list(QUARTERS) and shown["url"].startswith("data:image/")
    assert at.radio[0].label == "Choose a quarter of the photo, or click on it"
