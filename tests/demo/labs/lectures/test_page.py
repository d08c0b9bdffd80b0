"""The page Lectures and the bar on every page, as a lecturer meets them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from demo.lectures import files
from demo.wording import plain
from tests.demo.pages import components, errors, open_page

pytestmark = pytest.mark.usefixtures("every_model")


def bar(at: AppTest) -> dict[str, Any] | None:
    return next((data for data in components(at) if "strayed" in data), None)


def outline(at: AppTest) -> dict[str, Any] | None:
    return next((data for data in components(at) if "whole" in data), None)


def test_every_lecture_is_a_card() -> None:
    at = open_page("lectures")
    groups = next(data for data in components(at) if "groups" in data)["groups"]
    cards = [card for group in groups for card in group["cards"]]
    assert [card["name"] for card in cards] == [f"lectures?lecture={one.name}" for one in files.shelf().all]
    assert f"60 ideas: {files.shelf().all[-1].counts()['live']} live" in cards[-1]["about"]
    assert bar(at) is None


def test_the_outline_leads_to_every_idea() -> None:
    at = open_page("lectures", lecture="bereyhi")
    shown = outline(at)
    assert shown is not None
    assert len(shown["ideas"]) == 60
    assert all("lecture=bereyhi&idea=" in idea["address"] for idea in shown["ideas"])
    assert not shown["whole"]
    assert bar(at) is None
    printed = outline(open_page("lectures", lecture="bereyhi", print="true"))
    assert printed is not None
    assert printed["whole"]


@pytest.mark.parametrize("page", ["translate", "compare", "bottleneck", "train", "lessons", "start"])
def test_the_bar_stands_on_every_page(page: str) -> None:
    shown = bar(open_page(page, lecture="mopuri", idea="7"))
    assert shown is not None
    assert (shown["place"], shown["strayed"], shown["home"]) == (6, False, "lectures?lecture=mopuri")
    assert bar(open_page(page)) is None


def test_an_idea_that_no_page_shows_is_said_to_be_missing() -> None:
    at = open_page("lectures", lecture="amrita", idea="15")
    assert at.title[0].value == plain("The example of the lecture is a man who throws a frisbee in a park.")
    assert any("Not in the lab yet" in each.value for each in at.markdown)
    shown = bar(at)
    assert shown is not None
    assert shown["ideas"][14]["shown"] == "not yet"


def test_the_bar_stays_when_the_lecturer_goes_elsewhere_and_ends_at_the_outline() -> None:
    at = open_page("translate", lecture="mopuri", idea="7")
    at.query_params.clear()
    at.switch_page("pages/train.py").run()
    shown = bar(at)
    assert shown is not None
    assert (shown["place"], shown["strayed"]) == (6, True)
    at.switch_page("pages/lectures.py").run()
    assert bar(at) is None
    at.switch_page("pages/train.py").run()
    assert bar(at) is None


def test_a_number_too_high_is_the_last_idea() -> None:
    shown = bar(open_page("translate", lecture="mopuri", idea="300"))
    assert shown is not None
    assert shown["place"] == 56


def test_a_lecture_that_is_not_there() -> None:
    at = open_page("lectures", lecture="nobody")
    assert "no lecture" in at.warning[0].value
    assert bar(open_page("translate", lecture="nobody", idea="3")) is None


def test_a_bad_file_is_named_and_the_others_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in files.FOLDER.glob("*.yaml"):
        shutil.copy(path, tmp_path)
    (tmp_path / "mine.yaml").write_text("title: Mine\nby: me\norder: first\nabout: x\nideas: [{idea: One.}]\n", encoding="utf8")
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    at = open_page("lectures")
    assert any("mine.yaml, line 3" in said for said in errors(at))
    groups = next(data for data in components(at) if "groups" in data)["groups"]
    assert len(groups[0]["cards"]) == 5
