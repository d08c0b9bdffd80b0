"""The shell in a real browser: themes, a phone's width, links that carry the state, and nothing left over for a stranger to see."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from demo.app import TITLE, labs
from demo.colours import DARK, LIGHT
from demo.terms import TERMS
from tests.e2e.conftest import settled, visit


def colour(page: Page) -> str:
    numbers = page.get_by_test_id("stApp").evaluate("element => getComputedStyle(element).backgroundColor")
    return "#" + "".join(f"{int(number):02x}" for number in re.findall(r"\d+", numbers)[:3])


def test_start_says_what_it_is(page: Page, app: str) -> None:
    visit(page, app, "h1")
    expect(page).to_have_title(f"Start · {TITLE}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    if len(labs()) > 1:  # a single page needs no navigation
        for lab in labs():
            expect(page.get_by_test_id("stSidebarNav").get_by_role("link", name=lab.title, exact=True)).to_be_visible()
    expect(page.get_by_text("Deploy")).to_have_count(0)


@pytest.mark.parametrize("lab", [lab.name for lab in labs()])
def test_every_page_opens_by_its_address_without_an_error(page: Page, app: str, lab: str) -> None:
    visit(page, f"{app}/{lab}" if lab != "start" else app, "h1")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_text("Something went wrong")).to_have_count(0)


@pytest.mark.parametrize(("scheme", "background"), [("light", LIGHT.background), ("dark", DARK.background)])
def test_both_themes_follow_the_system(page: Page, app: str, scheme: str, background: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    visit(page, app, "h1")
    assert colour(page) == background


def test_a_phone_needs_no_sideways_scrolling(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, app, "h1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_copy_link_copies_the_address_with_the_state(page: Page, app: str) -> None:
    visit(page, f"{app}/?sentence=Guten+Morgen.&beam=3", "h1")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def to_page(page: Page, name: str) -> None:
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()
    expect(page).to_have_title(f"{name} · {TITLE}")
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    settled(page)


def test_a_choice_of_a_page_is_one_step_back_whatever_is_set(fresh_page: Page, lab: str) -> None:
    page = fresh_page
    visit(page, f"{lab}/translate")
    page.get_by_label("German").fill("Guten Morgen.")
    page.get_by_label("German").press("Enter")
    page.get_by_role("button", name="Search").click()
    page.get_by_test_id("stPopoverBody").get_by_text("greedy", exact=True).click()
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("search=greedy.*sentence=Guten"))
    settled(page)
    entries = int(page.evaluate("history.length"))
    to_page(page, "Language model")
    to_page(page, "Transliterate")
    assert page.evaluate("history.length") == entries + 2
    page.go_back()
    expect(page).to_have_title(f"Language model · {TITLE}")
    settled(page)
    page.go_back()
    expect(page).to_have_title(f"Translate · {TITLE}")
    expect(page).to_have_url(re.compile("sentence=Guten"))
    expect(page).to_have_url(re.compile("search=greedy"))
    expect(page.get_by_label("German")).to_have_value("Guten Morgen.")


def test_the_first_visitor_of_a_server_may_come_by_a_link_to_a_page(page: Page, fresh_lab: str) -> None:
    visit(page, f"{fresh_lab}/translate")
    expect(page).to_have_title(f"Translate · {TITLE}")
    expect(page.get_by_test_id("stSidebarNav").get_by_role("link", name="How it works", exact=True)).to_be_visible()


def test_a_word_that_is_pointed_at_or_reached_by_key_says_what_it_means(page: Page, lab: str) -> None:
    visit(page, f"{lab}/compare?sentence=Guten+Morgen.")
    said = page.locator(".gloss")
    pill = page.get_by_role("button", name="none", exact=True)
    pill.hover()
    expect(said).to_contain_text(TERMS["none"])
    page.keyboard.press("Escape")
    expect(said).to_be_hidden()
    page.mouse.move(0, 0)
    pill.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(said).to_contain_text(TERMS["none"])
