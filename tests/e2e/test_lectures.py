"""A lecture given in a real browser with the shipped models: ideas open as their links say, by key and by list."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from demo.app import lab
from demo.lectures.files import HOME, Lecture, shelf
from tests.e2e.conftest import settled, widen

LECTURES = shelf().all
BEREYHI, MOPURI, AMRITA = (next(each for each in LECTURES if each.name == name) for name in ("bereyhi", "mopuri", "amrita"))
ERRORS = "[data-testid=stException], [data-testid=stAlertContentError]"


def place_of(lecture: Lecture, text: str) -> int:
    """Of the idea that begins so, counted from 1."""
    return next(i for i, idea in enumerate(lecture.ideas, 1) if idea.text.startswith(text))


def at(page: Page, lecture: Lecture, place: int) -> None:
    """This idea is shown, on its page, without an error."""
    idea = lecture.ideas[place - 1]
    expect(page.locator(".lecture-bar .place")).to_have_text(f"{place} / {len(lecture.ideas)}")
    expect(page.locator(".lecture-bar .said .text")).to_have_text(idea.text)
    expect(page.get_by_role("heading", level=1, name=lab(idea.link.page).title if idea.link else idea.text)).to_be_visible()
    settled(page)
    expect(page).to_have_url(re.compile(rf"/{idea.link.page if idea.link else HOME}\?.*lecture={lecture.name}&idea={place}(&|$)"))
    expect(page.locator(ERRORS)).to_have_count(0)


def begin(page: Page, url: str, lecture: Lecture, place: int) -> None:
    page.goto(f"{url}/{lecture.address(place - 1)}")
    at(page, lecture, place)


def sample(lecture: Lecture) -> list[int]:
    """Ideas on six different pages, other ones in each lecture where there is a choice."""
    pages: dict[str, list[int]] = {}
    for place, idea in enumerate(lecture.ideas, 1):
        pages.setdefault(idea.link.page if idea.link else HOME, []).append(place)
    turn = LECTURES.index(lecture)
    chosen = [places[turn % len(places)] for places in pages.values()]
    return [*chosen[turn:], *chosen[:turn]][:6]


@pytest.mark.parametrize("lecture", LECTURES, ids=lambda lecture: lecture.name)
def test_a_sample_of_every_lecture_opens_without_an_error(page: Page, app: str, lecture: Lecture) -> None:
    """From the outline, then in the list of the bar."""
    page.goto(f"{app}/lectures")
    page.get_by_role("link", name=re.compile(f"^{re.escape(lecture.title)} {re.escape(lecture.by)}")).click()
    page.locator(".idea").first.click()
    at(page, lecture, 1)
    for place in sample(lecture):
        page.get_by_role("button", name="Ideas", exact=True).click()
        page.locator(".panel .idea").nth(place - 1).click()
        at(page, lecture, place)


def test_keys_lead_on_and_back_but_not_while_something_is_typed(page: Page, app: str) -> None:
    begin(page, app, BEREYHI, 1)
    for key, place in (("n", 2), ("Shift+PageDown", 3), ("b", 2), ("Shift+PageUp", 1), ("b", 1)):
        page.keyboard.press(key)
        at(page, BEREYHI, place)
    box = page.get_by_role("textbox").first
    box.fill("")
    box.press_sequentially("Wann kommst du an?")
    at_first = page.locator(".lecture-bar .place")
    expect(at_first).to_have_text(re.compile("^1 /"))
    expect(box).to_have_value("Wann kommst du an?")


def test_an_idea_shows_what_its_link_says_whatever_the_page_before_held(page: Page, app: str) -> None:
    """Compare and Translate have a field of the same name, and Streamlit would give the one what the other held."""
    long = place_of(BEREYHI, "In long texts the decoder gets lost")
    begin(page, app, BEREYHI, long)
    expect(page.get_by_label("German")).to_have_value(re.compile("^Ein Mann, der einen blauen Hut"))
    page.keyboard.press("n")
    page.keyboard.press("n")
    at(page, BEREYHI, long + 2)
    expect(page.get_by_label("German")).to_have_value("Das gefällt mir.")
    expect(page.locator(".player .count")).to_have_text(re.compile("^1 /"))
    page.get_by_label("German").fill("Ich habe Hunger.")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("Hunger"))
    settled(page)
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("b")
    at(page, BEREYHI, long + 1)
    page.keyboard.press("n")
    at(page, BEREYHI, long + 2)
    expect(page.get_by_label("German")).to_have_value("Das gefällt mir.")


def test_the_bar_stays_beside_pages_of_ones_own_choice_until_it_is_left(page: Page, app: str) -> None:
    begin(page, app, BEREYHI, place_of(BEREYHI, "Take a short sentence"))
    again = page.get_by_role("link", name="Show it again")
    expect(again).to_be_hidden()
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Caption").click()
    expect(page.get_by_role("heading", level=1, name="Caption")).to_be_visible()
    expect(again).to_be_visible()
    again.click()
    at(page, BEREYHI, place_of(BEREYHI, "Take a short sentence"))
    page.get_by_role("link", name="Leave").click()
    expect(page.get_by_role("heading", level=1, name=BEREYHI.title)).to_be_visible()
    expect(page.locator(".lecture-bar")).to_have_count(0)
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Translate").click()
    expect(page.get_by_role("heading", level=1, name="Translate")).to_be_visible()
    settled(page)
    expect(page.locator(".lecture-bar")).to_have_count(0)


def test_what_to_say_opens_by_key(page: Page, app: str) -> None:
    begin(page, app, BEREYHI, 1)
    page.keyboard.press("s")
    expect(page.locator(".panel")).to_contain_text(BEREYHI.ideas[0].say)
    expect(page.get_by_role("button", name="Notes")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("n")
    at(page, BEREYHI, 2)
    expect(page.locator(".panel")).to_contain_text(BEREYHI.ideas[1].say)
    page.keyboard.press("Escape")
    expect(page.locator(".panel")).to_be_hidden()


def test_the_list_closes_on_any_choice_also_of_the_idea_that_is_shown(page: Page, app: str) -> None:
    begin(page, app, BEREYHI, 1)
    for place in (1, 2):
        page.get_by_role("button", name="Ideas", exact=True).click()
        page.locator(".panel .idea").nth(place - 1).click()
        expect(page.locator(".panel")).to_be_hidden()
        at(page, BEREYHI, place)


def test_a_link_from_before_an_idea_had_a_page_leads_to_it(page: Page, app: str) -> None:
    page.goto(f"{app}/lectures?lecture=mopuri&idea=4")
    at(page, MOPURI, 4)


def test_readable_by_all(page: Page, app: str) -> None:
    """An idea that no page shows: it stands on the page Lectures itself."""
    page.goto(f"{app}/lectures?lecture=amrita&idea=15")
    at(page, AMRITA, 15)
    page.get_by_role("button", name="Ideas", exact=True).click()
    for dark in (False, True):
        if dark:
            widen(page)
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        ours = [(item["id"], node["target"]) for item in found for node in item["nodes"] if isinstance(node["target"][0], list)]
        assert ours == []


def test_a_phone_needs_no_sideways_scrolling(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    begin(page, app, BEREYHI, place_of(BEREYHI, "With “mir” at hand"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.locator(".lecture-bar").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] + box["height"] == 844


def test_the_print_view_has_all_ideas_on_paper(page: Page, app: str) -> None:
    """Streamlit's page scrolls in a box of its own; on paper nothing of it may be cut off."""
    page.goto(f"{app}/lectures?lecture=khurana&print=true")
    expect(page.locator(".ideas.whole")).to_be_visible()
    settled(page)
    page.emulate_media(media="print")
    last = page.locator(".ideas.whole li").last.bounding_box()
    scrolled = page.get_by_test_id("stMain").evaluate("node => [getComputedStyle(node).overflowY, node.scrollHeight - node.clientHeight]")
    assert last is not None
    assert scrolled[0] == "visible" or scrolled[1] <= 1, scrolled
