"""The player in motion, in a real browser: updates per second, what a frame costs, and no blank one."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image, ImageStat
from playwright.sync_api import Page, expect

from tests.e2e.player_pages import SAMPLER, open_case, say, shown

STOP = "() => { cancelAnimationFrame(sampled.timer); return sampled }"


@pytest.mark.parametrize("length", [60, 120])
def test_long_sentences_play_smoothly(page: Page, length: int) -> None:
    open_case(page, f"long-{length}", pace="15", speed="4", step="0", fit="true")
    page.evaluate(SAMPLER)
    page.get_by_role("button", name="Play", exact=True).click()
    shown(page, f"{length} / {length}")
    result = page.evaluate(STOP)
    rate = 1000 * result["updates"] / (result["last"] - result["first"])
    say(f"player {length} x {length}, fitted: {rate:.0f} updates/s, {result['blank']} blank frames")
    assert result["blank"] == 0


def test_a_frame_costs_little(page: Page) -> None:
    """A frame lays the page out once at most; its time on the page's main thread is printed."""
    open_case(page, "long-60", pace="15", speed="4", step="0", fit="true")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> dict[str, float]:
        return {each["name"]: float(each["value"]) for each in session.send("Performance.getMetrics")["metrics"]}

    page.evaluate("() => { window.drawn = 0; const next = () => { drawn += 1; requestAnimationFrame(next) }; next() }")
    before = spent()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Replay")).to_be_visible()
    after, frames = spent(), page.evaluate("() => drawn")
    per_frame = {name: (after[name] - before[name]) / frames for name in ("TaskDuration", "LayoutCount", "RecalcStyleCount")}
    say(f"player: {1000 * per_frame['TaskDuration']:.1f} ms of processor time, {per_frame['LayoutCount']:.2f} layouts per frame")
    assert per_frame["LayoutCount"] <= 1.1
    assert per_frame["RecalcStyleCount"] <= 2.2


def test_the_screen_never_goes_blank(page: Page) -> None:
    open_case(page, "dog", pace="6", step="1")
    box = page.locator(".body").bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    frames: list[bytes] = []

    def keep(event: dict[str, Any]) -> None:
        frames.append(base64.b64decode(event["data"]))
        session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})
    page.get_by_role("button", name="Play", exact=True).click()
    shown(page, "9 / 9")
    session.send("Page.stopScreencast")
    blank = 0
    for frame in frames:
        picture = Image.open(io.BytesIO(frame)).convert("L")
        scale = picture.width / 1440
        left, top = box["x"] * scale, box["y"] * scale
        first_row = picture.crop((int(left), int(top), int(left + box["width"] * scale), int(top + 40 * scale)))
        blank += ImageStat.Stat(first_row).stddev[0] < 3
    say(f"player: {blank} blank of {len(frames)} screencast frames")
    assert len(frames) >= 3
    assert blank == 0
