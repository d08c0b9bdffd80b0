"""The menu of letters: on every page that shows a formula or a drawing, which then have a lecture's letters."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.demo.pages import components, errors, open_page

BEREYHI = ["h", "s", "a"]
SENTENCE = "Das gefällt mir."


def menus(at: AppTest) -> list[str]:
    return [menu.value for menu in at.selectbox if menu.label == "Letters"]


def drawn(at: AppTest) -> list[list[str]]:
    return [data["layout"]["letters"] for data in components(at) if "player" in data and data["player"]["kind"] != "clock"]


@pytest.mark.usefixtures("every_model")
@pytest.mark.parametrize(
    ("page", "players", "query"),
    [
        ("translate", 1, {"sentence": SENTENCE}),
        ("transliterate", 1, {"word": "namaste"}),
        ("caption", 1, {"photo": "cat"}),
        ("compare", 2, {"sentence": SENTENCE}),
        ("how_it_works", 1, {"sentence": SENTENCE}),
        ("language_model", 1, {"beginning": "A dog"}),
        ("steer", 1, {"sentence": SENTENCE}),
    ],
)
def test_a_drawing_has_the_chosen_letters_and_their_menu_once(page: str, players: int, query: dict[str, str]) -> None:
    at = open_page(page, **query, view="network", lettering="Bereyhi")
    assert not errors(at)
    assert menus(at) == ["Bereyhi"]
    assert drawn(at) == [BEREYHI] * players


@pytest.mark.usefixtures("every_model")
@pytest.mark.parametrize(
    ("page", "query", "written"),
    [
        ("language_model", {}, r"y_{\ell}"),
        ("language_model", {"do": "condition"}, r"y_{<\ell}"),
        ("steer", {"part": "shuffle", "sentence": SENTENCE}, "$h[t]$"),
    ],
)
def test_a_formula_in_a_sentence_too(page: str, query: dict[str, str], written: str) -> None:
    at = open_page(page, **query, lettering="Bereyhi")
    assert menus(at) == ["Bereyhi"]
    assert any(written in text.value for text in at.markdown)


@pytest.mark.usefixtures("models")
def test_the_gradients_of_a_training_step_are_called_so_and_a_map_needs_no_letters() -> None:
    at = open_page("training_step", sentence=SENTENCE, right="I like it.", lettering="Bereyhi")
    assert menus(at) == ["Bereyhi"]
    letters = next(data["letters"] for data in components(at) if "places" in data)
    assert (letters["c"], letters["e"], letters["ℓ"]) == ("a", "ξ", "o")
    assert menus(open_page("translate", sentence=SENTENCE)) == []
