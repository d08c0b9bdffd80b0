"""The drawing of the network, in a real browser: it says each step in a sentence, follows the clock, and is reached by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.player_pages import SAMPLER, TRAFFIC, open_case, say, shown
from tests.e2e.test_player_motion import STOP_AND_COUNT

BEYOND = """() => {
  const host = [...document.querySelectorAll('*')].find((node) => node.shadowRoot?.querySelector('.network-sheet'));
  const sheet = host.shadowRoot.querySelector('.network-sheet');
  const box = sheet.getBoundingClientRect();
  return [...sheet.querySelectorAll('rect, circle, text, button')].filter((node) => {
    const own = node.getBoundingClientRect();
    return own.width && (own.left < box.left - 1 || own.right > box.right + 1 || own.top < box.top - 1 || own.bottom > box.bottom + 1);
  }).map((node) => node.outerHTML.slice(0, 80));
}"""


@pytest.mark.parametrize(
    ("case", "step", "said"),
    [
        ("dog", "2", "s\u2082 comes from s\u2081 and \u201cA\u201d; it looks most at \u201cHund\u201d (0.81), and together with"),
        ("input", "2", "s\u2081 looks most at \u201cHund\u201d (0.81); what it finds, c\u2082, goes into s\u2082 with \u201cA\u201d"),
        ("none", "1", "s\u2081 comes from s\u2080, which was made of h_T, and the start sign; it says \u201cA\u201d (0.90)."),
        ("every", "2", "s\u2082 comes from s\u2081, \u201cA\u201d and once more h_T; it says"),
        ("language", "2", "s\u2082 comes from s\u2081 and \u201cI\u201d; it says \u201cam\u201d"),
        ("hard", "3", "it looks most at row 10 column 7 alone"),
        ("transformer", "3", "s\u2083 looks at all that is said so far, from the start sign to \u201clike\u201d"),
        ("question", "5", "\u201cdas\u201d (0.56)"),
        ("dog", "0", "The source is read; nothing is written yet."),
    ],
)
def test_a_step_is_a_sentence(page: Page, player_url: str, case: str, step: str, said: str) -> None:
    open_case(page, player_url, case, view="network", step=step)
    expect(page.locator(".network-says")).to_contain_text(said)
    assert (page.locator(".network").get_attribute("aria-label") or "").startswith("The network: ")


def test_lines_lead_from_what_is_looked_at(page: Page, player_url: str) -> None:
    open_case(page, player_url, "dog", view="network", step="2")
    assert page.locator(".network .weight").all_text_contents() == ["0.81", "0.05"]  # a word of two pieces has the weight of both
    widths = [float(line.get_attribute("stroke-width") or 0) for line in page.locator(".network .look").all()]
    assert len(widths) == 7
    assert max(widths) == pytest.approx(15 * 0.81, abs=0.01)
    open_case(page, player_url, "heads", view="network", step="2", words="false")
    expect(page.locator(".network .look")).to_have_count(4 * 5)
    page.get_by_label("Attention head").select_option("Head 2")
    expect(page.locator(".network .look")).to_have_count(5)
    open_case(page, player_url, "hard", view="network", step="4")
    expect(page.locator(".network .look")).to_have_count(1)


@pytest.mark.parametrize(("case", "alive"), [("none", 0), ("every", 1)])
def test_one_vector_comes_once_or_at_every_step(page: Page, player_url: str, case: str, alive: int) -> None:
    open_case(page, player_url, case, view="network", step="4")
    expect(page.locator(".network .option")).to_contain_text(f"Option {alive + 1}: ")
    expect(page.locator(".network .alive path.alive")).to_have_count(3 + alive)  # the state before, the word before, the output; h_T again


def test_keys_and_clicks(page: Page, player_url: str) -> None:
    open_case(page, player_url, "dog", view="network", step="1")
    page.locator(".network .box.done").nth(2).click()
    expect(page.get_by_text("source 2")).to_be_visible()
    page.locator(".network").focus()
    page.keyboard.press("ArrowRight")
    shown(page, "2 / 9")
    expect(page.locator(".network-says")).to_contain_text("s\u2082 comes from")


@pytest.mark.parametrize("width", [390, 800, 1280])
@pytest.mark.parametrize("case", ["dog", "long-60", "every", "image", "question", "transformer", "language"])
def test_nothing_is_cut_off(page: Page, player_url: str, case: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    open_case(page, player_url, case, view="network", step="4")
    expect(page.locator(".network .letter").first).to_be_attached()
    assert page.evaluate(BEYOND) == []


def test_playing_sends_no_message(fresh_page: Page, player_url: str) -> None:
    page = fresh_page
    page.add_init_script(f"({TRAFFIC})()")
    open_case(page, player_url, "long-60", pace="15", speed="4", step="0", view="network")
    expect(page.get_by_text("Run 1")).to_be_visible()
    page.evaluate(SAMPLER)
    page.get_by_role("button", name="Play", exact=True).click()
    shown(page, "60 / 60")
    expect(page.get_by_role("button", name="Replay")).to_be_visible()
    result = page.evaluate(STOP_AND_COUNT)
    seconds = (result["last"] - result["first"]) / 1000
    say(f"network: {result['updates'] / seconds:.0f} updates/s, {result['steps'] / seconds:.0f} tokens/s, {result['messages']} messages")
    assert (result["messages"], result["blank"]) == (0, 0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("case", ["dog", "long-60", "every", "image", "language"])
def test_axe_finds_nothing(page: Page, player_url: str, case: str, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    open_case(page, player_url, case, view="network", step="3")
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(item["id"], node["target"]) for item in found for node in item["nodes"] if isinstance(node["target"][0], list)] == []
