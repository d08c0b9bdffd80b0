"""Players that get new data while they play: alone, under one clock, in the same places and in new ones, all play it to its end."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from demo.components import script
from demo.components.player.data import PlayerLayout, PlayerOptions, clock_data, player_data
from tests.demo import traces

SOURCE = ["Ein", " Hund", " läuft", " am", " Strand", "."]
FIRST = [" A", " dog", " runs", " on", " the", " wide", " beach", " today", ".", "</s>"]
SECOND = [" A", " dog", " is", " here", ".", "</s>"]
THIRD = [" It", " sleeps", ".", "</s>"]

# Everything on the page gets its data in the order of the page, as after a run; `elsewhere` puts the followers into new places, and
# takes the old ones away when all the new ones stand. `late`: how far it has played before the next data comes.
REMOUNT = """async ({ runs, options, elsewhere, late }) => {
  const tell = { click: () => {}, options: () => {} };
  let instances = [], begun = [];
  const place = () => new Instance(document.body.appendChild(document.createElement("div")));
  const until = async (done) => { for (let i = 0; i < 300 && !done(); i++) await new Promise((wait) => setTimeout(wait, 20)); };
  for (const [number, run] of runs.entries()) {
    const old = instances;
    instances = run.map((_, i) => (i === 0 || !elsewhere ? old[i] : null) ?? place());
    run.forEach(({ player, layout }, i) => instances[i].update({ player, options, layout }, tell));
    for (const gone of old) if (!instances.includes(gone)) gone.close();
    if (number === runs.length - 1) begun = instances.map(({ player }) => player.clock.playing);
    else await until(() => instances[0].player.clock.position > late);
  }
  await until(() => instances[0].player.clock.position >= instances[0].player.clock.length);
  await new Promise((wait) => setTimeout(wait, 100));
  const ended = ({ root, player }) => [root.querySelector(".count")?.textContent ?? "", player.clock.shown, player.clock.playing];
  return { begun: begun.every(Boolean), ended: instances.map(ended) };
}"""


def answer(number: int, *outputs: list[str], autoplay: bool = True, alone: bool = False, pace: float = 15) -> list[dict[str, Any]]:
    """One run of a page: a clock and its followers, or one player."""
    layout = PlayerLayout(height=300, autoplay=autoplay, round=number, pace=pace, sync="" if alone else "group")
    made = [player_data(traces.make_trace(output, traces.text_source(SOURCE)), title=str(number)) for output in outputs]
    if alone:
        return [{"player": made[0], "layout": layout.to_dict()}]
    follows = layout.to_dict() | {"controls": False, "panel": False, "autoplay": False}
    clock = {"player": clock_data(max(map(len, outputs))), "layout": layout.to_dict()}
    return [clock, *({"player": data, "layout": follows} for data in made)]


def remount(page: Page, runs: list[list[dict[str, Any]]], *, elsewhere: bool, late: float = 0.3) -> Any:
    page.set_content(f"<script>{script('player/instance.js')}</script>")
    return page.evaluate(REMOUNT, {"runs": runs, "options": PlayerOptions().to_dict(), "elsewhere": elsewhere, "late": late})


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_group_that_gets_new_outputs_while_it_plays_plays_them_to_their_end(page: Page, elsewhere: bool) -> None:
    runs = [answer(1, FIRST, FIRST, SECOND, pace=1), answer(2, SECOND, THIRD, THIRD, pace=1), answer(3, THIRD, SECOND, FIRST)]
    seen = remount(page, runs, elsewhere=elsewhere)
    assert seen == {"begun": True, "ended": [["10 / 10", 10, False], ["", 4, False], ["", 6, False], ["", 10, False]]}


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_group_that_rests_at_its_end_rests_at_the_end_of_shorter_outputs(page: Page, elsewhere: bool) -> None:
    runs = [answer(1, FIRST, SECOND), answer(2, THIRD, THIRD, autoplay=False)]
    ended = remount(page, runs, elsewhere=elsewhere, late=9.999)["ended"]
    assert ended == [["4 / 4", 4, False], ["", 4, False], ["", 4, False]]


LATE = """({ run, options }) => {
  const tell = { click: () => {}, options: () => {} };
  const instances = run.map(() => new Instance(document.body.appendChild(document.createElement("div"))));
  const update = (i, step) => instances[i].update({ ...run[i], options: { ...options, step } }, tell);
  run.forEach((_, i) => update(i, 0));
  instances[0].player.clock.seek(1);
  instances[0].player.clock.seek(2);
  run.forEach((_, i) => i && update(i, 1)); // the page's answer to the first step comes after the second
  return instances.map(({ player }) => player.clock.shown);
}"""


def test_a_late_answer_takes_a_group_nowhere(page: Page) -> None:
    page.set_content(f"<script>{script('player/instance.js')}</script>")
    run = answer(1, FIRST, FIRST, autoplay=False)
    assert page.evaluate(LATE, {"run": run, "options": PlayerOptions().to_dict()}) == [2, 2, 2]
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".count")).to_have_text("4 / 10")


def test_one_player_that_gets_new_data_while_it_plays_goes_on_without_being_asked(page: Page) -> None:
    runs = [answer(1, THIRD, alone=True, pace=1), answer(2, FIRST, alone=True, autoplay=False)]
    assert remount(page, runs, elsewhere=False) == {"begun": True, "ended": [["10 / 10", 10, False]]}


RELAID = """({ run, options }) => {
  const instance = new Instance(document.body.appendChild(document.createElement("div")));
  const tell = { click: () => {}, options: ({ step }) => { document.title = `told ${step}`; } };
  instance.update({ ...run[0], options }, tell);
  instance.player.choose(1, null);
  instance.update({ ...run[0], layout: { ...run[0].layout, height: 500 }, options }, tell);
  return instance.player.clock.shown;
}"""


def test_a_word_that_is_clicked_while_its_place_is_laid_out_anew_stays_chosen(page: Page) -> None:
    page.set_content(f"<script>{script('player/instance.js')}</script>")
    run = answer(1, FIRST, autoplay=False, alone=True)
    assert page.evaluate(RELAID, {"run": run, "options": PlayerOptions().to_dict()}) == 2
    expect(page).to_have_title("told 2")
