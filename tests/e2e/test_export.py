"""The exported HTML file in a real browser, opened from the disk: it plays, reads well, and asks the network for nothing."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from demo.export.files import to_html
from seq2seq_core.inputs.clip import FRAMES, SIDE, Clip, frame_names, strip
from seq2seq_core.inputs.part import Part
from tests.demo.traces import dog_trace, image_source, make_trace

PIXEL = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

BRIGHT = """canvas => {
  const read = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  read.drawImage(canvas, 20, 20, 1, 1, 0, 0, 1, 1);
  return read.getImageData(0, 0, 1, 1).data[0];
}"""


@pytest.fixture
def alone(browser: Browser) -> Iterator[Page]:
    """A page that may read the file it opens and nothing else."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    requests: list[str] = []
    problems: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    context.on("weberror", lambda error: problems.append(str(error.error)))
    opened = context.new_page()
    opened.on("console", lambda message: problems.append(message.text))
    yield opened
    outside = [url for url in requests if not url.startswith(("file:", "data:"))]
    context.close()
    assert outside == []
    assert problems == []


def test_it_plays_without_a_server(alone: Page, tmp_path: Path) -> None:
    file = tmp_path / "trace.html"
    file.write_text(to_html(dog_trace()), encoding="utf8")
    alone.goto(file.as_uri())
    expect(alone.get_by_role("heading", level=1)).to_have_text("Ein Hund läuft am Strand entlang. → A dog is running along the beach.")
    alone.locator(".player").focus()
    alone.keyboard.press("Home")
    expect(alone.locator(".count")).to_have_text("0 / 9")
    alone.get_by_role("combobox", name="Speed").select_option("4×")
    alone.keyboard.press("Escape")
    alone.get_by_role("button", name="Play", exact=True).click()
    expect(alone.locator(".count")).to_have_text("9 / 9")
    found = Axe().run(alone).response["violations"]
    assert [item["id"] for item in found] == []


def test_the_clip_travels_with_it_and_each_word_shows_the_frame_it_looked_at(alone: Page, tmp_path: Path) -> None:
    frames = np.zeros((FRAMES, SIDE, SIDE, 3), np.uint8)
    frames[:] = (10 * np.arange(FRAMES))[:, None, None, None]
    clip, looked = Clip(frames), (3, 17, FRAMES - 1)
    weights = np.full((len(looked), 1, FRAMES), 0.01, np.float32)
    for step, frame in enumerate(looked):
        weights[step, 0, frame] = 0.77
    part = Part.of_grid("clip", strip(FRAMES), clip.size, frame_names(FRAMES))
    trace = make_trace([" it", " moves", "</s>"], part, attention=weights, task="clip", model_id="clip/additive")
    file, picture = tmp_path / "clip.html", io.BytesIO()
    clip.picture().save(picture, "PNG")
    file.write_text(to_html(trace, image_url=f"data:image/png;base64,{base64.b64encode(picture.getvalue()).decode()}"), encoding="utf8")
    alone.goto(file.as_uri())
    film = alone.get_by_role("img", name="The clip, playing")
    found = {film.evaluate(BRIGHT) for _ in range(40) if alone.wait_for_timeout(100) is None}
    assert len(found) > 10 and found <= {10 * frame for frame in range(FRAMES)}  # it plays
    alone.emulate_media(reduced_motion="reduce")
    alone.locator(".player").focus()
    alone.keyboard.press("Home")
    for frame in looked:
        alone.keyboard.press("ArrowRight")
        alone.wait_for_function(f"wanted => ({BRIGHT})(document.querySelector('canvas.screen')) === wanted", arg=10 * frame)


def test_the_photo_travels_with_it(alone: Page, tmp_path: Path) -> None:
    trace = make_trace([" a", " dog", "</s>"], image_source(7, 7, (70, 70)), task="captioning", model_id="captioning/soft")
    file = tmp_path / "caption.html"
    file.write_text(to_html(trace, image_url=PIXEL), encoding="utf8")
    alone.goto(file.as_uri())
    expect(alone.locator(".photo img")).to_have_js_property("complete", value=True)
    assert alone.locator(".photo img").evaluate("image => image.naturalWidth") == 1
    expect(alone.locator(".thumb")).to_have_count(3)
