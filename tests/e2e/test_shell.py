"""The shell in a real browser: themes, a phone's width, links that carry the state, and nothing left over for a stranger to see."""

from __future__ import annotations

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from demo.app import TITLE, labs
from demo.colours import DARK, LIGHT
from demo.terms import TERMS
from tests.e2e.conftest import PHONE, fits, settled, shifts, stood_still, visit, widen


def colour(page: Page) -> str:
    numbers = page.get_by_test_id("stApp").evaluate("element => getComputedStyle(element).backgroundColor")
    return "#" + "".join(f"{int(number):02x}" for number in re.findall(r"\d+", numbers)[:3])


def test_every_page_opens_from_the_navigation_without_an_error_and_stands_still(page: Page, app: str) -> None:
    """With the shipped models. By address they open in the tests of each page, by `visit`, and in `make walk-lectures`."""
    visit(page, app, "h1")
    expect(page).to_have_title(f"Start · {TITLE}")
    expect(page.get_by_text("Deploy")).to_have_count(0)
    for lab in labs()[1:]:
        to_page(page, lab.title)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_text("Something went wrong")).to_have_count(0)
    once = [lab for lab in labs()[1:] if f"/{lab.name}" in shifts(page)]
    page.evaluate("window.shifted = {}")
    for lab in once:  # where much else goes on parts may come one after the other, but not every time
        to_page(page, labs()[0].title)
        to_page(page, lab.title)
    stood_still(page)


def test_a_phone_needs_no_sideways_scrolling_and_both_themes_follow_the_system(page: Page, app: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, app, "h1")
    fits(page)
    title, bar = (page.locator(at).bounding_box() for at in ("h1", "[data-testid=stHeader]"))
    assert title is not None
    assert bar is not None
    assert title["y"] >= bar["y"] + bar["height"], "the title lies under the bar"
    assert colour(page) == LIGHT.background
    widen(page)
    assert colour(page) == DARK.background
    visit(page, app, "h1")  # and as it opens
    assert colour(page) == DARK.background


def test_copy_link_copies_the_address_with_the_state(page: Page, app: str) -> None:
    visit(page, f"{app}/?sentence=Guten+Morgen.&beam=3", "h1")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".copy-link-said")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_at_twice_its_size_a_page_shows_what_is_given_and_said_and_then_the_whole_player(page: Page, lab: str) -> None:
    page.set_viewport_size({"width": 640, "height": 360})  # of 1280 x 720
    visit(page, f"{lab}/translate?sentence=Das gef\u00e4llt dir.")
    fits(page)
    seen = (page.get_by_label("German"), page.get_by_role("button", name="Decode"), page.locator(".line-text"), page.get_by_text("Export"))
    for part in seen:
        box = part.first.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 360
    page.get_by_label("German").click()  # the bar lies over the page, and takes no click
    picture, transport = (page.locator(part).bounding_box() for part in (".map-scroll", ".transport"))
    assert picture is not None
    assert transport is not None
    assert transport["y"] + transport["height"] - picture["y"] <= 360


def test_at_twice_its_size_no_line_lies_on_the_name_of_the_start_page(page: Page, lab: str) -> None:
    page.set_viewport_size({"width": 640, "height": 360})
    visit(page, lab, "h1")
    name, below = page.locator("h1").bounding_box(), page.get_by_text("Watch a neural network translate").bounding_box()
    assert name is not None and below is not None
    assert name["y"] + name["height"] <= below["y"]


def test_on_a_first_visit_the_menu_finds_its_room_kept(fresh_page: Page, lab: str) -> None:
    visit(fresh_page, f"{lab}/lectures", "h1")
    expect(fresh_page.get_by_role("button", name="Copy link")).to_be_visible()
    stood_still(fresh_page)
    assert Axe().run(fresh_page, options={"resultTypes": ["violations"]}).response["violations"] == []  # Streamlit's own parts too


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
    for entry, field in (("how_it_works?task=transliteration", "Word in Latin letters"), ("steer", "German")):  # as a lecture goes on
        page.evaluate("to => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')); }", entry)
        page.wait_for_url(f"**/{entry}**")
        expect(page.get_by_label(field, exact=True)).to_be_visible()
        expect(page.get_by_test_id("stAlert")).to_have_count(0)
        settled(page)


def test_back_leads_past_an_old_link_to_the_time_machine(page: Page, lab: str) -> None:
    page.goto(f"{lab}/_stcore/health")
    page.goto(f"{lab}/train?after_step=40")
    expect(page).to_have_title(f"Time machine · {TITLE}")
    settled(page)
    page.go_back()
    expect(page).to_have_url(re.compile("health"))


def test_the_first_visitor_of_a_server_may_come_by_a_link_to_a_page(page: Page, fresh_lab: str) -> None:
    visit(page, f"{fresh_lab}/translate?sentence=Das+gef%C3%A4llt+dir.")
    expect(page).to_have_title(f"Translate · {TITLE}")
    expect(page.get_by_test_id("stSidebarNav").get_by_role("link", name="How it works", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(page.locator(".line-text")).to_have_text("You like it.")


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
