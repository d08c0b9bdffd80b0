"""Simple and full: what a visitor is spared, and that links which need all of it have it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from demo.terms import MODELS
from demo.wording import plain
from tests.demo.pages import components, open_page, player, result, table, texts

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


def words_alone(at: AppTest) -> bool:
    """No slider, and neither a line nor a table has a number in a column."""
    shown = [data for data in components(at) if data.get("kind") in ("line", "table")]
    return not at.slider and not [data for data in shown if data.get("figures") or data.get("columns")]


def groups(at: AppTest) -> list[list[str]]:
    return [list(group.options) for group in at.get("button_group")]


def test_a_language_model_goes_on_and_says_what_might_come_next() -> None:
    at = open_page("language_model", beginning="A dog", level="simple")
    assert result(at)
    assert words_alone(at)
    assert ["generate", "condition"] in groups(at)
    assert [button.label for button in at.button if button.key == "decode"] == ["Go on"]
    assert not [each for each in at.markdown if "$" in each.value]
    assert texts(table(at, "The next piece"))
    at = open_page("language_model", do="condition", level="simple")
    assert words_alone(at)
    at = open_page("language_model", do="searches", level="simple")  # a link that needs more has it
    assert any("searches" in group for group in groups(at))


def test_train_asks_for_a_task_and_how_it_looks() -> None:
    at = open_page("train", preset="reverse", level="simple")
    assert not at.slider and not at.number_input
    assert [menu.label for menu in at.selectbox] == ["Attention"]
    assert not [group for group in groups(at) if "lstm" in group]
    assert [tab.label for tab in at.tabs] == ["Models"]
    assert [button.label for button in at.button if button.key == "start"] == ["Start"]
    assert plain(f"additive: {MODELS['additive']} none: {MODELS['none']}") in [each.value for each in at.caption]
    at = open_page("train", preset="reverse", level="simple", tab="One step in slow motion")
    assert "One step in slow motion" in [tab.label for tab in at.tabs]


def test_bottleneck_makes_its_claim_in_words() -> None:
    at = open_page("bottleneck", level="simple")
    assert ["quality and length", "sentence vectors"] in groups(at)
    assert not [group for group in groups(at) if "our own" in group]
    assert words_alone(at)
