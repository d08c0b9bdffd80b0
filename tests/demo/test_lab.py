"""What a lab asks is one function of what its link says: pages, lessons and stored examples ask by it."""

from __future__ import annotations

from typing import Any

import pytest

from demo import app, examples, lab, resources, state
from demo.labs.lessons.links import pages, read_link
from demo.query import Asset, Query
from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.tasks import TASKS
from tests.demo.pages import open_page, player, result

FROM_A_LINK = (
    "translate?sentence=Das gefällt mir.&search=greedy",
    "transliterate?word=dosti&beam=3",
    "how_it_works?task=transliteration&word=kitab",
    "steer?sentence=Das gefällt dir.&beam=3&edits=h1",
    "language_model?beginning=A dog&search=greedy",
)


def queries(link: str) -> list[Query]:
    return list(read_link(link).asked.values())


def values(**said: Any) -> dict[str, Any]:
    return state.values_of("") | said


@pytest.mark.usefixtures("every_model")
@pytest.mark.parametrize("link", FROM_A_LINK)
def test_a_page_shows_what_its_lab_asks(link: str) -> None:
    page, _, query = link.partition("?")
    at = open_page(page, **dict(part.split("=") for part in query.split("&")))
    shown, (asked,) = player(at), queries(link)
    assert shown is not None
    assert shown["player"]["target"]["text"] == resources.answer(asked).text()
    if page == "steer":
        assert shown["player"]["hidden"] == [1]


@pytest.mark.usefixtures("every_model")
def test_a_lesson_goes_on_from_a_beginning_as_far_as_the_page() -> None:
    (asked,) = queries("language_model?beginning=A dog&language_model=prose&search=greedy")
    trace = resources.answer(asked)
    assert len(trace.token_ids()) - trace.prompt == TASKS["language"].longest[1]  # it has not learnt to end
    assert trace.prompt > 0
    assert result(open_page("language_model", beginning="A dog", language_model="prose", search="greedy")) == resources.answer(asked).text()


def test_every_lab_that_asks_can_begin_a_lesson() -> None:
    for name in pages():
        assert all(isinstance(query, Query) for query in app.lab(name).queries(state.values_of("")).values())


def test_what_a_page_for_one_task_asks_is_of_that_task() -> None:
    named = {"translate": "translation", "transliterate": "transliteration", "caption": "captioning", "language_model": "language"}
    for name, task in named.items():
        for query in app.lab(name).queries(values(task="transliteration")).values():
            assert lab.task_of(query.model_id) == task


def test_compare_makes_all_say_the_same() -> None:
    compare = app.lab("compare").queries
    led = compare(values(variants=("none", "dot"), same_target=True, followed="dot"))
    assert {query.target for query in led.values()} == {compare(values(variants=("none", "dot")))["dot"]}
    with pytest.raises(InputError, match="not among the variants shown"):
        compare(values(variants=("none",), same_target=True, followed="dot"))


def test_glimpses_are_those_of_hard_attention() -> None:
    asked = app.lab("caption").queries(values(photo="cat", photo_model="hard", tool="glimpses", seed=4))
    assert [(query.settings.glimpse, query.settings.seed) for query in asked.values()] == [("sample", 4), ("expected", 0)]
    (soft,) = app.lab("caption").queries(values(photo="cat", photo_model="soft", tool="glimpses", seed=4)).values()
    assert (soft.given, soft.settings) == ((Asset("photo", "cat"),), DecodeSettings())


def test_what_is_stored_is_what_is_asked_first() -> None:
    (asked,) = app.lab("translate").queries(state.values_of("")).values()
    assert asked.text == examples.GERMAN[0].text
    assert (examples.FOLDER / f"{examples.name_of(asked)}.json").is_file()
