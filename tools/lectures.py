"""The lectures' ideas as a document: python tools/lectures.py. With walk, each is given by its keys in a browser: make walk-lectures."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "e2e")]

from demo.lectures.files import SHOWN, Lecture, shelf  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Page

DOCUMENT = ROOT / "docs" / "lectures.md"
PATIENCE_MS = 180_000
ERRORS = "[data-testid=stException], [data-testid=stAlertContentError]"
AT_REST = "[data-testid=stApp][data-test-script-state=notRunning]"


def document(lectures: tuple[Lecture, ...]) -> str:
    """All ideas with what the lab shows of them."""
    total = {shown: sum(lecture.counts()[shown] for lecture in lectures) for shown in SHOWN}
    lines = [
        "# The lectures, idea by idea", "",
        "Written by `python tools/lectures.py` from the files in `demo/lectures/`. A link is what follows the address of the app.",
        "Live: a real model shows the idea; in part: some of it.", "",
        f"| lecture | ideas | {' | '.join(SHOWN)} |", "|---|---|" + "---|" * len(SHOWN),
        *(f"| [{one.title}](#{anchor(one)}) | {len(one.ideas)} | {' | '.join(map(str, one.counts().values()))} |" for one in lectures),
        f"| **all** | **{sum(total.values())}** | {' | '.join(f'**{count}**' for count in total.values())} |",
    ]  # fmt: skip
    for lecture in lectures:
        lines += ["", f"## {heading(lecture)}", "", f"{lecture.about} {lecture.letters}".strip(), "", "| | idea | | |", "|---|---|---|---|"]
        lines += [row(lecture, place) for place in range(len(lecture.ideas))]
    return "\n".join(lines) + "\n"


def heading(lecture: Lecture) -> str:
    return f"{lecture.by}: {lecture.title}"


def anchor(lecture: Lecture) -> str:
    """As GitHub makes it of a heading."""
    return "".join(sign for sign in heading(lecture).lower().replace(" ", "-") if sign.isalnum() or sign in "-_")


def row(lecture: Lecture, place: int) -> str:
    idea = lecture.ideas[place]
    said = cell(idea.text) + (f" `{cell(idea.equation)}`" if idea.equation else "")
    shown = f"`{cell(idea.link.address)}`" if idea.link else ""
    return f"| {place + 1} | {said} | {idea.shown}{': ' + cell(idea.lacks) if idea.lacks else ''} | {shown} |"


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def open_idea(page: Page, address: str, place: int) -> str:
    """What is wrong with it; empty if nothing is. The first comes by its address, all others by the key that leads on."""
    if place:
        page.keyboard.press("n")
        page.wait_for_url(re.compile(rf"idea={place + 1}(&|$)"))
    else:
        page.goto(address)
    page.wait_for_selector(f".lecture-bar .place >> text=/^{place + 1} /")
    page.wait_for_selector(AT_REST)
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
    page.wait_for_selector(AT_REST)
    wrong = page.locator(ERRORS)
    return wrong.first.inner_text() if wrong.count() else ""


def walk(names: list[str]) -> None:
    """Open every idea of these lectures, or of all, with the shipped models."""
    from conftest import ARGUMENTS, chromium, free_port
    from playwright.sync_api import sync_playwright

    from tools.screenshots import wait

    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", f"--server.port={port}", "--server.headless=true"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as server, sync_playwright() as playwright:
        try:
            wait(f"{address}/_stcore/health", 600)
            page = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS).new_page()
            page.set_default_timeout(PATIENCE_MS)
            failed: list[str] = []
            page.on("pageerror", lambda error: failed.append(f"a script failed: {error}"))
            for lecture in shelf().all:
                if not names or lecture.name in names:
                    walk_one(page, address, lecture, failed)
        finally:
            server.terminate()


def walk_one(page: Page, address: str, lecture: Lecture, failed: list[str]) -> None:
    opened = 0
    for place, idea in enumerate(lecture.ideas):
        failed.clear()
        wrong = open_idea(page, f"{address}/{lecture.address(place)}", place) or next(iter(failed), "")
        opened += not wrong and idea.link is not None
        if wrong:
            print(f"{lecture.name} {place + 1}: {wrong}", flush=True)
    linked = sum(idea.link is not None for idea in lecture.ideas)
    print(f"{lecture.name}: {opened} of {linked} links open without an error; {len(lecture.ideas)} ideas", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["walk"]:
        walk(sys.argv[2:])
    else:
        DOCUMENT.write_text(document(shelf().all), encoding="utf8")
        print(DOCUMENT.relative_to(ROOT))
