"""A real Chromium and a real server. Without a Chromium every browser test is skipped by name, saying how to get one."""

from __future__ import annotations

import os
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
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
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


@pytest.fixture
def fresh_lab(serve: Serve, all_models: Path) -> str:
    """The same on a server of its own, which nobody has visited yet."""
    return serve(ROOT / "streamlit_app.py", all_models)


def settled(page: Page) -> None:
    """The script has run to its end."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=60_000)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1440, "height": 900})
    made.set_default_timeout(15_000)
    made.grant_permissions(["clipboard-read", "clipboard-write"])
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page whose scripts may not fail and whose requests may not leave this machine."""
    outside: list[str] = []
    failures: list[str] = []

    def note(url: str) -> None:
        if urlsplit(url).scheme in {"http", "https", "ws", "wss"} and urlsplit(url).hostname != "127.0.0.1":
            outside.append(url)

    context.on("request", lambda request: note(request.url))
    context.on("weberror", lambda error: failures.append(str(error.error)))
    opened = context.new_page()
    opened.on("websocket", lambda socket: note(socket.url))
    yield opened
    assert not outside, f"requests left the machine: {outside}"
    assert not failures, f"the page's scripts failed: {failures}"
