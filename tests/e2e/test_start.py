"""Start in a real browser: how soon the first token is there, the way to Translate, and cards for mouse, keyboard and phone."""

from __future__ import annotations

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from demo import examples
from demo.app import labs
from tests.e2e.conftest import PHONE, fits, settled, widen
from tests.e2e.player_pages import say

OTHERS = [lab for lab in labs() if lab.name != "start" and not lab.needs]

# From the start of the navigation to the frame in which the player shows its first token.
WATCH = """() => {
  const look = () => {
    if (document.querySelector('h1')) window.headlineAfter ??= performance.now();
    const hosts = [...document.querySelectorAll('*')];
    const count = hosts.map((host) => host.shadowRoot?.querySelector('.player .count')).find(Boolean)?.textContent ?? '0';
    if (!count.startsWith('0')) requestAnimationFrame(() => { window.paintedAfter = performance.now(); });
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def open_start(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.locator(".count")).not_to_have_text(re.compile("^0"))
    settled(page)


def timed_start(page: Page, url: str) -> tuple[float, float]:
    """How many milliseconds until the first token was painted, and until Streamlit had painted the headline."""
    page.goto(url)
    page.wait_for_function("() => window.paintedAfter")
    settled(page)
    token, headline = page.evaluate("() => [window.paintedAfter, window.headlineAfter]")
    return float(token), float(headline)


def test_how_soon_the_first_token_is_there(fresh_page: Page, fresh_lab: str, repeats: int) -> None:
    """Its first visit is the first of this server, while PyTorch is being loaded."""
    fresh_page.add_init_script(f"({WATCH})()")
    first = timed_start(fresh_page, fresh_lab)
    later = sorted(timed_start(fresh_page, fresh_lab) for _ in range(repeats))
    said = [f"{token:.0f} (headline {headline:.0f})" for token, headline in (first, *later)]
    say(f"Start, milliseconds from navigation to the first painted token: first visit {said[0]}; then {', '.join(said[1:])}")


def test_it_plays_says_its_sentence_and_each_card_is_one_link_with_an_address_of_its_own(page: Page, lab: str) -> None:
    open_start(page, lab)
    expect(page.get_by_text(examples.START.text).first).to_be_visible()
    expect(page.locator(".count")).to_have_text(re.compile(r"^(\d+) / \1$"))
    for other in OTHERS:
        card = page.get_by_role("link", name=other.about)
        expect(card).to_have_count(1)
        assert card.evaluate("node => node.href") == f"{lab}/{other.name}"
    page.set_viewport_size({"width": 1280, "height": 720})  # a projector's: three verbs whole, and what the pages are called
    for names, count in ((page.locator(".list .card"), 3), (page.locator("section:not(.list) .name"), 3)):
        for place in names.all()[:count]:
            box = place.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 720
    page.evaluate("() => { window.sameDocument = true; }")
    card = page.get_by_role("link", name=OTHERS[0].about)  # by keyboard, without a reload
    card.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name=OTHERS[0].title)).to_be_visible()
    assert page.evaluate("() => window.sameDocument")


def test_a_sentence_and_enter_lead_to_its_translation(page: Page, lab: str) -> None:
    open_start(page, lab)
    page.get_by_label("Your own German sentence").fill("Das gefällt dir.")
    page.keyboard.press("Enter")
    expect(page.locator(".line-text")).to_have_text("You like it.")
    expect(page.get_by_label("German")).to_have_value("Das gefällt dir.")
    page.wait_for_url("**/translate?sentence=*")


def test_it_waits_for_who_wants_no_motion_fits_a_phone_and_has_the_colours_of_both_themes(page: Page, lab: str) -> None:
    page.set_viewport_size(PHONE)
    page.emulate_media(reduced_motion="reduce")
    open_start(page, lab)
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    expect(page.locator(".count")).to_have_text(re.compile(r"^(\d+) / \1$"))
    expect(page.locator(".card").last).to_be_visible()
    fits(page)
    for card in page.locator(".card").all():
        box = card.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    pictures_are_those_of(page, "light")
    widen(page)
    pictures_are_those_of(page, "dark")


def pictures_are_those_of(page: Page, scheme: str) -> None:
    cell = page.locator(".card rect").first
    wanted = cell.evaluate("(node, scheme) => node.style.getPropertyValue('--' + scheme)", scheme)
    red, green, blue = (int(wanted[i : i + 2], 16) for i in (1, 3, 5))
    expect(cell).to_have_css("fill", f"rgb({red}, {green}, {blue})")
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    ours = [(item["id"], node["target"]) for item in found for node in item["nodes"] if isinstance(node["target"][0], list)]
    assert ours == []
