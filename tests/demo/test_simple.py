"""Simple and full: what a visitor is spared, and that links which need all of it have it."""

from __future__ import annotations

import pytest

from demo.terms import MODELS
from demo.wording import plain
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


def test_steer_has_no_sliders_scores_or_terms() -> None:
    at = open_page("steer", sentence=SENTENCE, level="simple")
    assert not at.slider
    offered = next(group for group in at.get("button_group") if "force a word" in group.options)
    assert list(offered.options) == ["play", "force a word", "move attention"]
    shown = [data for data in components(at) if data.get("kind") in ("line", "table")]
    assert shown
    assert not [data for data in shown if data.get("figures") or data.get("columns")]
    assert next(data for data in components(at) if "tree" in data)["plain"]
    at = open_page("steer", sentence=SENTENCE, level="simple", part="oracle")  # a link that needs more has it
    assert any("oracle" in group.options for group in at.get("button_group"))


def test_compare_tells_of_each_model_and_has_no_numbers() -> None:
    at = open_page("compare", sentence=SENTENCE, level="simple")
    assert not at.slider
    assert plain(f"none: {MODELS['none']} additive: {MODELS['additive']}") in [each.value for each in at.caption]
    found = table(at, "Outputs")
    assert found is not None
    assert not found["columns"] and len(found["rows"]) == 2
    assert not [each for each in at.checkbox if each.label == "Numbers in cells"]
