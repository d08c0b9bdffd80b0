"""Players on a page of their own, without a server, for the browser tests; and steps and measurements that these share."""

from __future__ import annotations

import json
import sys
from typing import Any

from playwright.sync_api import Page, expect

from demo.colours import DARK, LIGHT
from demo.components import script, style
from demo.components.player.data import PlayerLayout, PlayerOptions, clock_data, player_data
from demo.export.files import theme_style
from seq2seq_core.trace.differences import first_difference
from tests.demo import traces
from tests.e2e.player_cases import photo, trace_for

ADDRESS = "http://127.0.0.1:9/players"  # nobody is asked: the browser is given the page itself
COMPARED = [
    [" A", " dog", " runs", " on", " the", " beach", ".", "</s>"],
    [" A", " dog", " is", " on", " the", " sand", ".", "</s>"],
    [" A", " man", " runs", ".", "</s>"],
]

# Counts, per animation frame, changes of the scrubber and of the number of tokens, and looks for an empty canvas.
SAMPLER = """() => {
  const find = (selector) => {
    for (const host of document.querySelectorAll('*')) {
      const found = host.shadowRoot?.querySelector(selector) ?? null;
      if (found) return found;
    }
    return document.querySelector(selector);
  };
  const scrub = find('.scrub');
  const state = window.sampled = { frames: 0, updates: 0, steps: 0, blank: 0, start: performance.now() };
  let [value, shown] = [scrub.value, scrub.getAttribute('aria-valuetext')];
  const look = () => {
    const now = find('.scrub');
    state.frames += 1;
    if (!now || !find('.stage').firstChild) state.blank += 1;
    const canvas = find('.body canvas');
    if (canvas && Number(now.value) >= 1) {
      const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, 16).data;
      if (!pixels.some((v) => v > 0)) state.blank += 1;
    }
    if (now.value !== value) {
      state.updates += 1;
      state.first ??= performance.now();
      state.last = performance.now();
    }
    if (now.getAttribute('aria-valuetext') !== shown) state.steps += 1;
    [value, shown] = [now.value, now.getAttribute('aria-valuetext')];
    state.timer = requestAnimationFrame(look);
  };
  state.timer = requestAnimationFrame(look);
}"""

TRAFFIC = """() => {
  window.traffic = [];
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', () => traffic.push(performance.now()));
    }
    send(data) {
      traffic.push(performance.now());
      super.send(data);
    }
  };
}"""


# Each player in a shadow of its own, as Streamlit mounts it. What it tells the page is written below it.
MOUNT = """for (const [i, place] of [...document.querySelectorAll('.place')].entries()) {
  const root = place.attachShadow({ mode: 'open' });
  const style = root.appendChild(document.createElement('style'));
  style.textContent = document.getElementById('style').textContent;
  const say = (kind, text) => { document.querySelector(kind).textContent = text; };
  const instance = new Instance(root.appendChild(document.createElement('div')));
  instance.update(given[i], {
    click: ({ node, source, act }) => say('.clicked', `Clicked node ${node} source ${source}` + (act ? ` act ${act}` : '')),
    options: ({ view, step, words, speed }) => say('.reported', `Reported ${view} step ${step} words ${words} speed ${speed}`),
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => instance.recolor());
}"""


def asked(case: str) -> tuple[str, PlayerOptions, PlayerLayout]:
    """What a case asks for: dog&view=curves&auto=1 ..."""
    given = dict(part.split("=", 1) for part in f"case={case.removeprefix('case=')}".split("&"))
    name = given.pop("case")
    actions = (given.pop("act"),) if "act" in given else ()
    layout = PlayerLayout(autoplay=given.pop("auto", "0") == "1", pace=float(given.pop("pace", "2")), actions=actions)
    return name, PlayerOptions.from_dict({name: _option(value) for name, value in given.items()}), layout


def _option(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def one(name: str) -> dict[str, Any]:
    url = photo() if name.startswith(("image", "hard", "question")) else None
    return player_data(trace_for(name), image_url=url)


def _compared(options: PlayerOptions, actions: tuple[str, ...], pace: float) -> list[dict[str, Any]]:
    """A clock and three players that follow it."""
    source = traces.text_source(["Ein", " Hund", " läuft", " am", " Strand", "."])
    clock = {"player": clock_data(8), "layout": PlayerLayout(sync="compare", actions=actions, pace=pace)}
    follows = PlayerLayout(sync="compare", controls=False, panel=False, height=420, actions=actions, pace=pace)
    players = [clock]
    for heads, name, output in zip((1, 4, 0), ("additive", "multi-head", "none"), COMPARED, strict=True):
        trace = traces.make_trace(output, source, heads=heads, model_id=f"translation/{name}")
        players.append({"player": player_data(trace, diverges=first_difference(COMPARED[0], output), title=name), "layout": follows})
    return [{"player": each["player"], "layout": each["layout"].to_dict(), "options": options.to_dict()} for each in players]


def _players(case: str) -> list[dict[str, Any]]:
    name, options, layout = asked(case)
    if name == "compare":
        return _compared(options, layout.actions, layout.pace)
    return [{"player": one(name), "options": options.to_dict(), "layout": layout.to_dict()}]


def _document(players: list[dict[str, Any]]) -> str:
    """The page, with the margins that one has in the app."""
    given = json.dumps(players, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
    places = '<div class="place"></div>' * len(players)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Players</title>\n'
        f"<style>{theme_style(LIGHT)} @media (prefers-color-scheme: dark) {{ {theme_style(DARK)} }}\n"
        "body { margin: 0; padding: 40px 80px; color: var(--st-text-color); background: var(--st-background-color); }\n"
        "@media (max-width: 640px) { body { padding: 40px 16px; } }\n.place { margin-bottom: 16px; }</style>\n"
        f'<style id="style" media="not all">{style("player")}</style>\n</head>\n<body>\n<main>\n<h1>Players</h1>\n{places}'
        '<p class="clicked"></p>\n<p class="reported"></p>\n</main>\n'
        f"<script>\n(() => {{\n{script('player/instance.js')}\nconst given = {given};\n{MOUNT}\n}})();\n</script>\n</body>\n</html>\n"
    )


def open_case(page: Page, *cases: str, **options: str) -> None:
    """Players of these cases, one below the other; `options` are those of them all."""
    more = "".join(f"&{name}={value}" for name, value in options.items())
    body = _document([player for case in cases for player in _players(case + more)])
    page.route(ADDRESS, lambda route: route.fulfill(body=body, content_type="text/html; charset=utf-8"), times=1)
    page.goto(ADDRESS)
    expect(page.locator(".player").first).to_be_visible()


def open_served(page: Page, url: str, case: str, **options: str) -> None:
    """The same player as a component of Streamlit, on a page that Python runs."""
    page.goto(f"{url}/?{'&'.join([f'case={case}', *(f'{name}={value}' for name, value in options.items())])}")
    expect(page.locator(".player").first).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


def shown(page: Page, count: str) -> None:
    expect(page.locator(".count").first).to_have_text(count)


def say(text: str) -> None:
    """A measured figure, shown by pytest -s."""
    sys.stdout.write(f"\n{text}\n")
