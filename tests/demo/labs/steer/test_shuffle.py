"""Shuffle on the Steer page: what stays is said with its number, and what does not is told apart."""

from __future__ import annotations

import pytest

from tests.demo.pages import components, errors, open_page, table, texts

SENTENCE = "Eine Frau in einem roten Mantel liest im Park eine Zeitung."


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("model", ["additive", "multi-head"])
def test_states_may_change_places_and_words_may_not(model: str) -> None:
    at = open_page("steer", part="shuffle", sentence=SENTENCE, model=model)
    assert not errors(at)
    own, states, words = table(at, "What is said of each")["rows"]  # type: ignore[index]
    assert own["parts"] == states["parts"] and own["values"] == states["values"]
    assert model != "additive" or words["values"][1] != own["values"][1], "the other one has learnt nothing"
    shown = {data["title"]: data for data in (each["player"] for each in components(at) if "player" in each) if data.get("title")}
    one, other = (shown[name]["parts"][0]["tokens"] for name in ("as it is", "states shuffled"))
    assert one != other and sorted(one) == sorted(other)
    assert any("no log p changes by more than" in each.value for each in at.markdown)


@pytest.mark.usefixtures("models")
def test_another_order_is_another() -> None:
    at = open_page("steer", part="shuffle", sentence=SENTENCE)
    before = table(at, "What is said of each")
    next(button for button in at.button if button.label == "Another order").click().run()
    assert table(at, "What is said of each")["note"] != before["note"]  # type: ignore[index]
    assert texts(table(at, "What is said of each"))[0] == texts(before)[0]


@pytest.mark.usefixtures("models")
def test_one_vector_has_no_order() -> None:
    at = open_page("steer", part="shuffle", sentence=SENTENCE, model="none")
    assert any("given one vector" in each.value for each in at.markdown)


@pytest.mark.usefixtures("every_model")
def test_the_cells_of_a_photo() -> None:
    at = open_page("steer", part="shuffle", task="captioning", photo="cat")
    own, states, cells = table(at, "What is said of each")["rows"]  # type: ignore[index]
    assert own["parts"] == states["parts"] == cells["parts"] and "cells shuffled" in cells["lead"]
