"""A click on a step of any player leads to Steer, at that step."""

from __future__ import annotations

import re
from dataclasses import replace
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
from tests.demo.pages import components, open_page, player, table

pytestmark = pytest.mark.usefixtures("models")

SENTENCE = "Ein Hund läuft über die Wiese."
ASKED = Query("translation/additive", (SENTENCE,))
FORCE = "Force another word"


def lines(at: AppTest) -> list[str]:
    """As they are read: without the marks that keep Markdown out."""
    return [re.sub(r"\\(.)", r"\1", text.value) for text in at.markdown]


def steered(place: Place) -> tuple[dict[str, list[str]], AppTest]:
    query = steer_from.link_to(place)
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
    query, at = steered(Place(request, tokens, "move attention"))
    shown = player(at)
    assert shown is not None
    assert shown["player"]["target"]["tokens"][:3] == list(trace.tokens()[:3])
    word = shown["player"]["target"]["groups"][2] + 1  # the player counts words, and a word may have several pieces
    assert any(line.startswith(f"Word {word}, after") for line in lines(at))
    assert query["beam"] == [str({"beam": settings.beam_size, "greedy": 1}.get(settings.search, 5))]


def test_a_path_that_the_beam_never_saw_is_forced() -> None:
    unlikely = resources.answer(Query("translation/additive", ("Ein Kind schläft.",))).token_ids()[::-1][1:4]
    query, at = steered(Place(ASKED, unlikely, "force a word"))
    assert read_edits(query["edits"][0]).prefix == unlikely
    assert table(at, "Before and after") is not None
    shown = player(at)
    assert shown is not None
    names = [resources.pipeline("translation/additive").target_tokenizer.token(i) for i in unlikely]
    assert shown["player"]["target"]["tokens"][:3] == names


def test_edits_come_along() -> None:
    edited = Query("translation/additive", (SENTENCE,), steering=read_edits("h1"))
    tokens = resources.answer(edited).token_ids()[:1]
    query, at = steered(Place(edited, tokens, "play"))
    assert query["edits"] == ["h1"]
    assert table(at, "Before and after") is not None


@pytest.mark.parametrize("page", ["translate", "compare"])
def test_players_offer_what_can_be_done_at_a_step(page: str) -> None:
    at = open_page(page, sentence=SENTENCE)
    offered = [data["layout"]["actions"] for data in components(at) if data.get("player", {}).get("kind") == "text"]
    assert len(offered) >= 1
    assert all(names == list(steer_from.ACTIONS) for names in offered)


def test_a_page_whose_action_was_chosen_leads_to_steer() -> None:
    at = open_page("translate", sentence=SENTENCE)
    trace = resources.answer(ASKED)
    at.session_state[steer_from.PLACE] = Place(ASKED, trace.token_ids()[:2], "move attention")
    at.run()
    (link,) = [link.proto for link in at.get("page_link")]
    said = state.values_of(link.query_string)
    assert (said["sentence"], said["part"], said["node"]) == (SENTENCE, "move attention", trace.path()[1].id)
    at.run()  # a report of the player that was on its way began the page anew: the link is there still
    assert at.get("page_link")
    at.switch_page("pages/steer.py").run()
    assert steer_from.PLACE not in at.session_state
    at.switch_page("pages/translate.py").run()
    assert not at.get("page_link")


def test_an_action_that_was_left_for_another_sentence_leads_nowhere() -> None:
    at = open_page("translate", sentence=SENTENCE)
    at.session_state[steer_from.PLACE] = Place(replace(ASKED, given=("Guten Morgen.",)), (5,), "move attention")
    at.run()
    assert not at.get("page_link")
    assert steer_from.PLACE not in at.session_state


@pytest.mark.parametrize("click", [Click(None, 2, FORCE), Click(10**6, None, FORCE), Click(0, None), Click(0, None, "Delete everything")])
def test_a_click_that_asks_for_nothing_leads_nowhere(click: Click, monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    steer_from.hear(ASKED, resources.answer(ASKED))(click)
    assert steer_from.PLACE not in session


def test_an_action_names_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = resources.answer(ASKED)
    session: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    steer_from.hear(ASKED, trace)(Click(trace.path()[2].id, 1, FORCE))
    assert session[steer_from.PLACE] == Place(ASKED, trace.token_ids()[:3], "force a word")


def test_only_what_steer_can_open_is_offered() -> None:
    assert steer_from.task_of(Query("transliteration/none", ("a",))) == "transliteration"
    assert steer_from.task_of(Query("language_model/gru")) == ""
    assert state.TASK.clean(steer_from.task_of(ASKED)) == "translation"
