"""Steps and measurements that the browser tests of the player share."""

from __future__ import annotations

import sys

from playwright.sync_api import Page, expect

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


def open_case(page: Page, url: str, case: str, **options: str) -> None:
    query = "&".join([f"case={case}", *(f"{name}={value}" for name, value in options.items())])
    page.goto(f"{url}/?{query}")
    expect(page.locator(".player").first).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


def shown(page: Page, count: str) -> None:
    expect(page.locator(".count").first).to_have_text(count)


def say(text: str) -> None:
    """A measured figure, shown by pytest -s."""
    sys.stdout.write(f"\n{text}\n")
