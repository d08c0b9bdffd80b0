"""The time machine: one's own sentence by a shipped model as it was, with the attention it had."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from demo import moments
from demo.labs.time_machine.view import LONGEST, PLAYING, SLIDER
from demo.wording import shortened
from seq2seq_core.store.moments import FOLDER, LIST
from tests.demo.conftest import WithMoments
from tests.demo.pages import components, errors, open_page, player, table, texts

STEPS = (0, 40, 140)


@pytest.fixture
def machine(with_moments: WithMoments) -> Path:
    """Three moments: nothing learnt, half, and everything."""
    return with_moments(dict(zip(STEPS, (0.0, 0.5, 1.0), strict=True)))


def machine_page(**asked: str) -> AppTest:
    """At its end, where it does not play."""
    return open_page("time_machine", **{"after_step": str(STEPS[-1])} | asked)


def test_every_moment_says_the_sentence_in_its_own_way(machine: Path) -> None:
    at = machine_page(sentence="Das gefällt mir.")
    assert not at.error
    found = table(at, "After so many steps")
    assert found is not None
    assert [row["lead"] for row in found["rows"]] == ["0", "40", "140"]
    assert [row["values"][0] for row in found["rows"]] == ["0.0", "25.0", "50.0"]
    assert texts(found)[-1] == "I like it." != texts(found)[0]
    assert [row["chosen"] for row in found["rows"]] == [False, False, True]
    shown = player(at)
    assert shown is not None and shown["player"]["target"]["text"] == "I like it."
    at.select_slider(key=SLIDER).set_value(0).run()
    before = player(at)
    assert before is not None
    assert shortened(before["player"]["target"]["text"], LONGEST) == texts(found)[0].replace("(nothing)", "")
    assert before["player"] != shown["player"]


@pytest.mark.parametrize(("written", "step"), [("0", 0), ("55", 40), ("999999", 140), ("nonsense", 0), ("-7", 0)])
def test_the_link_names_a_moment_or_it_plays(machine: Path, written: str, step: int) -> None:
    at = machine_page(after_step=written)
    assert at.select_slider(key=SLIDER).value == step


def test_moving_the_slider_is_written_into_the_link(machine: Path) -> None:
    at = machine_page()
    at.select_slider(key=SLIDER).set_value(40).run()
    assert "after_step" in at.query_params and "40" in at.query_params["after_step"]
    at.select_slider(key=SLIDER).set_value(140).run()
    assert "after_step" not in at.query_params


def test_an_input_that_cannot_be_read_is_refused_in_one_sentence(machine: Path) -> None:
    at = machine_page(sentence="a" * 2001)
    assert len(errors(at)) == 1 and "2,001 characters" in errors(at)[0]
    at = machine_page(sentence=" ")
    assert not at.error and any("Type a German sentence" in each.value for each in at.info)


def test_a_damaged_moment_is_named(machine: Path) -> None:
    (machine / FOLDER / "step-0000040.safetensors").write_bytes(b"nothing")
    at = machine_page()
    assert len(errors(at)) == 1 and "step-0000040.safetensors cannot be read as a moment" in errors(at)[0]


def test_without_moments_it_says_so(models: Path) -> None:
    moments.has_moments.clear()
    at = machine_page()
    assert not at.error and any("No translation model with moments" in each.value for each in at.info)
    assert not any("player" in each for each in components(at))
    assert LIST == "moments.json"


@pytest.mark.parametrize("asked", [True, False])
def test_its_training_plays_moment_by_moment_and_stops_at_the_end(machine: Path, asked: bool) -> None:
    at = machine_page(sentence="Das gefällt mir.") if asked else open_page("time_machine", sentence="Das gefällt mir.")
    if asked:
        next(each for each in at.button if each.label == "Play").click().run()
    seen = [at.select_slider(key=SLIDER).value]
    while at.session_state[PLAYING] is not None:
        assert any(each.label == "Stop" for each in at.button)
        at.run()
        seen.append(at.select_slider(key=SLIDER).value)
    assert seen == [0, 40, 140] and any(each.label == "Play" for each in at.button)
