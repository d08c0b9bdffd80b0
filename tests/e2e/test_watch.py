"""Watch in a real browser: a clip is composed, shuffled and told anew, a visitor's own is shown, and what is none is said to be none."""

from __future__ import annotations

import base64
import io
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from seq2seq_core.inputs.clip import SIDE
from seq2seq_core.tasks import TASKS
from tests.e2e.conftest import PHONE, SLOW_ANSWERS, fits, settled, violations, visit, widen


def animation(path: Path, count: int = 20) -> Path:
    """A square that goes to the right."""
    frames = [Image.new("RGB", (160, 120), "white") for _ in range(count)]
    for place, frame in enumerate(frames):
        frame.paste((200, 30, 30), (5 * place, 50, 5 * place + 20, 70))
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=50)
    return path


def strip(page: Page) -> str:
    """The picture of all frames."""
    return str(picture(page).get_attribute("src"))


def picture(page: Page) -> Locator:
    return page.locator(".photo img").first


def five(page: Page) -> Locator:
    """The rows of the table of gestures, its head among them."""
    return page.locator(".outputs").filter(has=page.get_by_role("heading", name="Five gestures")).locator("tr")


def column(page: Page, name: str) -> list[str]:
    head, *rows = [row.split("\t") for row in five(page).all_inner_texts()]
    return [row[head.index(name)].strip() for row in rows]


def upload(page: Page, button: str, file: Path) -> None:
    page.get_by_role("button", name=button).click()
    expect(page.get_by_text(re.compile("GIF, moving WebP or PNG"))).to_have_count(1)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    expect(page.get_by_text(re.compile("GIF, moving WebP or PNG"))).to_have_count(0)  # what was opened to choose it is out of the way
    settled(page)


def test_a_clip_is_composed_shuffled_and_told_and_one_that_is_uploaded_is_not_believed(page: Page, app: str, tmp_path: Path) -> None:
    visit(page, f"{app}/watch")
    expect(page.get_by_role("img", name="The clip, playing")).to_be_visible()
    before = strip(page)
    page.get_by_role("button", name="Compose").click()
    page.get_by_role("combobox", name="What happens").click()
    page.get_by_role("option", name="vanish", exact=True).click()
    settled(page)
    page.get_by_role("button", name="Make the clip").click()
    expect(page).to_have_url(re.compile(r"clip=vanish\.lprc_1"))
    expect(picture(page)).not_to_have_attribute("src", before)
    settled(page)
    composed = strip(page)
    words = page.locator(".caption .token")
    expect(words.first).to_be_visible()
    page.locator(".scrub").first.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".count").first).to_have_text(re.compile("^1 / "))
    page.get_by_role("button", name="Shuffle").click()
    expect(page.get_by_text("The frames are out of order. In order they show: vanish: a large red circle vanishes")).to_be_visible()
    settled(page)
    expect(picture(page)).not_to_have_attribute("src", composed)
    expect(page).to_have_url(re.compile(r"clip=vanish\.lprc_1s"))
    page.get_by_role("button", name="In order").click()
    expect(page).to_have_url(re.compile(r"clip=vanish\.lprc_1(&|$)"))
    expect(page.get_by_text("The frames are out of order")).to_have_count(0)
    settled(page)
    expect(picture(page)).to_have_attribute("src", composed)
    upload(page, "Your clip", animation(tmp_path / "square.gif"))
    expect(page.get_by_text("The models know clips that the lab renders, and nothing else")).to_be_visible()
    expect(picture(page)).not_to_have_attribute("src", composed)
    expect(picture(page)).not_to_have_attribute("src", before)
    fits(page)
    visit(page, f"{app}/watch?clip=vanish.lprc_1")
    expect(page.get_by_role("img", name="The clip, playing")).to_be_visible()
    expect(picture(page)).to_have_attribute("src", composed)
    (tmp_path / "words.gif").write_text("no clip at all")
    upload(page, "Your clip", tmp_path / "words.gif")
    expect(page.get_by_text("not a GIF, WebP or PNG, whatever its name says")).to_be_visible()
    expect(picture(page)).to_have_attribute("src", composed)


# A camera before which a bright square goes to the right.
CAMERA = """() => {
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [320, 240];
    const context = canvas.getContext("2d"), began = performance.now();
    const draw = () => {
      context.fillStyle = "#202020";
      context.fillRect(0, 0, 320, 240);
      context.fillStyle = "#f0f0f0";
      context.fillRect((performance.now() - began) / 15, 100, 40, 40);
    };
    window.setInterval(draw, 30);
    draw();
    return canvas.captureStream(30);
  };
}"""


