"""Every page in both themes, simple and full: what axe finds, and how far it shifts as it opens: python tools/look_over.py [page ...]."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "e2e")]

from conftest import ARGUMENTS, SHIFTS, STANDS_STILL, chromium, free_port  # noqa: E402

from demo.app import TITLE, labs  # noqa: E402
from demo.lab import Lab  # noqa: E402
from tools.lectures import AT_REST, ERRORS, PATIENCE_MS  # noqa: E402
from tools.screenshots import wait  # noqa: E402

SETTLE_MS = 1500


def found(page: Page) -> tuple[list[str], list[str]]:
    """What axe finds in parts of ours, which stand in shadow roots, and in Streamlit's own."""
    ours: list[str] = []
    theirs: list[str] = []
    for item in Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]:
        for node in item["nodes"]:
            (ours if isinstance(node["target"][0], list) else theirs).append(f"{item['id']} {node['target']}")
    return ours, theirs


def at_rest(page: Page) -> None:
    page.wait_for_selector(AT_REST)
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
    page.wait_for_selector(AT_REST)


def shifted(page: Page) -> float:
    """How far it has shifted until it came to rest."""
    at_rest(page)
    page.wait_for_timeout(SETTLE_MS)
    return float(page.evaluate("shifted[location.pathname] ?? 0"))


def look_at(page: Page, url: str, lab: Lab, level: str) -> int:
    """How much was found in parts of ours; all of it is said. The page is opened by its address, and then come to by the menu."""
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    page.goto(f"{url}/{'' if lab.name == 'start' else lab.name}?level={level}")
    page.wait_for_selector("h1")
    by_address = shifted(page)
    page.goto(f"{url}/{'lectures' if lab.name == 'lessons' else 'lessons'}?level={level}")
    page.wait_for_selector("h1")
    at_rest(page)
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=lab.title, exact=True).click()
    page.wait_for_function("title => document.querySelector('h1')?.innerText === title", arg=lab.title if lab.name != "start" else TITLE)
    by_menu = shifted(page)
    wrong = page.locator(ERRORS).count()
    said = f"layout shift {by_address:.3f} by its address, {by_menu:.3f} by the menu{', an error is shown' if wrong else ''}"
    print(f"{lab.name}, {level}: {said}", flush=True)
    wrong += (by_address > STANDS_STILL) + (by_menu > STANDS_STILL)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        ours, theirs = found(page)
        wrong += len(ours)
        rules = dict(Counter(each.split()[0] for each in theirs))
        print(f"  {scheme}: ours {ours or 'nothing'}; Streamlit's own {rules or 'nothing'}", flush=True)
    return wrong


def main() -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", f"--server.port={port}", "--server.headless=true"]
    names = sys.argv[1:]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as server, sync_playwright() as playwright:
        try:
            wait(f"{url}/_stcore/health", 600)
            page = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS).new_page(viewport={"width": 1280, "height": 720})
            page.set_default_timeout(PATIENCE_MS)
            page.add_init_script(f"({SHIFTS})()")
            wrong = 0
            for level in ("full", "simple"):
                wrong += sum(look_at(page, url, lab, level) for lab in labs() if not names or lab.name in names)
        finally:
            server.terminate()
    sys.exit(f"{wrong} findings" if wrong else 0)


if __name__ == "__main__":
    main()
