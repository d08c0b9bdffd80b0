"""A real Chromium and a real server. Without a Chromium every browser test is skipped by name, saying how to get one."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

ROOT = Path(__file__).parents[2]
APP = Path(__file__).parent / "player_app.py"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_SECONDS = 60
SCREEN: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
DARK_NOW = """() => {
  const [red] = getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor.match(/\\d+/g);
  return red < 100;
}"""
# `window.lag`: by how many milliseconds the browser gets each answer later.
SLOW_ANSWERS = """
window.WebSocket = class extends window.WebSocket {
  addEventListener(type, listener, ...rest) {
    super.addEventListener(type, type === "message" ? (event) => setTimeout(() => listener(event), window.lag ?? 0) : listener, ...rest);
  }
};
"""
STANDS_STILL = 0.02  # a layout shift below it is hardly seen
BUSY = 0.1  # what is let pass where a machine that does much else lets parts come in an order of its own
SHIFTS = """() => {
  window.shifted = {};
  const add = ({ value }) => (shifted[location.pathname] = (shifted[location.pathname] ?? 0) + value);
  new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: "layout-shift", buffered: true });
}"""
# Resolves when what the server sent last has had a frame to be drawn in, and what waited for that frame another.
DRAWN = """() => new Promise((done) => {
  const frame = (then) => requestAnimationFrame(() => setTimeout(then, 20));
  frame(() => frame(done));
})"""
PATIENCE_MS = 120_000  # of every step, on a machine that is busy with other things
expect.set_options(timeout=PATIENCE_MS)
Serve = Callable[..., str]


def chromium() -> str | None:
    named = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES), *PLACES]
    return next((path for path in named if path and Path(path).is_file()), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip("no Chromium was found: install one (Debian and Ubuntu: apt-get install chromium) or set CHROMIUM=/path/to/it")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield running
        running.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"The server stopped at once: {log.read_text(errors='replace')[-2000:]}")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"The server did not answer within {START_SECONDS} s: {log.read_text(errors='replace')[-2000:]}")


@pytest.fixture(scope="session")
def serve(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Start `streamlit run script` on a free port, if wanted with the models of another folder, and give its address."""
    running: list[subprocess.Popen[bytes]] = []

    def start(script: Path, models: Path | None = None) -> str:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        log = tmp_path_factory.mktemp("server") / "log"
        options = [f"--server.port={port}", "--server.headless=true", "--server.fileWatcherType=none"]
        with log.open("wb") as out:
            command = [sys.executable, "-m", "streamlit", "run", str(script), *options]
            environment = os.environ | {"PYTHONPATH": str(ROOT)} | ({"SEQ2SEQ_MODELS": str(models)} if models else {})
            running.append(subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT))
        _wait_until_healthy(url, running[-1], log)
        return url

    yield start
    for process in running:
        process.terminate()
    for process in running:
        process.wait(timeout=20)


@pytest.fixture(scope="session")
def app(serve: Serve) -> str:
    """The address of the whole app."""
    return serve(ROOT / "streamlit_app.py")


@pytest.fixture(scope="session")
def lab(serve: Serve, all_models: Path) -> str:
    """The address of the whole app with tiny models."""
    return serve(ROOT / "streamlit_app.py", all_models)


@pytest.fixture(scope="session")
def player_url(serve: Serve) -> str:
    """The address of an app of players alone."""
    return serve(APP)


@pytest.fixture
def fresh_lab(serve: Serve, all_models: Path) -> str:
    """The same on a server of its own, which nobody has visited yet."""
    return serve(ROOT / "streamlit_app.py", all_models)


def settled(page: Page) -> None:
    """The script has run to its end, and what it sent is drawn."""
    for _ in range(2):  # what is drawn may have asked for another run
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
        page.evaluate(DRAWN)


def visit(page: Page, url: str, first: str = ".player") -> None:
    """Open a page of the app; done when `first` is there and the script has run to its end. Nothing was moved by what came later."""
    page.goto(url)
    expect(page.locator(first).first).to_be_visible()
    settled(page)
    stood_still(page, BUSY)


def shifts(page: Page, most: float = STANDS_STILL) -> dict[str, float]:
    """The pages that moved more than that while they opened, since the browser came to the app."""
    return {name: round(value, 3) for name, value in page.evaluate("window.shifted").items() if value > most}


def stood_still(page: Page, most: float = STANDS_STILL) -> None:
    moved = shifts(page, most)
    assert not moved, f"layout shifts: {moved}"


def fits(page: Page) -> None:
    """Nothing of it lies beyond the right edge: a phone needs no sideways scrolling."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def violations(page: Page, ours: str) -> list[tuple[str, list[str]]]:
    """What axe finds on the page, in elements whose target says that they are ours."""
    found = Axe().run(page, context=".stMain", options={"runOnly": ["wcag2a", "wcag2aa"]}).response["violations"]
    return [
        (one["id"], [str(node["target"]) for node in one["nodes"]])
        for one in found
        if re.search(ours, str([n["target"] for n in one["nodes"]]))
    ]


def widen(page: Page) -> None:
    """From a phone in daylight to a dark screen: the same page, which was opened on the phone."""
    page.set_viewport_size(SCREEN)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(DARK_NOW)
    settled(page)


class Visitor:
    """A page in a context of its own. Its scripts may not fail, and its requests may not leave this machine."""

    def __init__(self, browser: Browser) -> None:
        self.wrong: list[str] = []
        self.context = browser.new_context(viewport=SCREEN)
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.add_init_script(f"({SHIFTS})()")
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.context.on("request", lambda request: self._note(request.url))
        self.context.on("weberror", lambda error: self.wrong.append(f"a script failed: {error.error}"))
        self.page = self.context.new_page()
        self.page.on("websocket", lambda socket: self._note(socket.url))

    def _note(self, url: str) -> None:
        if urlsplit(url).scheme in {"http", "https", "ws", "wss"} and urlsplit(url).hostname != "127.0.0.1":
            self.wrong.append(f"a request left the machine: {url}")

    def check(self) -> None:
        wrong, self.wrong = self.wrong, []
        assert not wrong, wrong

    def leave(self) -> None:
        """Forget all that the page could remember, and be as at first."""
        for opened in self.context.pages:
            if opened != self.page:
                opened.close()
        if self.page.url.startswith("http"):
            self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self.context.clear_cookies()
        self.page.goto("about:blank")
        self.page.set_viewport_size(SCREEN)
        self.page.emulate_media(color_scheme="light", reduced_motion="no-preference")
        self.page.mouse.move(0, 0)


@pytest.fixture(scope="session")
def idle() -> list[Visitor]:
    """The visitor of the test before, if there is one: its Chromium has already read Streamlit's scripts, which takes seconds."""
    return []


@pytest.fixture
def page(browser: Browser, idle: list[Visitor]) -> Iterator[Page]:
    visitor = idle.pop() if idle else Visitor(browser)
    yield visitor.page
    visitor.check()
    visitor.leave()
    idle.append(visitor)


@pytest.fixture
def fresh_page(browser: Browser) -> Iterator[Page]:
    """A page that was nowhere before and is not used again: for a first visit, and for what cannot be taken back."""
    visitor = Visitor(browser)
    yield visitor.page
    visitor.check()
    visitor.context.close()
