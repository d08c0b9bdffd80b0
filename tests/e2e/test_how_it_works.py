"""How it works in a real browser: every equation is seen whole in the windows of small laptops."""

from __future__ import annotations

import re
import statistics

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import settled, violations, visit
from tests.e2e.player_pages import say

CUT = """() => [...document.querySelectorAll('*')].flatMap(host => [...(host.shadowRoot?.querySelectorAll('.equation') ?? [])])
    .filter(line => line.scrollWidth > line.clientWidth + 1).map(line => line.textContent)"""


@pytest.mark.parametrize("asked", ["model=additive&step=2", "model=multi-head&step=1&head=2", "model=none&step=1"])
def test_no_equation_is_cut_off(page: Page, lab: str, asked: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    visit(page, f"{lab}/how_it_works?sentence=Zwei Kinder spielen am Strand.&words=false&{asked}")
    expect(page.locator(".equation").nth(5)).to_be_attached()
    expect(page.get_by_text("The six parts of this system")).to_be_attached()
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    assert page.evaluate(CUT) == []
    page.set_viewport_size({"width": 390, "height": 900})
    assert [line for line in page.evaluate(CUT) if "exp" not in line] == []  # a long fraction may be scrolled on a phone


def test_a_link_opens_at_an_equation_or_at_what_stands_below(page: Page, lab: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    link = f"{lab}/how_it_works?sentence=Zwei Kinder spielen am Strand.&words=false&model=multi-head&step=2&section="
    for asked, at in (("Context", ".equations-box section >> text=Context vector"), ("six parts", "text=The six parts of this system"),
                      ("library", "text=This is torch.nn.MultiheadAttention")):  # fmt: skip
        visit(page, link + asked)
        expect(page.locator(at).first).to_be_in_viewport()
        box = page.locator(".equations-box").bounding_box() if asked == "Context" else {"y": 0}
        above = (page.locator(at).first.bounding_box() or {"y": -1})["y"] - box["y"]
        assert 0 <= above < 120, asked


def test_readable_by_all(page: Page, lab: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{lab}/how_it_works?sentence=Zwei Kinder spielen am Strand.&model=additive&step=2")
    expect(page.get_by_text("The six parts of this system")).to_be_attached()
    assert violations(page, "equations|parts") == []


def test_a_letter_shows_where_it_lives_and_a_number_the_whole_vector(page: Page, lab: str) -> None:
    visit(page, f"{lab}/how_it_works?sentence=Zwei Kinder spielen am Strand.&words=false&model=additive&step=2")
    letters = page.locator(".letters-letter")
    expect(letters.first).to_be_visible()
    page.locator(".equation msub").filter(has_text=re.compile(r"^h\d$")).last.hover()
    expect(page.locator(".network .box.lit")).to_have_count(1)
    page.mouse.move(0, 0)
    expect(page.locator(".network .lit")).to_have_count(0)
    letters.filter(has_text="c").first.focus()
    expect(page.locator(".network .box.lit .letter")).to_have_text("c\u2082")
    expect(page.locator(".letters-vector")).to_be_hidden()
    page.locator(".equation [data-vector] mn").first.click()
    expect(page.locator(".letters-name")).to_contain_text("64 numbers, the largest is number")
    pressed = page.locator(".letters-letter[aria-pressed=true]")
    expect(pressed).to_have_count(1)
    pressed.press("Enter")
    expect(page.locator(".letters-vector")).to_be_hidden()


def test_the_equations_follow_while_it_plays(fresh_page: Page, lab: str) -> None:
    page, sent = fresh_page, list[str]()
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append("sent")))
    visit(page, f"{lab}/how_it_works?sentence=Zwei Kinder spielen am Strand.&words=false&model=additive&step=0&read=1&speed=4")
    title = page.locator(".equations-title")
    expect(title).to_contain_text("The encoder reads token 1 of")
    settled(page)
    sent.clear()
    page.get_by_role("button", name="Play", exact=True).click()
    seen = list[str]()
    while len(seen) < 4:  # two that are read, all is read, and the first step at least
        expect(title).not_to_have_text(seen[-1] if seen else "The encoder reads token 1 of 6: “Zwei”")
        seen.append(str(title.text_content()))
    assert sent == []
    assert any(text.startswith("The encoder reads token") for text in seen)
    expect(title).to_contain_text("the end")
    expect(page.locator(".equations td.now").last).to_have_text(re.compile(r"0\.\d{3}|1\.000"))


# From the click on its link to the frame in which the drawing and the equations stand.
OPENED = """() => {
  window.opened = new Promise((resolve) => {
    const pressed = () => {
      const start = performance.now();
      const look = () => {
        const roots = [...document.querySelectorAll('*')].flatMap((host) => host.shadowRoot ?? []);
        const there = ['.network .letter', '.equation math'].every((name) => roots.some((root) => root.querySelector(name)));
        if (there) requestAnimationFrame(() => resolve(performance.now() - start));
        else requestAnimationFrame(look);
      };
      look();
    };
    document.querySelector('[data-testid=stSidebarNav] a[href$="/how_it_works"]').addEventListener('click', pressed, { once: true });
  });
}"""


def test_how_soon_it_opens_with_a_loaded_model(repeats: int, page: Page, app: str) -> None:
    """With the shipped models; after the first time, which loads the model."""
    times = []
    for _ in range(repeats + 1):
        visit(page, f"{app}/translate?sentence=Zwei Kinder spielen am Strand.")
        page.evaluate(OPENED)
        page.get_by_test_id("stSidebarNav").get_by_role("link", name="How it works", exact=True).click()
        times.append(float(page.evaluate("() => window.opened")))
        settled(page)
    later = sorted(times[1:])
    middle, most = statistics.median(later), later[-1]
    say(f"How it works, ms from a click to drawing and equations: first {times[0]:.0f}; p50 {middle:.0f}, most {most:.0f}")
