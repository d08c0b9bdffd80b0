"""Bottleneck in a real browser: a bar opens the sentences that fail, and one of them goes to another page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, fits, visit, widen


def click_on(page: Page, selector: str, number: int) -> None:
    """Plotly's own layer lies above what it draws, so the place is clicked, not the element."""
    shape = page.locator(selector).nth(number)
    expect(shape).to_be_visible()
    shape.scroll_into_view_if_needed()
    box = shape.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_bar_opens_a_sentence_that_fails(page: Page, lab: str) -> None:
    visit(page, f"{lab}/bottleneck?sample=our+own&shown=none", ".js-plotly-plot .main-svg")
    expect(page.get_by_text("are not the reference")).to_have_count(0)
    click_on(page, ".barlayer .point path", 1)
    expect(page.get_by_text("are not the reference")).to_be_visible()
    expect(page).to_have_url(re.compile("bucket=2"))
    said = page.locator("tr", has_text="source").locator(".said").last
    first = said.inner_text()
    page.locator(".choosable tr[data-row] button").nth(1).click()
    expect(page).to_have_url(re.compile("failed=2"))
    expect(said).not_to_have_text(first)  # the address changes before the page does
    source = said.inner_text()
    page.get_by_role("link", name="Open in Translate").click()
    expect(page.get_by_label("German")).to_have_value(source)
    expect(page.locator(".line-text")).to_be_visible()


def test_a_point_shows_its_neighbours(page: Page, lab: str) -> None:
    visit(page, f"{lab}/bottleneck?look_at=sentence+vectors&vector_model=additive", ".js-plotly-plot .main-svg")
    click_on(page, ".scatterlayer .trace:nth-child(4) .point", 1)
    expect(page).to_have_url(re.compile("point="))
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("part", ["quality and length", "sentence vectors", "aligned words"])
def test_on_a_phone_and_in_the_dark(page: Page, lab: str, part: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, f"{lab}/bottleneck?sample=our+own&look_at={part}", ".js-plotly-plot .main-svg")
    fits(page)
    expect(page.locator("table").first).to_be_visible()
    widen(page)
    fits(page)
    expect(page.locator("table").first).to_be_visible()
