"""Clicks and taps in the player: they go where they point, say what a cell weighs, and offer what can be done there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import SCREEN
from tests.e2e.player_pages import open_case

PLACES = {
    "map": (".body", ".targets .token >> nth=1"),
    "curves": ("", ".flow >> nth=1 >> .token >> nth=1"),
    "table": ("", "tbody .token >> nth=1"),
    "image": (".thumb >> nth=3", ".caption .token >> nth=1"),
}
WEIGHED = (
    ("dog", ".body", r"^A \u2192 Ein 0\.\d\d$"),
    ("image&step=3", ".photo", r"^dog \u2192 row 1 column 1 0\.\d\d\d$"),
)


@pytest.mark.parametrize("finger", [False, True])
def test_a_click_or_a_tap_goes_there_stays_and_says_what_a_cell_weighs(browser: Browser, page: Page, finger: bool) -> None:
    context = browser.new_context(has_touch=True, viewport=SCREEN) if finger else page.context
    shown = context.new_page() if finger else page
    for view, places in PLACES.items():
        open_case(shown, "image" if view == "image" else f"dog&view={view}")
        for place, count in zip(places, ("4", "2"), strict=True):
            if not place:
                continue
            target = shown.locator(place)
            at: Any = {"x": 15, "y": 0.35 * (target.bounding_box() or {"height": 0.0})["height"]} if place == ".body" else None
            (target.tap if finger else target.click)(position=at)
            shown.mouse.move(3, 3)
            expect(shown.locator(".count")).to_have_text(re.compile(f"^{count} / "))
            expect(shown.get_by_text(re.compile(f"Reported .* step {count} "))).to_be_visible()
            expect(shown.locator(".panel-title")).to_contain_text(f"Word {count}: after")
    for case, place, said in WEIGHED:
        open_case(shown, case)
        expect(shown.locator(".tip")).to_be_hidden()
        cell = shown.locator(place)
        (cell.tap if finger else cell.hover)(position={"x": 15, "y": 15})
        expect(shown.locator(".tip")).to_have_text(re.compile(said))
    if finger:
        context.close()


def test_what_can_be_done_stands_at_the_step(page: Page) -> None:
    open_case(page, "dog", act="Force another word", step="3")
    page.locator(".panel").get_by_role("button", name="Force another word").click()
    expect(page.get_by_text("Clicked node 2 source null act Force another word")).to_be_visible()
    page.get_by_role("button", name="To the beginning").click()
    expect(page.locator(".panel .actions")).to_be_hidden()
    open_case(page, "compare", act="Force another word")
    expect(page.locator(".tip .action:visible")).to_have_count(0)
    page.locator(".targets .token", has_text="sand").click()
    page.mouse.move(3, 3)
    expect(page.locator(".tip .action:visible")).to_have_text(["Force another word"])
    expect(page.locator(".count")).to_have_text(re.compile("^6 / "))


PRESSED = {
    "map": ("dog", ".targets .token >> nth=1", "2"),
    "network": ("dog", ".network .box.done >> nth=-1", "1"),
    "curves": ("dog", ".flow >> nth=1 >> .token >> nth=1", "2"),
    "table": ("dog", "tbody .token >> nth=1", "2"),
    "image": ("image", ".caption .token >> nth=1", "2"),
}


@pytest.mark.parametrize("view", PRESSED)
def test_a_press_that_lasts_while_the_picture_moves_on_is_no_lost_click(page: Page, view: str) -> None:
    case, place, count = PRESSED[view]
    open_case(page, case if view == "image" else f"{case}&view={view}", step="2", words="false")
    if view != "image":
        page.get_by_role("button", name=view.capitalize(), exact=True).click()
    box = page.locator(place).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.keyboard.press("PageDown")
    expect(page.locator(".count")).to_have_text(re.compile("^3 / "))
    page.mouse.up()
    expect(page.locator(".count")).to_have_text(re.compile(f"^{count} / "), timeout=5000)
