"""Clicks and taps in the player: they go where they point, say what a cell weighs, and offer what can be done there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.player_pages import open_case, shown


def test_a_click_reaches_python(page: Page, player_url: str) -> None:
    open_case(page, player_url, "dog", words="false", step="6")
    page.locator(".body").click(position={"x": 15, "y": 15})
    expect(page.get_by_text("Clicked node 0 source 0")).to_be_visible()
    shown(page, "1 / 10")
    page.locator(".sources .token").nth(4).click()
    expect(page.get_by_text("Clicked node None source 4")).to_be_visible()
    page.locator(".player").press("End")
    page.locator(".targets .token").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Clicked node 1 source None")).to_be_visible()
    shown(page, "2 / 10")
    page.locator(".map-scroll").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Clicked node 1 source 1")).to_be_visible()
    shown(page, "2 / 10")


PLACES = {
    "map": (".body", ".targets .token >> nth=1"),
    "curves": ("", ".flow >> nth=1 >> .token >> nth=1"),
    "table": ("", "tbody .token >> nth=1"),
    "image": (".thumb >> nth=3", ".caption .token >> nth=1"),
}


@pytest.mark.parametrize("view", PLACES)
@pytest.mark.parametrize("finger", [False, True])
def test_a_click_or_a_tap_goes_there_and_stays(browser: Browser, player_url: str, view: str, finger: bool) -> None:
    context = browser.new_context(has_touch=finger, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    case = {"image": "image"}.get(view, f"dog&view={view}")
    open_case(page, player_url, case)
    for place, count in zip(PLACES[view], ("4", "2"), strict=True):
        if not place:
            continue
        target = page.locator(place)
        at: Any = {"x": 15, "y": 0.35 * (target.bounding_box() or {"height": 0.0})["height"]} if place == ".body" else None
        (target.tap if finger else target.click)(position=at)
        page.mouse.move(3, 3)
        expect(page.locator(".count")).to_have_text(re.compile(f"^{count} / "))
        expect(page.get_by_text(re.compile(f"Reported .* step {count} "))).to_be_visible()
        expect(page.locator(".panel-title")).to_contain_text(f"Word {count}: after")
    context.close()


@pytest.mark.parametrize("finger", [False, True])
def test_a_cell_says_its_weight(browser: Browser, player_url: str, finger: bool) -> None:
    context = browser.new_context(has_touch=finger, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    open_case(page, player_url, "dog")
    expect(page.locator(".tip")).to_be_hidden()
    if finger:
        page.locator(".body").tap(position={"x": 15, "y": 15})
    else:
        page.locator(".body").hover(position={"x": 15, "y": 15})
    expect(page.locator(".tip")).to_have_text(re.compile(r"^A \u2192 Ein 0\.\d\d$"))
    open_case(page, player_url, "image", step="3")
    if finger:
        page.locator(".photo").tap(position={"x": 15, "y": 15})
    else:
        page.locator(".photo").hover(position={"x": 15, "y": 15})
    expect(page.locator(".tip")).to_have_text(re.compile(r"^dog \u2192 row 1 column 1 0\.\d\d\d$"))
    context.close()


def test_what_can_be_done_stands_at_the_step(page: Page, player_url: str) -> None:
    open_case(page, player_url, "dog", act="Force another word", step="3")
    page.locator(".panel").get_by_role("button", name="Force another word").click()
    expect(page.get_by_text("Clicked node 2 source None act Force another word")).to_be_visible()
    page.get_by_role("button", name="To the beginning").click()
    expect(page.locator(".panel .actions")).to_be_hidden()
    open_case(page, player_url, "compare", act="Force another word")
    expect(page.locator(".tip .action:visible")).to_have_count(0)
    page.locator(".targets .token", has_text="sand").click()
    page.mouse.move(3, 3)
    expect(page.locator(".tip .action:visible")).to_have_text(["Force another word"])
    expect(page.locator(".count")).to_have_text(re.compile("^6 / "))
