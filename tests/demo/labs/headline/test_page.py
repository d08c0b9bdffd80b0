"""Headline as a visitor meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from demo import app, resources, state
from demo.labs.headline.view import capitalised
from tests.core.tiny import save_tiny_model
from tests.demo.conftest import Install
from tests.demo.pages import errors, open_page, player, result, table, texts


@pytest.fixture
def news_models(tmp_path: Path, install: Install) -> Path:
    """Models that have learnt nothing: what is shown must be right all the same."""
    root = tmp_path / "news"
    for name, changes in (("none", {"attention": "none"}), ("additive", {}), ("copy", {"copying": True})):
        save_tiny_model(root / "summary" / name, seed=3, task="summary", share_embeddings=True, **changes)
    return install(root)


@pytest.mark.parametrize(
    ("headline", "sentence", "shown"),
    [
        ("belvaro to buy hestvik", "Belvaro Foods said it will buy Hestvik's boats.", "Belvaro to buy Hestvik"),
        ("frost hits the coffee harvest", "Coffee growers said the frost hit the harvest in Peru.", "Frost hits the coffee harvest"),
        ("u.s. firm's profit", "A firm in the U.S. said this year's profit rose.", "U.S. firm's profit"),
        ("", "Nothing.", ""),
    ],
)
def test_capitals_are_those_of_the_sentence(headline: str, sentence: str, shown: str) -> None:
    assert capitalised(headline, sentence) == shown


@pytest.mark.usefixtures("news_models")
def test_the_page_shows_the_headline_its_marks_and_the_other_models() -> None:
    at = open_page("headline", news="a bad egg")
    assert at.title[0].value == "Headline" and not errors(at)
    shown = player(at)
    assert shown is not None
    (mark,) = shown["player"]["marks"]
    assert mark["name"] == "copy" and not mark["position"] and len(mark["values"]) == len(shown["player"]["steps"])
    assert result(at).lower() == shown["player"]["target"]["text"].lower()
    said = texts(table(at, "With and without copying"))
    assert len(said) == 3 and said[2] == result(at)
    copied = [one.value for one in at.caption if "opied" in one.value]
    assert len(copied) == 1 and "capitals are those of the sentence" in copied[0]


@pytest.mark.usefixtures("news_models")
def test_without_copying_nothing_is_said_of_it_and_nothing_is_no_error() -> None:
    at = open_page("headline", news="a bad egg", news_model="none", level="simple")
    shown = player(at)
    assert shown is not None and shown["player"]["marks"] == [] and shown["player"]["link"] == "none"
    assert not any("Copied" in one.value for one in at.caption)
    at.text_input[0].set_value("   ").run()
    assert not errors(at) and at.info[0].value.startswith("Type the first sentence of a news story")


def test_the_link_of_the_page_is_its_query() -> None:
    values = state.values_of("news=Some+story.&news_model=none&search=greedy")
    (asked,) = app.lab("headline").queries(values).values()
    assert (asked.model_id, asked.given, asked.settings.search) == ("summary/none", ("Some story.",), "greedy")


def test_a_machine_without_the_models_does_not_offer_the_page(tmp_path: Path, install: Install) -> None:
    install(tmp_path)
    assert resources.installed("summary") == [] and app.lab("headline") not in app.labs()