def test_what_a_camera_films_is_one_of_five_gestures(fresh_page: Page, app: str, tmp_path: Path) -> None:
    page = fresh_page
    page.add_init_script(f"({CAMERA})()")
    page.add_init_script(SLOW_ANSWERS)
    visit(page, f"{app}/watch?task=gesture", "[data-testid=stAlert]")
    expect(page.locator(".player")).to_have_count(0)
    page.get_by_role("button", name="Your film").click()
    page.get_by_role("button", name="Film two seconds").click()
    expect(five(page)).to_have_count(6)
    expect(page.get_by_role("button", name="Film two seconds")).to_have_count(0)
    settled(page)
    filmed, said, means = strip(page), column(page, "gesture"), column(page, "mean")
    assert said == list(TASKS["gesture"].answers)
    page.get_by_role("button", name="Shuffle").click()
    expect(page.get_by_text("The frames are out of order.")).to_be_visible()
    settled(page)
    expect(picture(page)).not_to_have_attribute("src", filmed)
    assert column(page, "mean") == means  # the mean of the frames is the same
    page.get_by_role("button", name="Backwards").click()
    expect(page.get_by_text("The frames are played backwards.")).to_be_visible()
    settled(page)
    assert column(page, "mean") == means
    page.evaluate("window.lag = 1500")  # the film is there before the browser hears back that its place was opened
    upload(page, "Your film", animation(tmp_path / "square.gif"))
    expect(page.get_by_text("The frames are played backwards.")).to_have_count(0)
    expect(picture(page)).not_to_have_attribute("src", filmed)
    visit(page, f"{app}/watch?task=gesture", "[data-testid=stAlert]")
    (tmp_path / "words.gif").write_text("no film at all")
    upload(page, "Your film", tmp_path / "words.gif")
    expect(page.get_by_text("not a GIF, WebP or PNG, whatever its name says")).to_be_visible()


RECORDED = """async () => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [160, 120];
  const context = canvas.getContext("2d");
  const began = performance.now();
  const draw = () => {
    context.fillStyle = "white";
    context.fillRect(0, 0, 160, 120);
    context.fillStyle = "red";
    context.fillRect(Math.min(140, (performance.now() - began) / 9), 50, 20, 20);
  };
  draw();
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm" });
  const parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const over = new Promise((done) => (recorder.onstop = done));
  recorder.start();
  const drawing = setInterval(draw, 40);
  await new Promise((done) => setTimeout(done, 1200));
  clearInterval(drawing);
  recorder.stop();
  await over;
  return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
}"""


def test_a_film_is_read_by_the_browser_and_what_is_none_is_said_to_be_none(fresh_page: Page, app: str, tmp_path: Path) -> None:
    page = fresh_page
    visit(page, f"{app}/watch")
    (tmp_path / "square.webm").write_bytes(bytes(page.evaluate(RECORDED)))  # how long it is, a recorder does not write
    (tmp_path / "words.mp4").write_text("no film at all")
    before = strip(page)
    page.get_by_role("button", name="Your clip").click()
    film = page.locator("input[accept*=video]")
    film.set_input_files(tmp_path / "words.mp4")
    expect(page.get_by_text("The browser cannot play this file as a film")).to_be_visible()
    film.set_input_files(tmp_path / "square.webm")
    expect(page.get_by_text("any other they say what of those it looks like")).to_be_visible()
    settled(page)
    expect(picture(page)).not_to_have_attribute("src", before)
    shown = strip(page)
    encoded = base64.b64decode(shown.partition(",")[2])
    frames = Image.open(io.BytesIO(encoded)).convert("RGB")
    assert frames.size == (8 * SIDE, 3 * SIDE)
    reds = [red_at(frames.crop((c * SIDE, r * SIDE, (c + 1) * SIDE, (r + 1) * SIDE))) for r in range(3) for c in range(8)]
    back = [
        now - then for then, now in pairwise(reds) if now < then - 2
    ]  # a busy machine records few frames, and the same ones are taken again
    assert not back and reds[-1] > reds[0] + 5, "the square goes to the right"


def red_at(frame: Image.Image) -> float:
    """How far to the right its red stands."""
    values = np.asarray(frame).astype(int)
    return float(np.nonzero(values[..., 0] - values[..., 1] > 60)[1].mean().round(1))


def test_readable_by_all_and_on_a_phone(page: Page, app: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, f"{app}/watch")
    fits(page)
    assert violations(page, r"player|outputs|photo") == []
    widen(page)
    assert violations(page, r"player|outputs|photo") == []
