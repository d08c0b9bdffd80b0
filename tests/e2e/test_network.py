"""The drawing of the network, in a real browser: it says each step in a sentence, follows the clock, and is reached by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.player_pages import open_case, shown

SHEETS = "[...document.querySelectorAll('.place')].map((place) => place.shadowRoot.querySelector('.network-sheet'))"
FITTED = f"""() => {SHEETS}.every((sheet) => sheet.querySelector('.letter')
  && Math.abs(sheet.querySelector('svg').getAttribute('width') - sheet.clientWidth) <= 1)"""
BEYOND = f"""() => {SHEETS}.flatMap((sheet) => {{
  const box = sheet.getBoundingClientRect();
  return [...sheet.querySelectorAll('rect, circle, text, button')].filter((node) => {{
    const own = node.getBoundingClientRect();
    return own.width && (own.left < box.left - 1 || own.right > box.right + 1 || own.top < box.top - 1 || own.bottom > box.bottom + 1);
  }}).map((node) => node.outerHTML.slice(0, 80));
}})"""


SAID = [
    ("dog", 2, "s\u2082 comes from s\u2081 and \u201cA\u201d; it looks most at \u201cHund\u201d (0.81), and together with"),
    ("input", 2, "s\u2081 looks most at \u201cHund\u201d (0.81); what it finds, c\u2082, goes into s\u2082 with \u201cA\u201d"),
    (
        "state",
        2,
        "s\u2082 comes from c\u2081 and \u201cA\u201d; it looks most at \u201cHund\u201d (0.81), and what it finds, c\u2082, takes its",
    ),
    ("none", 1, "s\u2081 comes from s\u2080, which was made of h_T, and the start sign; it says \u201cA\u201d (0.90)."),
    ("every", 2, "s\u2082 comes from s\u2081, \u201cA\u201d and once more h_T; it says"),
    ("language", 2, "s\u2082 comes from s\u2081 and \u201cI\u201d; it says \u201cam\u201d"),
    ("hard", 3, "it looks most at row 10 column 7 alone"),
    ("transformer", 3, "s\u2083 looks at all that is said so far, from the start sign to \u201clike\u201d"),
    ("question", 5, "\u201cdas\u201d (0.56)"),
    ("dog", 0, "The source is read; nothing is written yet."),
]


def test_a_step_is_a_sentence(page: Page) -> None:
    open_case(page, *(f"{case}&step={step}" for case, step, _ in SAID), view="network")
    expect(page.locator(".network-says")).to_contain_text([said for *_, said in SAID])
    for drawing in page.locator(".network").all():
        assert (drawing.get_attribute("aria-label") or "").startswith("The network: ")


def test_lines_lead_from_what_is_looked_at(page: Page) -> None:
    open_case(page, "dog", view="network", step="2")
    assert page.locator(".network .weight").all_text_contents() == ["0.81", "0.05"]  # a word of two pieces has the weight of both
    widths = [float(line.get_attribute("stroke-width") or 0) for line in page.locator(".network .look").all()]
    assert len(widths) == 7
    assert max(widths) == pytest.approx(15 * 0.81, abs=0.01)
    open_case(page, "heads", view="network", step="2", words="false")
    expect(page.locator(".network .look")).to_have_count(4 * 5)
    page.get_by_label("Attention head").select_option("Head 2")
    expect(page.locator(".network .look")).to_have_count(5)
    open_case(page, "hard", view="network", step="4")
    expect(page.locator(".network .look")).to_have_count(1)


def test_one_vector_comes_once_or_at_every_step(page: Page) -> None:
    open_case(page, "none", "every", view="network", step="4")
    for again in (0, 1):
        player = page.locator(".player").nth(again)
        expect(player.locator(".network .option")).to_contain_text(f"Option {again + 1}: ")
        # the state before, the word before, the output; h_T again
        expect(player.locator(".network .alive path.alive")).to_have_count(3 + again)


def test_a_context_that_takes_the_place_of_a_state_leads_on(page: Page) -> None:
    """No arrow leads from state to state but from the first, and each word but the one in focus comes from its context."""
    open_case(page, "state", "dog", view="network", step="4", words="false")
    carried, usual = page.locator(".network").all()
    count = carried.locator(".box circle").count()
    assert count == sum(letter.startswith("s") for letter in usual.locator(".box .letter").all_text_contents()) - 1 > 5  # s_0 has none
    expect(usual.locator(".box circle")).to_have_count(1)
    straight = "paths => paths.filter(path => /^M [\\d.]+ ([\\d.]+) L [\\d.]+ \\1 M/.test(path.getAttribute('d'))).length"
    between = [one.locator("path.flow").evaluate_all(straight) for one in (carried, usual)]
    assert between[1] - between[0] == count - 1


def test_keys_and_clicks(page: Page) -> None:
    open_case(page, "dog", view="network", step="1")
    page.locator(".network .box.done").nth(2).click()
    expect(page.get_by_text("source 2")).to_be_visible()
    page.locator(".network").focus()
    page.keyboard.press("ArrowRight")
    shown(page, "2 / 9")
    expect(page.locator(".network-says")).to_contain_text("s\u2082 comes from")


CUT_OR_NOT = ("dog", "long-60", "every", "image", "question", "transformer", "language")


def test_nothing_is_cut_off(page: Page) -> None:
    open_case(page, *CUT_OR_NOT, view="network", step="4")
    for width in (390, 800, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(FITTED)  # the players have heard of it
        assert page.evaluate(BEYOND) == [], width
    expect(page.locator(".network")).to_have_count(len(CUT_OR_NOT))


TELL = "detail => window.dispatchEvent(new CustomEvent('attention-letter', { detail }))"


def test_a_letter_of_the_equations_lights_where_it_lives(page: Page) -> None:
    open_case(page, "dog", view="network", step="2", words="false")
    lit = page.locator(".network .lit")
    places: list[tuple[str, int | None, list[str]]] = [
        ("read", 1, ["h\u2082"]),
        ("summary", None, ["hT"]),
        ("state", 0, ["s\u2081"]),
        ("context", None, ["c\u2082", ""]),
        ("looks", 1, ["", "0.81"]),
        ("source", 0, ["Ein"]),
    ]
    for role, at, expected in places:
        page.evaluate(TELL, {"role": role, "at": at})
        expect(lit).to_have_count(len(expected))
        assert sorted(lit.all_text_contents()) == sorted(expected), role
    page.evaluate(TELL, {"role": "input", "at": None})
    expect(page.locator(".network .token.lit")).to_have_text(["A"])
    page.locator(".player").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".network .token.lit")).to_have_text(["dog"])
    page.evaluate(TELL, None)
    expect(lit).to_have_count(0)
