"""Train in a real browser: the picture forms while a process trains, pausing and the time machine work, and nothing is left of it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

LONG = "preset=sort&hidden=128&watched=lamp&second=off"  # does not end before it is stopped


def open_page(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.get_by_role("button", name="Start")).to_be_visible()


def step(page: Page) -> int:
    found = re.search(r"step ([\d,]+) of", page.locator(".training-note").first.inner_text())
    return int(found[1].replace(",", "")) if found else 0


def test_from_the_start_to_a_translation(page: Page, fresh_page: Page, app: str) -> None:
    """One training, since each is a process: its picture, a pause, its end, its moments, and what it has learnt on another page."""
    open_page(page, f"{app}/train?{LONG}")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".training-note").first).to_contain_text("tokens/s")
    expect(page.get_by_role("img", name=re.compile("additive: after step [1-9]"))).to_be_visible()
    the_picture_changes_in_place(page)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status").filter(has_text="Paused")).to_be_visible()
    before = step(page)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Start anew")).to_be_visible()
    assert step(page) >= before
    slider = page.get_by_role("slider", name="Moment of the training")
    slider.press("Home")
    expect(page.locator(".training-moment")).to_have_text("after step 0")
    slider.press("End")
    expect(page.locator(".training-moment")).not_to_have_text("after step 0")
    it_opens_in_translate_and_nobody_elses_does(page, fresh_page)


def the_picture_changes_in_place(page: Page) -> None:
    """No remounting: the canvas that is there at first is there later."""
    canvas = page.locator("canvas.training-map").first.element_handle()
    first = canvas.get_attribute("aria-label")
    expect(page.locator("canvas.training-map").first).not_to_have_attribute("aria-label", first or "")
    assert canvas.evaluate("node => node.isConnected")


def it_opens_in_translate_and_nobody_elses_does(page: Page, other: Page) -> None:
    page.get_by_role("tab", name="Models").click()
    page.get_by_test_id("stPageLink").get_by_role("link", name="Translate").click()
    expect(page.locator(".player")).to_be_visible()
    assert page.locator(".player .sources .token").all_inner_texts() == list("lamp")
    chosen = page.get_by_role("combobox", name=re.compile("Model"))
    expect(chosen).to_have_value(re.compile("^my sort additive "))
    other.goto(page.url)
    expect(other.get_by_text("which another session trained")).to_be_visible()


def test_a_phone_needs_no_sideways_scrolling(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, f"{app}/train")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
