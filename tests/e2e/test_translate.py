"""Translate and Transliterate in a real browser: type, Ctrl+Enter, and watch; the link holds it all; how fast it is."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.demo.tiny_models import DIFFERS
from tests.e2e.conftest import PHONE, fits, settled, visit, widen
from tests.e2e.player_pages import say

MENU = b"What the words mean"
WORDS = ("Ein Hund", "Ein Kind", "Zwei Kinder", "Eine Frau", "Ich habe")

# From the key press to the frame in which the new player shows its first token. The old player's frame is gone by then.
WATCH = """() => {
  const player = () => [...document.querySelectorAll('*')].map((host) => host.shadowRoot?.querySelector('.player')).find(Boolean);
  const before = player();
  window.painted = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no token was painted within 30 s')), 30000);
    const pressed = (event) => {
      if (event.key !== 'Enter' || !event.ctrlKey) return;
      window.removeEventListener('keydown', pressed, { capture: true });
      const start = performance.now();
      const look = () => {
        const now = player();
        const count = now?.querySelector('.count')?.textContent ?? '0';
        if (now && now !== before && !count.startsWith('0')) requestAnimationFrame(() => resolve(performance.now() - start));
        else requestAnimationFrame(look);
      };
      look();
    };
    window.addEventListener('keydown', pressed, { capture: true });
  });
}"""


def output(page: Page) -> Any:
    return page.locator(".line-text")


def decode(page: Page, text: str) -> float:
    """Type and press Ctrl+Enter; how many milliseconds until the first token was painted."""
    page.get_by_label("German").fill(text)
    page.evaluate(WATCH)
    page.keyboard.press("Control+Enter")
    return float(page.evaluate("() => window.painted"))


def test_type_and_press_ctrl_enter(page: Page, lab: str) -> None:
    visit(page, f"{lab}/translate")
    expect(output(page)).to_have_text("I like it.")
    page.get_by_label("German").fill("Ich habe ein Buch gelesen.")
    page.keyboard.press("Control+Enter")
    expect(output(page)).to_have_text("I have read a book.")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(".count")).to_have_text("7 / 7")


def test_a_click_on_a_hypothesis_plays_it_with_its_own_attention(page: Page, lab: str) -> None:
    visit(page, f"{lab}/translate?sentence=Ein+Kind+spielt+am+Strand.&view=table")
    first = output(page).inner_text()
    before = page.locator(".player table").inner_text()
    second = page.locator(".choosable tbody tr").nth(1)
    said = second.get_by_role("button").inner_text()
    second.get_by_role("button").click()
    expect(output(page)).to_have_text(said)
    expect(second.get_by_role("button")).to_have_attribute("aria-pressed", "true")
    assert said != first
    expect(page.locator(".player table")).not_to_have_text(before)
    page.wait_for_url("**hypothesis=2**")


def test_a_copied_link_opens_the_same_view_elsewhere(page: Page, fresh_page: Page, lab: str) -> None:
    visit(page, f"{lab}/translate")
    page.get_by_label("German").fill("Ein Kind spielt am Strand.")
    page.keyboard.press("Control+Enter")
    expect(output(page)).not_to_have_text("I like it.")  # a click before it would choose among what is about to go
    third = page.locator(".choosable tbody tr").nth(2).get_by_role("button")
    third.click()
    expect(output(page)).to_have_text(third.inner_text())
    page.get_by_role("button", name="Curves").click()
    expect(page.locator(".curves")).to_be_visible()
    page.wait_for_url("**view=curves**")
    page.locator(".player").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=1**")
    said = output(page).inner_text()
    page.get_by_role("button", name="Copy link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    other = fresh_page
    visit(other, link)
    expect(output(other)).to_have_text(said)
    expect(other.locator(".curves")).to_be_visible()
    expect(other.locator(".count")).to_contain_text("1 / ")
    expect(other.get_by_label("German")).to_have_value("Ein Kind spielt am Strand.")


def test_a_setting_decodes_anew(page: Page, lab: str) -> None:
    visit(page, f"{lab}/translate?{urlencode({'sentence': DIFFERS})}")
    beam = output(page).inner_text()
    page.get_by_role("button", name="Search").click()
    page.get_by_role("radio", name="greedy").click()
    expect(output(page)).not_to_have_text(beam)
    expect(page.get_by_text("Beam size")).to_have_count(0)
    expect(page.get_by_text("They part at word")).to_be_visible()


def test_the_exported_page_plays_without_a_server(page: Page, lab: str, tmp_path: Path) -> None:
    visit(page, f"{lab}/translate")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Player, one HTML file").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "translation-additive-das-gefällt-mir.html"
    page.goto(path.as_uri())
    expect(page.locator(".player")).to_be_visible()


def test_every_key_press_transliterates(page: Page, lab: str) -> None:
    visit(page, f"{lab}/transliterate")
    box = page.get_by_label("Word in Latin letters")
    box.fill("")
    expect(page.get_by_text("Type a word in Latin letters")).to_be_visible()
    box.press_sequentially("dosti", delay=120)
    expect(page.locator(".choosable tbody tr").first).to_contain_text("दोस्ती")
    expect(box).to_be_focused()
    page.locator(".choosable tbody tr").nth(1).get_by_role("button").click()
    expect(page.locator(".choosable tbody tr").nth(1)).to_have_class("chosen")


@pytest.mark.parametrize("name", ["translate?sentence=Ein+Kind+spielt+am+Strand.", "transliterate"])
def test_on_a_phone_and_in_the_dark(page: Page, lab: str, name: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, f"{lab}/{name}")
    fits(page)
    for box in (page.locator(".line-text, .choosable").first.bounding_box(), page.locator(".player").bounding_box()):
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    nothing_of_ours_is_found(page, f"{name}, light")
    widen(page)
    nothing_of_ours_is_found(page, f"{name}, dark")


def nothing_of_ours_is_found(page: Page, name: str) -> None:
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    ours = [(item["id"], node["target"]) for item in found for node in item["nodes"] if isinstance(node["target"][0], list)]
    theirs = sorted({item["id"] for item in found} - {name for name, _ in ours})
    say(f"axe, {name}: ours {ours}, in Streamlit's own parts {theirs}")
    assert ours == []


def test_a_quick_answer_fades_nothing_and_sends_nothing_of_the_shell(page: Page, lab: str) -> None:
    """Streamlit's fade of what is outdated makes a layer of every element, and the answer late; so does drawing the menu again."""
    sent: list[bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(frame if isinstance(frame, bytes) else b"")))
    visit(page, f"{lab}/translate")
    assert any(MENU in frame for frame in sent)
    sent.clear()
    page.evaluate("""() => {
      window.fading = new Set();
      const look = () => {
        const stale = document.querySelectorAll('[data-testid="stElementContainer"][data-stale="true"]');
        stale.forEach((element) => fading.add(getComputedStyle(element).transitionDuration));
        requestAnimationFrame(look);
      };
      look();
    }""")
    for sentence in ("Das gefällt dir.", "Das gefällt ihm.", "Das gefällt ihr."):  # the first may be answered between two frames
        decode(page, sentence)
        settled(page)
    assert "0s" in page.evaluate("() => [...window.fading]")
    assert any(b"Decode" in frame for frame in sent)
    assert not any(MENU in frame for frame in sent)


