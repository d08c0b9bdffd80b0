"""The running app names itself to whoever asks for a link, and its picture is there."""

from __future__ import annotations

import re
import urllib.request

from playwright.sync_api import Page, expect


def test_a_pasted_link_finds_its_title_and_its_picture(lab: str) -> None:
    with urllib.request.urlopen(f"{lab}/translate?sentence=Das+gef%C3%A4llt+mir.", timeout=60) as answer:
        page = answer.read().decode()
    assert "<title>“Das gefällt mir.” · Translate · Encoder-decoder lab</title>" in page
    found = re.search(r'og:image" content="([^"]+)"', page)
    assert found is not None
    with urllib.request.urlopen(found[1], timeout=60) as answer:
        assert answer.headers["content-type"] == "image/png" and answer.read().startswith(b"\x89PNG")


def test_the_app_starts_from_it(page: Page, lab: str) -> None:
    page.goto(f"{lab}/translate")
    expect(page.locator(".player")).to_be_visible()
