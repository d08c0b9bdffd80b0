"""What the player tells its page comes back with the next answer, late when the server is busy."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from demo.components import script, style
from demo.components.player.data import PlayerLayout, PlayerOptions, player_data
from tests.demo.traces import dog_trace

LATE = """async ({ player, options, layout }) => {
  const instance = new Instance(document.body), told = [], shown = [];
  const answer = (values) => {
    instance.update({ player, options: values, layout }, { click: () => {}, options: (said) => told.push(said) });
    shown.push(instance.player.clock.shown);
  };
  const step = async (value) => {
    const before = told.length;
    instance.player.clock.seek(value);
    for (let i = 0; i < 100 && told.length === before; i++) await new Promise((wait) => setTimeout(wait, 20));
  };
  answer({ ...options, step: 0 });
  await step(1);
  await step(2);
  answer(told[0]); // the answer to the first step arrives after the second
  answer(told[1]);
  answer({ ...options, step: 5 }); // the page itself asks for a step
  await step(2);
  answer(told[2]);
  answer({ ...options, step: 1 });
  return shown;
}"""

NEXT = """({ player, options, layout }) => {
  const instance = new Instance(document.body), tell = { click: () => {}, options: () => {} };
  instance.update({ player, options, layout }, tell);
  instance.player.frame.querySelector("button").focus();
  instance.update({ player: { ...player, id: "another" }, options, layout }, tell);
}"""


def given() -> dict[str, Any]:
    return {"player": player_data(dog_trace()), "options": PlayerOptions().to_dict(), "layout": PlayerLayout(height=620).to_dict()}


def test_a_late_answer_takes_back_nothing_that_was_done_since(page: Page) -> None:
    page.set_content(f"<script>{script('player/instance.js')}</script>")
    shown = page.evaluate(LATE, given())
    assert shown == [0, 2, 2, 5, 2, 1]


def test_the_keys_go_on_working_when_another_output_comes(page: Page) -> None:
    page.set_content(f"<script>{script('player/instance.js')}</script>")
    page.evaluate(NEXT, given())
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".count")).to_contain_text("1 / ")


ANYWHERE = """({ player, options, layout }) => {
  const field = document.body.appendChild(document.createElement("input"));
  window.instance = new Instance(document.body.appendChild(document.createElement("div")));
  instance.update({ player, options, layout }, { click: () => {}, options: () => {} });
  document.body.style.background = "white";
  return field;
}"""


def test_keys_work_from_anywhere_but_in_a_field(page: Page) -> None:
    page.set_content(f"<script>{script('player/instance.js')}</script>")
    page.evaluate(ANYWHERE, given())
    count = page.locator(".count")
    for key, said in (("Home", "0 / 9"), ("PageDown", "1 / 9"), ("ArrowRight", "2 / 9"), ("PageUp", "1 / 9"), ("Shift+PageDown", "1 / 9")):
        page.keyboard.press(key)
        expect(count).to_have_text(said)
    page.keyboard.press(" ")
    expect(count).not_to_have_text("1 / 9")
    expect(count).to_have_text("9 / 9")
    page.wait_for_function("() => !instance.player.clock.playing")
    page.keyboard.press("End")
    page.locator("body > input").focus()
    for key in ("Home", "ArrowLeft", "f", " "):
        page.keyboard.press(key)
    expect(count).to_have_text("9 / 9")
    expect(page.locator("body > input")).to_have_value("f ")


def test_the_figure_alone_on_the_screen_has_letters_for_the_last_row(page: Page) -> None:
    page.set_content(f"<script>{script('player/instance.js')}</script><style>{style('player')}</style>")
    page.evaluate(ANYWHERE, given())
    before = page.locator(".sources .token").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement?.className === 'player-root'")
    expect(page.locator(".tools")).to_be_hidden()
    expect(page.locator(".transport")).to_be_visible()
    after = page.locator(".sources .token").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert after >= 30 > before
    box = page.locator(".player").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= page.evaluate("() => window.innerHeight")
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement === null")
    expect(page.locator(".tools")).to_be_visible()