def test_how_soon_the_first_token_is_painted(page: Page, app: str, repeats: int) -> None:
    """With the shipped models, as visitors have them."""
    visit(page, f"{app}/translate")
    sentences = [f"{WORDS[i % len(WORDS)]} läuft über die Wiese {i}." for i in range(repeats)]
    decode(page, "Das gefällt dir.")
    new = [decode(page, sentence) for sentence in sentences]
    known = [decode(page, sentence) for sentence in sentences]
    key_presses = _typing(page, app, repeats)
    for name, times in (("new sentence", new), ("answered before", known), ("a letter typed", key_presses)):
        low, high = statistics.median(times), sorted(times)[int(0.95 * len(times))]
        assert times
        say(f"to the first painted token, {name}: p50 {low:.0f} ms, p95 {high:.0f} ms of {len(times)}")


def _typing(page: Page, app: str, repeats: int) -> list[float]:
    """Milliseconds from a letter to the frame in which the player shows the new word."""
    visit(page, f"{app}/transliterate")
    box = page.get_by_label("Word in Latin letters")
    box.fill("")
    expect(page.locator(".player")).to_have_count(0)
    box.press_sequentially("a")
    expect(page.locator(".player")).to_be_visible()
    times = []
    for letter in ("vidyarthinamas" * repeats)[:repeats]:
        page.evaluate(WATCH.replace("if (event.key !== 'Enter' || !event.ctrlKey) return;", ""))
        page.keyboard.press(letter)
        times.append(float(page.evaluate("() => window.painted")))
    return times


def test_a_phone_leaves_a_word_in_latin_letters_as_it_is_typed(page: Page, lab: str) -> None:
    visit(page, f"{lab}/transliterate?word=Namaste+dosti")
    box = page.get_by_label("Word in Latin letters")
    for name, value in (("autocapitalize", "none"), ("autocorrect", "off"), ("spellcheck", "false")):
        expect(box).to_have_attribute(name, value)
    expect(page.locator(".line-text")).to_have_text("नमस्ते दोस्ती")
    box.press("End")
    box.press_sequentially(" namaste")
    expect(page.locator(".line-text")).to_have_text("नमस्ते दोस्ती नमस्ते")
    expect(box).to_have_attribute("autocapitalize", "none")
