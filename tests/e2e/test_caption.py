"""Caption in a real browser: upload, play, hover a word, keyboard, and pointing the model's eyes."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from demo.given.photos import FOLDER
from tests.demo.captioners import CAPTIONS
from tests.e2e.conftest import PHONE, fits, settled, violations, visit, widen


def open_caption(page: Page, lab: str, query: str = "photo=cat") -> None:
    visit(page, f"{lab}/caption?{query}", ".photo-frame")


def overlay(page: Page) -> str:
    """The pixels of the first player's overlay."""
    return str(page.locator("canvas.overlay").first.evaluate("canvas => canvas.toDataURL()"))


def hover(page: Page, word: Locator) -> None:
    """Point at a word until it is the current one: a player that is drawn anew under a resting pointer does not feel it."""
    for _ in range(20):
        page.mouse.move(0, 0)
        word.hover()
        if "current" in (word.get_attribute("class") or ""):
            return
        page.wait_for_timeout(250)
    expect(word).to_have_class(re.compile("current"))


def test_upload_play_hover_and_keys(page: Page, lab: str, tmp_path: Path) -> None:
    """First what is no photo, which is said while the one that was there stays."""
    open_caption(page, lab)
    (tmp_path / "words.jpg").write_text("no picture at all")
    page.get_by_role("button", name="Your photo").click()
    page.locator("input[type=file]").first.set_input_files(tmp_path / "words.jpg")
    expect(page.get_by_text("not a JPEG, PNG, WebP or GIF picture")).to_be_visible()
    expect(page.get_by_text("A JPEG, PNG or WebP file")).to_have_count(0)
    expect(page.locator(".caption").first).to_contain_text(CAPTIONS["cat"].split()[1])
    settled(page)
    page.get_by_role("button", name="Your photo").click()
    expect(page.get_by_text("A JPEG, PNG or WebP file")).to_be_visible()
    page.locator("input[type=file]").first.set_input_files(FOLDER / "coffee.jpg")
    expect(page.locator(".caption").first).to_contain_text("coffee")
    expect(page.get_by_text("A JPEG, PNG or WebP file")).to_have_count(0)  # what was opened to choose it is out of the way
    settled(page)
    words = page.locator(".caption").first.locator(".token")
    expect(page.locator(".count").first).to_have_text(re.compile(r"^(\d+) / \1$"))
    hover(page, words.nth(1))
    one = overlay(page)
    hover(page, words.nth(4))
    assert overlay(page) != one
    page.locator(".scrub").first.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".count").first).to_have_text(re.compile("^1 / "))


def test_a_caption_without_a_map_has_no_picture_for_each_word(page: Page, lab: str) -> None:
    open_caption(page, lab, "photo=cat&photo_model=none")
    expect(page.locator(".photo-frame").first).to_contain_text("No map")
    expect(page.locator(".contact").first).to_be_hidden()


def test_painted_cells_go_into_the_link_and_change_the_caption(page: Page, lab: str) -> None:
    open_caption(page, lab)
    grid = page.locator(".eye-grid")
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + 5, steps=5)
    page.mouse.up()
    expect(page.locator(".eye-note")).to_have_text("3 to look at")
    page.locator(".eye-actions select").select_option(index=2)
    page.get_by_role("button", name="Caption again").click()
    expect(page).to_have_url(re.compile("edits=p"))
    expect(page.get_by_text("Before and after")).to_be_visible()
    cells = page.locator(".eye-cell.eye-look")
    expect(cells).to_have_count(3)


def test_a_sample_is_one_click_away_and_forgets_what_was_painted(page: Page, lab: str) -> None:
    open_caption(page, lab, "photo=cat&edits=h3")
    expect(page.get_by_text("Before and after")).to_be_visible()
    page.get_by_role("button", name="Coffee").click()
    expect(page.locator(".caption").first).to_contain_text("coffee")
    expect(page).to_have_url(re.compile("photo=coffee"))
    expect(page).not_to_have_url(re.compile("edits"))
    expect(page.get_by_role("button", name="Coffee")).to_have_attribute("aria-pressed", "true")


def test_it_plays_and_ends_on_the_whole_photo_with_the_whole_caption(page: Page, lab: str) -> None:
    open_caption(page, lab)
    expect(page.locator(".count").first).to_have_text(re.compile(r"^(\d+) / \1$"))
    assert page.locator("canvas.overlay").first.evaluate(
        "canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.every((value) => value === 0)"
    )
    words = page.locator(".caption").first.locator(".token:visible")
    assert words.all_inner_texts() == CAPTIONS["cat"].split()
    expect(page.locator(".caption").first.locator(".token.current:visible")).to_have_count(0)
    panel = page.locator(".panel").first  # tells of the words, and not of the end sign
    expect(panel.locator(".panel-title")).to_have_text("All is written; it was least sure of")
    told = panel.locator(".candidate:visible .token-text").all_inner_texts()
    assert told and set(told) <= set(CAPTIONS["cat"].split())
    expect(panel.locator(".actions")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(panel.locator(".panel-title")).to_contain_text("after")
    expect(panel.locator(".actions")).to_be_visible()
    box = page.locator(".contact").first.bounding_box()  # a picture for each word, in sight without scrolling
    assert box is not None and box["y"] + box["height"] <= 900


def test_control_result_and_player_stand_on_a_halls_screen(page: Page, lab: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    for name in (
        "caption?photo=cat",
        "translate",
        "transliterate",
        "language_model?beginning=A+dog&search=greedy",
        "how_it_works",
        "watch",
    ):
        visit(page, f"{lab}/{name}")
        box = page.locator(".transport").first.bounding_box()
        assert box is not None and box["y"] + box["height"] <= 720, (name, box)
        for label in page.locator("[data-testid=stMain] [data-testid=stButton] p:visible").all():
            assert label.evaluate("node => node.scrollWidth <= node.clientWidth + 1"), (name, label.inner_text())


def test_on_a_phone_and_in_the_dark(page: Page, lab: str) -> None:
    played = re.compile(r"^(\d+) / \1$")  # a word that comes in is faint for a moment
    page.set_viewport_size(PHONE)
    open_caption(page, lab)
    fits(page)
    expect(page.locator(".count").first).to_have_text(played)
    assert violations(page, "player|eye-") == []
    widen(page)
    expect(page.locator(".count").first).to_have_text(played)
    assert violations(page, "player|eye-") == []
