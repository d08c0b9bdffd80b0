"""Every page in both themes, simple and full, looked over by axe, and how far a visit shifts: python tools/look_over.py [page ...]."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "e2e")]

from conftest import ARGUMENTS, chromium, free_port  # noqa: E402

from demo.app import labs  # noqa: E402
from tools.lectures import AT_REST, ERRORS, PATIENCE_MS  # noqa: E402
from tools.screenshots import wait  # noqa: E402

SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value; })
    .observe({ type: "layout-shift", buffered: true });
}"""


def open_page(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("h1")
    page.wait_for_selector(AT_REST)
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
    page.wait_for_selector(AT_REST)


def found(page: Page) -> tuple[list[str], list[str]]:
    """What axe finds in parts of ours, which stand in shadow roots, and in Streamlit's own."""
    ours, theirs = [], []
    for item in Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]:
        for node in item["nodes"]:
            (ours if isinstance(node["target"][0], list) else theirs).append(f"{item['id']} {node['target']}")
    return ours, theirs


def look_at(page: Page, url: str, name: str, level: str) -> int:
    """How much was found in parts of ours; all of it is said."""
    open_page(page, f"{url}/{'' if name == 'start' else name}?level={level}")
    wrong = page.locator(ERRORS).count()
    print(f"{name}, {level}: layout shift {page.evaluate('window.shifted'):.3f}{', an error is shown' if wrong else ''}", flush=True)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        ours, theirs = found(page)
        wrong += len(ours)
        print(f"  {scheme}: ours {ours or 'nothing'}; Streamlit's own {theirs or 'nothing'}", flush=True)
    return wrong


def main() -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", f"--server.port={port}", "--server.headless=true"]
    names = sys.argv[1:] or [lab.name for lab in labs()]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as server, sync_playwright() as playwright:
        try:
            wait(f"{url}/_stcore/health", 600)
            page = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS).new_page(viewport={"width": 1280, "height": 720})
            page.set_default_timeout(PATIENCE_MS)
            page.add_init_script(f"({SHIFTS})()")
            wrong = sum(look_at(page, url, name, level) for level in ("full", "simple") for name in names)
        finally:
            server.terminate()
    sys.exit(f"{wrong} findings in parts of ours" if wrong else 0)


if __name__ == "__main__":
    main()
