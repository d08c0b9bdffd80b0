"""Reply in a real browser: what is typed is answered and the link holds it, an earlier reply opens, and the beam is ranked anew."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, fits, settled, violations, visit

OPENING = "reply?context=Would you like a cup of tea?"


def turns(page: Page) -> list[str]:
    return [text.strip() for text in page.get_by_test_id("stChatMessageContent").get_by_test_id("stMarkdown").all_inner_texts()]


def say(page: Page, text: str) -> None:
    page.get_by_test_id("stChatInputTextArea").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stChatMessageContent").filter(has_text=text)).to_be_visible()
    settled(page)


def test_a_conversation_goes_on_and_its_link_holds_it(page: Page, app: str) -> None:
    visit(page, f"{app}/{OPENING}")
    first, reply = turns(page)
    assert first == "Would you like a cup of tea?" and reply
    expect(page.locator(".line-text")).to_have_text(reply)
    say(page, "Is it <b>hot</b>?")
    assert turns(page)[:3] == [first, reply, "Is it <b>hot</b>?"]  # as it was typed, and no markup
    (held,) = parse_qs(urlparse(page.url).query)["context"]
    assert held == f"{first} | {reply} | Is it <b>hot</b>?"
    again = turns(page)
    visit(page, page.url)
    assert turns(page) == again
    page.get_by_test_id("stChatMessage").get_by_role("button").first.click()
    expect(page.locator(".line-text")).to_have_text(reply)
    assert not violations(page, "chat|open_|said|clear|lambda")
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_text("Say something, or take one of the examples above.")).to_be_visible()


def test_the_beam_is_ranked_anew_and_a_phone_shows_all_of_it(page: Page, app: str) -> None:
    visit(page, f"{app}/{OPENING}&beam=10")
    table = page.locator(".outputs").filter(has=page.get_by_role("heading", name="What else it might have said"))
    before = table.locator("tr").all_inner_texts()
    slider = page.get_by_role("slider", name="λ").first
    slider.focus()
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile("lambda=1"))
    settled(page)
    assert sorted(row.split("\t")[1] for row in before[1:]) == sorted(
        row.split("\t")[1] for row in table.locator("tr").all_inner_texts()[1:]
    )
    assert before != table.locator("tr").all_inner_texts()
    page.set_viewport_size(PHONE)
    settled(page)
    fits(page)
