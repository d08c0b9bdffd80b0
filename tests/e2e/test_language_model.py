"""Language model in a real browser: a piece is written, a sentence is scored, its words are opened, and the link holds it all."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, fits, settled, violations, visit, widen

SENTENCE = "A dog runs across the meadow."


def test_a_piece_is_written_and_the_sentence_is_scored_word_by_word(page: Page, lab: str) -> None:
    visit(page, f"{lab}/language_model?beginning=A+dog&search=greedy", ".player")
    page.locator(".choosable tr.chosen button").first.click()
    expect(page.get_by_role("textbox", name="Beginning")).to_have_value(re.compile("^A dog r"))
    expect(page.get_by_role("heading", name="The next piece after “A dog r")).to_be_visible()
    expect(page).to_have_url(re.compile("beginning=A(\\+|%20)dog(\\+|%20)r"))
    settled(page)
    page.get_by_role("button", name="Score this sentence").click()
    words = page.locator(".word")
    expect(words).to_have_count(8)
    expect(page.locator(".line-text")).to_have_text(re.compile(r"^Perplexity [\d.,]+ per word$"))
    words.nth(2).click()
    expect(words.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("heading", name="What the model expects after “A dog”")).to_be_visible()
    expect(page).to_have_url(re.compile(r"at=\d+"))
    settled(page)
    page.keyboard.press("ArrowRight")
    expect(words.nth(3)).to_have_attribute("aria-pressed", "true")
    expect(words.nth(3)).to_be_focused()
    expect(page.get_by_role("heading", name="What the model expects after “A dog runs”")).to_be_visible()
    expect(page.locator(".place .actual .place-token")).to_have_text("across")


def test_a_link_opens_the_same_word_and_parts_keep_what_was_typed(page: Page, lab: str) -> None:
    visit(page, f"{lab}/language_model?do=score&scored={SENTENCE}&at=6", ".word")
    expect(page.locator('.word[aria-pressed="true"] .word-text')).to_have_text("runs")
    page.get_by_role("radio", name="models").click()
    expect(page.locator(".track")).to_have_count(4)
    expect(page.locator('.word[aria-pressed="true"] .word-text')).to_have_text(["runs"] * 4)
    expect(page.get_by_role("textbox", name="Sentence")).to_have_value(SENTENCE)


@pytest.mark.parametrize("part", ["generate", "score", "searches", "models", "condition"])
def test_on_a_phone_and_in_the_dark(page: Page, lab: str, part: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, f"{lab}/language_model?do={part}&scored={SENTENCE}", ".outputs")
    fits(page)
    assert violations(page, "strips|outputs") == []
    widen(page)
    assert violations(page, "strips|outputs") == []
