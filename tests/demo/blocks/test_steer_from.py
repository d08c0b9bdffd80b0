"""A click on a step of any player leads to Steer, at that step."""

from __future__ import annotations

import re
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from demo import resources, state
from demo.blocks import steer_from
from demo.blocks.steer_from import Place
from demo.components.player.mount import Click
from demo.edits import read_edits
from demo.query import Query
from seq2seq_core.config import DecodeSettings
from tests.demo.pages import open_page, player, table

pytestmark = pytest.mark.usefixtures("models")

SENTENCE = "Ein Hund läuft über die Wiese."
ASKED = Query("translation/additive", (SENTENCE,))


def lines(at: AppTest) -> list[str]:
    """As they are read: without the marks that keep Markdown out."""
    return [re.sub(r"\\(.)", r"\1", text.value) for text in at.markdown]


def steered(place: Place, part: str = "move attention") -> tuple[dict[str, list[str]], AppTest]:
    query = steer_from.link_to(place, part)
    return query, open_page("steer", **{key: written[-1] for key, written in query.items()})


@pytest.mark.parametrize(
    "settings",
    [
        DecodeSettings(),
        DecodeSettings(beam_size=3, length_penalty=0.2),
        DecodeSettings(search="greedy"),
        DecodeSettings(search="sample", seed=4),
    ],
    ids=["beam 5", "beam 3", "greedy", "sample"],
)
def test_steer_shows_the_step_that_was_clicked(settings: DecodeSettings) -> None:
    request = Query("translation/additive", (SENTENCE,), settings=settings)
    trace = resources.answer(request)
    tokens = trace.token_ids()[:3]
    query, at = steered(Place(request, tokens, trace.tokens()[2]))
    shown = player(at)
    assert shown is not None
    assert shown["player"]["target"]["tokens"][:3] == list(trace.tokens()[:3])
    assert any(line.startswith("Step 3, after") for line in lines(at))
    assert query["beam"] == [str({"beam": settings.beam_size, "greedy": 1}.get(settings.search, 5))]


def test_a_path_that_the_beam_never_saw_is_forced() -> None:
    unlikely = resources.answer(Query("translation/additive", ("Ein Kind schläft.",))).token_ids()[::-1][1:4]
    query, at = steered(Place(ASKED, unlikely, "?"), "force a word")
    assert read_edits(query["edits"][0]).prefix == unlikely
    assert table(at, "Before and after") is not None
    shown = player(at)
    assert shown is not None
    names = [resources.pipeline("translation/additive").target_tokenizer.token(i) for i in unlikely]
    assert shown["player"]["target"]["tokens"][:3] == names


def test_edits_come_along() -> None:
    edited = Query("translation/additive", (SENTENCE,), steering=read_edits("h1"))
    tokens = resources.answer(edited).token_ids()[:1]
    query, at = steered(Place(edited, tokens, "A"), "play")
    assert query["edits"] == ["h1"]
    assert table(at, "Before and after") is not None


@pytest.mark.parametrize("page", ["translate", "compare"])
def test_players_say_that_they_can_be_clicked(page: str) -> None:
    at = open_page(page, sentence=SENTENCE)
    assert [caption.value for caption in at.caption].count(steer_from.HINT) == 1


def test_a_clicked_step_is_offered_where_it_was_clicked() -> None:
    at = open_page("translate", sentence=SENTENCE)
    trace = resources.answer(Query("translation/additive", (SENTENCE,)))
    at.session_state[steer_from.PLACE] = Place(ASKED, trace.token_ids()[:2], trace.tokens()[1])
    at.run()
    assert f"Step 2, “{trace.tokens()[1].strip()}”:" in lines(at)
    links = [link.proto for link in at.get("page_link")]
    assert [link.label for link in links] == list(steer_from.ACTIONS)
    said = state.values_of(links[1].query_string)
    assert (said["sentence"], said["part"], said["node"]) == (SENTENCE, "move attention", trace.path()[1].id)
    at.text_input(key="sentence").set_value("Das gefällt mir.").run()
    assert not at.get("page_link")


@pytest.mark.parametrize("click", [Click(None, 2), Click(10**6, None)])
def test_a_click_that_is_no_step_changes_nothing(click: Click, monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    steer_from.hear(ASKED, resources.answer(ASKED))(click)
    assert steer_from.PLACE not in session


def test_a_click_names_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = resources.answer(ASKED)
    session: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    steer_from.hear(ASKED, trace)(Click(trace.path()[2].id, 1))
    assert session[steer_from.PLACE] == Place(ASKED, trace.token_ids()[:3], trace.tokens()[2])


def test_only_what_steer_can_open_is_offered() -> None:
    assert steer_from.task_of(Query("transliteration/none", ("a",))) == "transliteration"
    assert steer_from.task_of(Query("language_model/gru")) == ""
    assert state.TASK.clean(steer_from.task_of(ASKED)) == "translation"
