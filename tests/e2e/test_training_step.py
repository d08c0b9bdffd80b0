"""One training step in a real browser: it plays to its end without a message, and a link holds where a person left it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.conftest import settled, visit

LINK = "training_step?sentence=Das gefällt mir.&right=I like it."


def test_playing_goes_back_to_the_update_and_says_nothing(page: Page, lab: str) -> None:
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append(socket.url)))
    visit(page, f"{lab}/{LINK}&step=0", ".journey-title")
    title = page.locator(".journey-title")
    expect(title).to_contain_text("Forwards: L =")
    page.get_by_label("Speed").select_option("4")
    sent.clear()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(title).to_contain_text("is right")
    expect(page.get_by_text("comes in over")).to_be_visible()
    expect(title).to_contain_text("the encoder at")
    assert not sent, "playing sends nothing"
    expect(title).to_contain_text("Update")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    settled(page)


def test_a_symbol_shows_where_it_lives_and_a_way_where_it_comes_from(page: Page, lab: str) -> None:
    visit(page, f"{lab}/{LINK}&step=3", ".journey-title")
    drawing = page.locator(".journey-overview")
    for place, lit in (
        (".journey-symbol >> nth=1", "s\u2083"),
        (".journey-bar.signed:has-text('the next state')", "s\u2084"),
        (".journey-bar.signed:has-text('the query')", "h\u2081 h\u2082 h\u2083 h\u2084 h\u2085"),
    ):
        page.locator(place).hover()
        expect(drawing).to_have_attribute("data-lit", lit)
    page.mouse.move(0, 0)
    expect(drawing).to_have_attribute("data-lit", "")
    page.locator(".journey-symbol").first.focus()
    expect(drawing).to_have_attribute("data-lit", "s\u2083")


def test_keys_and_clicks_move_it_and_the_link_says_where(page: Page, lab: str) -> None:
    visit(page, f"{lab}/{LINK}&step=1", ".journey-title")
    title = page.locator(".journey-title")
    expect(title).to_contain_text("“end” is right")
    page.get_by_role("button", name="One place further back").click()
    expect(title).to_contain_text("“.” is right")
    page.get_by_role("button", name="One place further back").press("ArrowLeft")
    expect(title).to_contain_text("“it” is right")
    expect(page).to_have_url(re.compile(r"[?&]step=3(&|$)"))
    page.locator(".journey-overview").click(position={"x": 20, "y": 120})
    expect(title).to_contain_text("the encoder at “Das”")
    page.get_by_role("button", name="All the way back, to the update").click()
    page.get_by_role("slider", name="Learning rate").press("End")
    expect(page.get_by_text("η = 1", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]update_rate=1(&|$)"))
