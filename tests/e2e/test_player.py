"""The attention player in a real browser: reachable by keyboard, linked by hover, safe with any token, readable by all."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.player_pages import open_case, shown


def test_plays_by_itself_unless_motion_is_unwanted(page: Page) -> None:
    open_case(page, "dog", auto="1", pace="15")
    shown(page, "9 / 9")
    page.emulate_media(reduced_motion="reduce")
    open_case(page, "dog", auto="1", pace="1")
    shown(page, "9 / 9")
    expect(page.get_by_role("button", name="Replay")).to_be_visible()


def test_keys(page: Page) -> None:
    open_case(page, "dog", pace="1")
    page.locator(".player").focus()
    for key, count in (("Home", "0 / 9"), ("ArrowRight", "1 / 9"), ("ArrowRight", "2 / 9"), ("ArrowLeft", "1 / 9"), ("End", "9 / 9")):
        page.keyboard.press(key)
        shown(page, count)
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    shown(page, "2 / 9")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_playing_shows_a_token_at_once(page: Page) -> None:
    open_case(page, "dog", pace="1", step="0")
    count = page.get_by_role("button", name="Play", exact=True).evaluate(
        "button => { button.click(); return button.getRootNode().querySelector('.count').textContent; }"
    )
    assert count == "1 / 9"


def test_tokens_appear_one_by_one(page: Page) -> None:
    open_case(page, "dog", step="2")
    targets = page.locator(".targets")
    expect(targets.get_by_role("button", name="dog")).to_be_visible()
    expect(targets.get_by_text("running")).to_be_hidden()
    page.get_by_role("button", name="One step forward").click()
    expect(targets.get_by_role("button", name="is")).to_be_visible()
    expect(page.locator(".panel-title")).to_have_text("Word 3: after \u201cA dog\u201d")
    expect(page.locator(".candidate.chosen")).to_contain_text("chosen")
    expect(page.locator(".candidate.chosen .token-text")).to_have_text("is")


def test_hover_links_both_ways(page: Page) -> None:
    open_case(page, "dog")
    source = page.locator(".sources .token")
    page.locator(".targets .token", has_text="dog").hover()
    expect(source.nth(1)).to_have_css("background-color", "rgb(3, 78, 159)")
    expect(page.locator(".panel-title")).to_have_text("Word 2: after \u201cA\u201d")
    source.nth(2).hover()
    lit = page.locator(".targets .token[style*='background-color']")
    expect(lit).not_to_have_count(0)
    expect(lit.filter(has_text="running")).to_have_count(1)
    page.mouse.move(5, 5)
    expect(page.locator(".targets .token[style*='background-color']")).to_have_count(0)


def test_words_and_pieces_keep_the_place(page: Page) -> None:
    open_case(page, "dog", step="4")
    page.get_by_role("button", name="Pieces").click()
    shown(page, "5 / 10")
    expect(page.locator(".targets .token").nth(4)).to_have_text("·ning")
    page.get_by_role("button", name="Words").click()
    shown(page, "4 / 9")


def test_table_reads_aloud(page: Page) -> None:
    open_case(page, "dog")
    page.get_by_role("button", name="Table").click()
    row = page.get_by_role("row").filter(has=page.get_by_role("button", name="dog", exact=True))
    expect(row).to_contain_text("→ Hund 0.81")


def test_players_of_a_group_share_one_clock(page: Page) -> None:
    open_case(page, "compare", step="8", pace="15")
    maps = page.locator(".targets")
    expect(maps).to_have_count(3)
    page.locator(".player").first.focus()
    page.keyboard.press("Home")
    expect(page.locator(".targets .token:not(.unseen)")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".targets .token:not(.unseen)")).to_have_count(6)
    expect(page.locator(".token.diverges")).to_have_text(["is", "man"])
    page.keyboard.press("Space")
    expect(page.locator(".targets .token:not(.unseen)")).to_have_count(21)


def test_right_to_left_source_runs_from_the_right(page: Page) -> None:
    open_case(page, "arabic")
    first, last = page.locator(".sources .token").first.bounding_box(), page.locator(".sources .token").last.bounding_box()
    assert first is not None
    assert last is not None
    assert first["x"] > last["x"]


def test_devanagari_by_grapheme(page: Page) -> None:
    open_case(page, "hindi")
    expect(page.locator(".targets .token")).to_have_text(["न", "म", "स्", "ते", "</s>"])


def test_without_a_map_nothing_pretends_to_be_one(page: Page) -> None:
    open_case(page, "none", "every")
    expect(page.locator(".player")).to_have_count(2)
    expect(page.locator(".legend")).to_have_count(0)
    expect(page.get_by_text("attention entropy").filter(visible=True)).to_have_count(0)


def test_photo(page: Page) -> None:
    open_case(page, "hard", step="6")
    expect(page.locator(".spot:visible")).to_have_count(6)
    before = page.locator(".overlay").evaluate("c => c.toDataURL()")
    page.locator(".caption .token").nth(1).hover()
    assert page.locator(".overlay").evaluate("c => c.toDataURL()") != before
    expect(page.locator(".thumb.current")).to_have_text("brown")
    page.locator(".photo").click(position={"x": 5, "y": 5})
    expect(page.get_by_text("Clicked node 5 source 0")).to_be_visible()


@pytest.mark.parametrize("paint", ["spotlight", "heat"])
def test_the_end_sign_shows_the_whole_photo(page: Page, paint: str) -> None:
    covered = "c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((value, i) => i % 4 === 3 && value > 0)"
    open_case(page, "image", paint=paint)
    expect(page.locator(".thumb.current")).to_have_text("</s>")
    assert not page.locator(".overlay").evaluate(covered)
    page.get_by_role("button", name="One step back").click()
    assert page.locator(".overlay").evaluate(covered)


def test_overlay_lies_on_the_cell_it_is_about(page: Page) -> None:
    """The brightest point of the heat is the centre of the largest cell."""
    open_case(page, "image", step="2", paint="heat")
    at = page.locator(".overlay").evaluate(
        """c => { const p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let best = 0;
        for (let i = 0; i < c.width * c.height; i++) if (p[4 * i + 3] > p[4 * best + 3]) best = i;
        return [(best % c.width) / c.width, Math.floor(best / c.width) / c.height] }"""
    )
    assert at == pytest.approx([5.5 / 14, 9.5 / 14], abs=0.6 / 14)


def test_two_tabs_do_not_move_each_other(page: Page) -> None:
    one, two = page, page.context.new_page()
    for tab in (one, two):
        open_case(tab, "dog")
    one.locator(".player").focus()
    one.keyboard.press("Home")
    shown(one, "0 / 9")
    shown(two, "9 / 9")


def test_the_wheel_over_a_map_scrolls_the_page(page: Page) -> None:
    page.set_viewport_size({"width": 1200, "height": 400})
    open_case(page, "dog", "dog")
    page.locator(".body").first.hover()
    before = page.evaluate("() => scrollY")
    page.mouse.wheel(0, 120)
    page.wait_for_function("before => scrollY > before", arg=before)


def test_any_token_is_safe_and_legible(fresh_page: Page) -> None:
    page = fresh_page
    page.on("dialog", lambda dialog: pytest.fail(f"a token ran as a script: {dialog.message}"))
    open_case(page, *(f"hostile&view={view}" for view in ("map", "curves", "table", "network")))
    expect(page.locator(".player img:not(.network-photo), .player script")).to_have_count(0)
    for player in page.locator(".player").all():
        expect(player.get_by_role("button", name="<script>").first).to_be_visible()
        expect(player.get_by_role("button", name="👩‍👩‍👧").first).to_be_visible()


def test_fits_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_case(page, "dog", "long-60", "none", "language", "image")
    assert page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    for player in page.locator(".player").all():
        box = player.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


DRAWN = ("dog", "dog&view=curves", "dog&view=table", "long-60", "none", "language", "image", "premise", "question", "begun")
CHAINS = tuple(f"{case}&view=network&step=3" for case in ("dog", "long-60", "every", "image", "language"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    open_case(page, *DRAWN, *CHAINS, "compare")
    expect(page.locator(".player")).to_have_count(len(DRAWN + CHAINS) + 4)
    alone = {"landmark-unique": {"enabled": False}}  # so many panels are on no page of the app
    found = Axe().run(page, options={"resultTypes": ["violations"], "rules": alone}).response["violations"]
    assert [(item["id"], node["target"]) for item in found for node in item["nodes"]] == []
