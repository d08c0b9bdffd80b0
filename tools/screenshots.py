"""Pictures of every page in both themes for the README, taken from the running app: make screenshots [ARGS="start translate"]."""

from __future__ import annotations

import io
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "e2e")]

from conftest import ARGUMENTS, chromium, free_port  # noqa: E402

from demo.app import labs  # noqa: E402

FOLDER = ROOT / "docs" / "screenshots"
STATES = {  # where the defaults do not show the most
    "caption": "photo=giraffes&step=2",
    "training_step": "step=3",
}
PATIENCE_MS = 180_000
SETTLE_MS = 5000  # for players that play, and charts that draw, after the script has run


def shoot(browser: Browser, url: str, theme: str, wanted: list[str]) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="dark" if theme == "dark" else "light")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    for lab in labs():
        if wanted and lab.name not in wanted:
            continue
        page.goto(f"{url}/{'' if lab.name == 'start' else lab.name}?{STATES.get(lab.name, '')}")
        page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
        page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
        page.wait_for_timeout(SETTLE_MS)
        path = FOLDER / f"{lab.name}-{theme}.png"
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        picture.save(path, optimize=True)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")
    context.close()


def main() -> None:
    path = chromium()
    if path is None:
        sys.exit("No Chromium was found: install one (Debian and Ubuntu: apt-get install chromium) or set CHROMIUM=/path/to/it.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", f"--server.port={port}", "--server.headless=true"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as server, sync_playwright() as playwright:
        try:
            wait(f"http://127.0.0.1:{port}/_stcore/health")
            browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
            for theme in ("light", "dark"):
                shoot(browser, f"http://127.0.0.1:{port}", theme, sys.argv[1:])
            browser.close()
        finally:
            server.terminate()


def wait(url: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                sys.exit(f"The app did not start within {seconds:g} s.")
            time.sleep(0.2)


if __name__ == "__main__":
    main()
