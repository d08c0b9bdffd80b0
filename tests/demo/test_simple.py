"""Simple and full: what a visitor is spared, and that links which need all of it have it."""

from __future__ import annotations

import pytest

from tests.demo.pages import components, open_page, player, result, table

pytestmark = pytest.mark.usefixtures("every_model")
SENTENCE = "Das gefällt mir."


def test_simple_hides_what_needs_a_term() -> None:
    at = open_page("translate", sentence=SENTENCE, level="simple", model="none")
    assert result(at)
    assert not at.slider
    assert not [group for group in at.get("button_group") if getattr(group, "label", "") == "Search"]
    line = next(data for data in components(at) if data.get("kind") == "line")
    assert line["figures"] == []
    shown = player(at)
    assert shown is not None
    assert shown["layout"]["plain"]
    found = table(at, "What else it might have said")
    assert found is not None
    assert found["columns"] == []
    assert any("one vector" in each.value for each in at.caption), "the model is told of in half a sentence"


def test_full_is_what_a_link_opens() -> None:
    at = open_page("translate", sentence=SENTENCE, model="none")
    assert at.slider
    shown = player(at)
    assert shown is not None
    assert not shown["layout"]["plain"]
    found = table(at, "Hypotheses")
    assert found is not None
    assert len(found["columns"]) == 3


def test_the_same_answer_in_both() -> None:
    simple, full = (open_page("translate", sentence=SENTENCE, level=level, beam="3") for level in ("simple", "full"))
    assert result(simple) == result(full)
