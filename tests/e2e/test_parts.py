"""Sources of several parts in the player, and how a token came to stand there, in a real browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.player_pages import open_case, shown


def test_two_texts_stand_beside_each_other_with_their_names(page: Page) -> None:
    open_case(page, "premise")
    shown(page, "6 / 6")
    expect(page.locator(".sources .part-name")).to_have_text(["premise", "hypothesis", "gate"])
    expect(page.locator(".part-border")).to_have_count(1)
    border = page.locator(".part-border").bounding_box()
    strand, tier = (
        page.locator(".sources").get_by_role("button", name=name, exact=True).first.bounding_box() for name in ("Strand", "Tier")
    )
    assert border and strand and tier and strand["x"] + strand["width"] <= border["x"] <= tier["x"]
    expect(page.locator(".numbers")).to_contain_text("premise 1.29 of 2.6 bit\nhypothesis")


def test_heads_have_names_and_one_looks_at_its_part_alone(page: Page) -> None:
    open_case(page, "premise")
    menu = page.get_by_label("Attention head")
    expect(menu.locator("option")).to_have_text(["All heads, averaged in each part", "Premise", "Hypothesis", "Again, at the premise"])
    menu.select_option("Hypothesis")
    expect(page.locator(".numbers")).not_to_contain_text("premise")
    page.get_by_role("button", name="Table").click()
    row = page.locator("tbody tr").first
    expect(row).to_contain_text("hypothesis \u2192")
    expect(row).not_to_contain_text("premise")


def test_a_click_names_the_position_as_it_is_numbered_through_all_parts(page: Page) -> None:
    open_case(page, "premise")
    page.locator(".sources").get_by_role("button", name="Tier").click()
    expect(page.get_by_text("Clicked node null source 7")).to_be_visible()
    open_case(page, "question")
    page.locator(".sources").get_by_role("button", name="Tier").click()
    expect(page.get_by_text("Clicked node null source 27")).to_be_visible()


def test_a_photo_stands_beside_its_question_and_under_it_on_a_phone(page: Page) -> None:
    open_case(page, "question")
    photo, sheet = page.locator(".photo").bounding_box(), page.locator(".sheet").bounding_box()
    assert photo and sheet and sheet["x"] > photo["x"] + photo["width"]
    page.set_viewport_size({"width": 390, "height": 900})
    expect(page.locator(".parts.beside")).to_have_count(0)
    photo, sheet = page.locator(".photo").bounding_box(), page.locator(".sheet").bounding_box()
    assert photo and sheet and sheet["y"] > photo["y"] + photo["height"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_given_forced_and_generated_words_look_different_and_say_so(page: Page) -> None:
    open_case(page, "begun")
    looks = {}
    for name in ("going, given", "the, forced", "to"):
        token = page.get_by_role("button", name=name, exact=True)
        expect(token).to_be_visible()
        looks[name] = token.evaluate("node => [getComputedStyle(node).textDecorationLine, getComputedStyle(node).outlineStyle]")
    assert looks == {"going, given": ["underline", "none"], "the, forced": ["none", "solid"], "to": ["none", "none"]}
    expect(page.locator(".origins .entry")).to_have_text(["wordgiven to go on from", "wordforced by a person", "wordthe model's own"])
    page.locator(".player").focus()
    for key, said, mark in (("Home", "", ""), ("ArrowRight", "Word 1: I, given", "given"), ("End", "", "")):
        page.keyboard.press(key)
        if said:
            expect(page.locator("[aria-live]")).to_have_text(said)
            expect(page.locator(".candidate.chosen .mark")).to_have_text(mark)


def test_a_trace_without_any_has_no_legend(page: Page) -> None:
    open_case(page, "dog")
    expect(page.locator(".origins")).to_have_count(0)


def test_marks_are_in_the_table(page: Page) -> None:
    open_case(page, "premise", view="table")
    expect(page.locator("thead th")).to_have_text(["step", "token", "looks at", "gate", "copied", "p", "log p", "total"])
    expect(page.locator("tbody tr").nth(2)).to_contain_text("0.07")
    expect(page.locator("tbody tr").nth(2).locator("td").nth(3)).to_have_text("Tier")
