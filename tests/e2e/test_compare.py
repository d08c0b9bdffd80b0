"""Compare and How it works in a real browser: one scrubber for all players, and equations that follow the cursor."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, fits, settled, violations, visit, widen

SENTENCE = "Zwei Kinder spielen am Strand."
LONG = "sentence=Eine Frau in einem roten Mantel liest im Park eine Zeitung, und zwei Kinder spielen mit einem Hund.&target=" + (
    "A woman in a red coat reads a newspaper in the park, and two children play with a dog."
)  # 19 words each, and two marks


def current_rows(page: Page) -> list[str]:
    """The token under the cursor of each player."""
    return page.locator(".targets .token.current").all_inner_texts()


def open_compare(page: Page, lab: str, more: str = "") -> None:
    visit(page, f"{lab}/compare?variants=none&variants=additive&variants=multi-head&same_target=true&sentence={SENTENCE}{more}")
    expect(page.locator(".player-title")).to_have_count(3)


def test_one_scrubber_moves_all_players(page: Page, lab: str) -> None:
    open_compare(page, lab, "&step=3")  # the link of a moment opens the same moment
    expect(page.locator(".count")).to_have_text(re.compile("^3 / "))
    expect(page.locator(".targets .token.current")).to_have_count(3)
    expect(page.locator(".scrub")).to_have_count(1)
    page.locator(".scrub").focus()
    page.keyboard.press("Home")
    expect(page.locator(".targets .token.current")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".targets .token.current")).to_have_count(3)
    assert [text.strip() for text in current_rows(page)] == ["Two"] * 3
    page.get_by_role("button", name="One step forward (right arrow)").click()
    expect(page.locator(".count")).to_have_text(re.compile("^2 / "))
    assert [text.strip() for text in current_rows(page)] == ["children"] * 3
    expect(page).to_have_url(re.compile("step=2"))


def test_one_play_button_plays_all_and_sends_nothing(fresh_page: Page, lab: str) -> None:
    page, messages = fresh_page, list[str]()
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: messages.append("sent")))
    open_compare(page, lab, "&step=0&speed=4")
    messages.clear()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".targets .token.current")).to_have_count(3)
    assert messages == []
    expect(page.locator(".count")).to_have_text(re.compile(r"^(\d+) / \1$"))
    expect(page.locator(".targets .token.current")).to_have_count(3)


def test_every_word_of_a_long_sentence_can_be_read(page: Page, lab: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.goto(f"{lab}/compare?variants=none&variants=additive&variants=multi-head&same_target=true&followed=typed+words&{LONG}")
    expect(page.locator(".player-title")).to_have_count(3)
    settled(page)
    words_are_legible(page)
    narrow = page.locator(".player-root").first.evaluate("node => node.clientWidth")
    page.set_viewport_size({"width": 1920, "height": 1000})
    page.wait_for_function(
        "before => [...document.querySelectorAll('*')].map((host) => host.shadowRoot?.querySelector('.player-root'))"
        ".find(Boolean).clientWidth !== before",
        arg=narrow,
    )
    words_are_legible(page)


def words_are_legible(page: Page) -> None:
    for place in (".sources", ".targets"):
        words = page.locator(f"{place} .token")
        assert words.count() >= 3 * 19
        sizes = words.evaluate_all(
            "all => all.map((each) => [getComputedStyle(each).visibility, parseFloat(getComputedStyle(each).fontSize)])"
        )
        assert all(seen == "visible" and size >= 11 for seen, size in sizes), sizes


def test_an_example_plays_to_its_end_whatever_stood_there(page: Page, lab: str) -> None:
    open_compare(page, lab)
    for place in (1, 0):
        example = page.locator(f".st-key-example_{place} button").first
        example.click()
        expect(page.locator(".sources .token").first).to_have_text(example.inner_text().split()[0])
        expect(page.locator(".count")).to_have_text(re.compile(r"^([2-9]|\d\d+) / \1$"))
        shown, end = (page.locator(f".targets .token{kind}").count() for kind in (":not(.unseen)", ""))
        assert shown == end


def test_both_sentences_and_both_maps_of_a_long_sentence_are_on_one_screen(page: Page, lab: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    words = "Eine Frau in einem roten Mantel liest im Park eine Zeitung und lacht."
    said = "A woman in a red coat reads a newspaper in the park and laughs."
    visit(page, f"{lab}/compare?sentence={words}&same_target=true&followed=typed+words&target={said}")
    expect(page.locator(".player .said")).to_have_text([said, said])
    for place in page.locator(".map-scroll").all():
        box = place.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 900
        fits = place.evaluate("node => [node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight]")
        assert fits == [0, 0]
    page.locator(".scrub").focus()
    page.keyboard.press("Home")
    expect(page.locator(".player .said .unwritten")).to_have_count(2 * len(said.split()) + 2)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".player .said .unwritten")).to_have_count(2 * len(said.split()))


@pytest.mark.parametrize("name", ["compare", "how_it_works"])
def test_on_a_phone_and_in_the_dark(page: Page, lab: str, name: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, f"{lab}/{name}?sentence={SENTENCE}&variants=none&variants=additive&step=2")
    fits(page)
    assert violations(page, "player") == []
    widen(page)
    assert violations(page, "player") == []


def test_the_equations_follow_the_cursor_and_a_click(page: Page, lab: str) -> None:
    visit(page, f"{lab}/how_it_works?sentence={SENTENCE}&step=1&words=false&view=map")
    expect(page.get_by_role("heading", name=re.compile("^Piece 1: after the start sign"))).to_be_visible()
    page.get_by_role("button", name="One step forward (right arrow)").click()
    expect(page.get_by_role("heading", name=re.compile("^Piece 2: after"))).to_be_visible()
    settled(page)
    box = page.locator(".body").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 6, box["y"] + 6)
    expect(page.get_by_role("heading", name=re.compile("^Piece 1: after the start sign"))).to_be_visible()
    expect(page).to_have_url(re.compile("position=1"))
