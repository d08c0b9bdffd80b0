"""The Train page as a visitor meets it: what to train, what is refused, what a finished run shows and gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest, app_test

from demo.labs.train.ready import SETS, hidden, plural
from demo.labs.train.view import SCENES
from demo.own import runs as trainings
from demo.own.training import Training
from seq2seq_core.toys.messages import PAIRS_FILE
from tests.demo import pages


def open_page(**query: str) -> AppTest:
    """By its link: what the link says is read when the page is first drawn."""
    app_test.PagesManager = pages._Pages  # type: ignore[misc]
    at = AppTest.from_file(str(pages.ROOT / "streamlit_app.py"), default_timeout=120)
    at.switch_page("pages/train.py")
    for key, value in query.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    return at


def button(at: AppTest, label: str) -> Any:
    return next(each for each in at.button if each.label == label)


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """Trainings that start nothing and remember their jobs."""
    jobs: list[dict[str, Any]] = []

    def start(self: Training) -> None:
        jobs.append(self.job)
        self.stage = "running"

    monkeypatch.setattr(Training, "start", start)
    monkeypatch.setattr(
        Training, "tell", lambda self, command: setattr(self, "stage", {"pause": "paused", "go": "running", "stop": "stopped"}[command])
    )
    monkeypatch.setattr(Training, "end", lambda self: setattr(self, "stage", "stopped"))
    trainings.all_runs.clear()
    yield jobs
    trainings.all_runs().remove_all()
    trainings.all_runs.clear()


def test_it_says_what_the_task_is_before_anything_runs() -> None:
    at = open_page(preset="sort")
    assert not at.exception and not at.error
    assert any("alphabetical order" in each.value for each in at.markdown)
    assert [each.label for each in at.button if each.label == "Start"] == ["Start"]


def test_shapes_are_seen_before_anything_runs() -> None:
    at = open_page(preset="shapes")
    assert not at.exception and len(SCENES) == 3
    assert [scene for scene in SCENES if any(scene == each.value for each in at.markdown)] == list(SCENES)


def test_pairs_that_stand_ready_are_pasted_and_can_be_used() -> None:
    assert (hidden("lamp"), plural("city"), plural("boy"), plural("match"), plural("wolf")) == (
        "labamp",
        "cities",
        "boys",
        "matches",
        "wolves",
    )
    at = open_page(preset="own pairs")
    for name, make in SETS.items():
        button(at, name).click().run()
        assert at.text_area(key="pasted_pairs").value == make() and not at.error
        assert "pairs" in at.success[0].value


def test_attention_learns_beside_none_at_first(pretended: list[dict[str, Any]]) -> None:
    at = open_page()
    button(at, "Start").click().run()
    (run,) = trainings.all_runs()._runs.values()
    assert [training.name for training in run.trainings] == ["additive", "none"] and pretended


def test_the_link_decides_what_is_trained(pretended: list[dict[str, Any]]) -> None:
    at = open_page(
        preset="dates",
        attention="dot",
        second="none",
        cell="lstm",
        hidden="48",
        learning_rate="0.02",
        train_seed="7",
        wiring="as the new state",
    )
    button(at, "Start").click().run()
    assert not at.exception and not at.error
    common = {
        "toy": "dates",
        "cell": "lstm",
        "hidden": 48,
        "learning_rate": 0.02,
        "teacher_forcing": 1.0,
        "seed": 7,
        "steps": 0,
        "unit": "characters",
        "wiring": "state",
    }
    assert pretended == [{**common, "attention": "dot"}, {**common, "attention": "none"}]
    assert {"Pause", "Stop"} <= {each.label for each in at.button}
    button(at, "Pause").click().run()
    assert "Go on" in {each.label for each in at.button}
    button(at, "Stop").click().run()
    assert "Start anew" in {each.label for each in at.button}


def test_an_odd_size_is_made_to_fit(pretended: list[dict[str, Any]]) -> None:
    at = open_page(hidden="65", attention="multi-head")
    button(at, "Start").click().run()
    assert pretended[0]["hidden"] == 64


def test_own_pairs_are_checked_line_by_line(pretended: list[dict[str, Any]]) -> None:
    at = open_page(preset="own pairs")
    button(at, "Start").click().run()
    assert [each.value for each in at.error] == ["There are no pairs yet\\; paste some or upload a file\\."]
    at.text_area(key="pasted_pairs").set_value("\n".join([*("a -> b" for _ in range(25)), "nothing"])).run()
    assert "Line 26 has 1 field" in at.error[0].value
    at.text_area(key="pasted_pairs").set_value("\n".join(f"a{n} -> b{n}" for n in range(25))).run()
    assert not at.error and "25 pairs" in at.success[0].value
    button(at, "Start").click().run()
    assert pretended[0]["toy"] == "own pairs"
    at.file_uploader(key="uploaded_pairs").set_value(("pairs.tsv", b"a\tb\n\xff\n", "text/plain")).run()
    assert "Line 2: byte 0xFF is not UTF-8" in at.error[0].value.replace("\\", "")


def test_fifty_thousand_uploaded_pairs_are_accepted() -> None:
    at = open_page(preset="own pairs")
    data = "".join(f"w{n}\tv{n}\n" for n in range(50_000)).encode()
    at.file_uploader(key="uploaded_pairs").set_value(("pairs.tsv", data, "text/plain")).run()
    assert "50,000 pairs" in at.success[0].value.replace("\\", "")


def test_a_text_of_ones_own_is_checked_and_learnt(pretended: list[dict[str, Any]]) -> None:
    at = open_page(preset="own text", unit="words", cell="lstm", attention="additive")
    assert not [each for each in at.selectbox if each.label == "Attention"], "there is no source to look at"
    at.text_area(key="pasted_text").set_value("too short").run()
    assert "9 characters; it takes from 400 to 500,000" in at.error[0].value.replace("\\", "")
    button(at, "Start").click().run()
    assert not pretended
    at.text_area(key="pasted_text").set_value("The sea is wide, the ship is small.\n" * 20).run()
    assert not at.error and "719 characters" in at.success[0].value
    button(at, "Start").click().run()
    (job,) = pretended
    assert (job["toy"], job["unit"], job["cell"], job["attention"]) == ("own text", "words", "lstm", "none")


def test_without_a_text_the_labs_own_program_is_learnt(pretended: list[dict[str, Any]]) -> None:
    at = open_page(preset="own text")
    button(at, "Start").click().run()
    assert not at.error and pretended[0]["unit"] == "characters"
    (run,) = trainings.all_runs()._runs.values()
    assert "class Seq2Seq" in (run.trainings[0].folder / PAIRS_FILE).read_text(encoding="utf8")


def test_a_file_that_is_no_model_is_refused() -> None:
    at = open_page(tab="Models")
    at.file_uploader(key="uploaded_model").set_value(("model.zip", b"no zip", "application/zip")).run()
    assert not at.exception
    assert "not the zip file of a model" in at.error[0].value


def test_slow_motion_is_shown_for_the_watched_example() -> None:
    at = open_page(preset="reverse", watched="lamp", tab="One step in slow motion")
    shown = [data for data in pages.components(at) if "panels" in data]
    assert len(shown) == 1 and shown[0]["source"] == ["l", "a", "m", "p"] and shown[0]["target"] == ["p", "m", "a", "l", "</s>"]
    assert [panel["name"] for panel in shown[0]["panels"]] == ["RNN", "GRU", "LSTM"]
    at = open_page(preset="reverse", watched="LAMP 5", tab="One step in slow motion")
    assert any("no input of this task" in each.value for each in at.info)
