"""What the player tells its page comes back with the next answer, late when the server is busy."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from demo.components import script
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
