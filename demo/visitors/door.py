"""The door of one server process: how many visitors it lets in, and figures of how they are served, with nothing that they wrote."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, PlainTextResponse

from demo.visitors import switches

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

# Streamlit imports this file before its runtime is there, so nothing here imports Streamlit.
MOST = int(os.environ.get("LAB_VISITORS") or 0)  # open pages; 0: as many as come
SHOWN = bool(os.environ.get("LAB_METRICS"))  # whether /metrics answers
COMING_SECONDS = 10.0  # between the page and its connection
LAST = 1000  # runs that the quantiles are of
COOKIE = "lab_process"  # by which tools/serve.py keeps a visitor with a process
STREAM, UPLOADS, METRICS, INNER = (
    "/_stcore/stream",
    "/_stcore/upload_file/",
    "/metrics",
    ("/_stcore/", "/static/", "/media/", "/component/"),
)

FULL = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="10"><title>The lab is full</title><style>:root {{ color-scheme: light dark }}
body {{ font: 1.2rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto; padding: 0 1rem }}</style></head>
<body><h1>The lab is full</h1><p>{most} pages are open here, and this computer serves no more at once. This page tries again every ten
seconds and opens as soon as somebody leaves; its address, with what was typed, stays as it is.</p></body></html>"""


class Figures:
    """What is counted, by all threads of the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seconds: deque[float] = deque(maxlen=LAST)
        self._coming: deque[float] = deque()  # when pages were served whose connection has not come yet
        self.runs = self.running = self.visitors = self.turned_away = 0

    @contextmanager
    def run(self) -> Iterator[None]:
        """One run of a page."""
        began = time.perf_counter()
        with self._lock:
            self.running += 1
        try:
            yield
        finally:
            with self._lock:
                self.running -= 1
                self.runs += 1
                self._seconds.append(time.perf_counter() - began)

    def room(self, most: int, now: float) -> bool:
        """Whether one more page may be opened; if so, its connection is expected soon."""
        with self._lock:
            while self._coming and self._coming[0] < now - COMING_SECONDS:
                self._coming.popleft()
            if most and self.visitors + len(self._coming) >= most:
                self.turned_away += 1
                return False
            self._coming.append(now)
            return True

    def come(self) -> None:
        with self._lock:
            self.visitors += 1
            if self._coming:
                self._coming.popleft()

    def leave(self) -> None:
        with self._lock:
            self.visitors -= 1

    def text(self) -> str:
        """As Prometheus reads it."""
        with self._lock:
            taken = sorted(self._seconds)
            values: dict[str, float] = {
                "lab_visitors": self.visitors,
                "lab_turned_away_total": self.turned_away,
                "lab_runs_total": self.runs,
                "lab_running": self.running,
            }
        for share in (0.5, 0.95):
            place = min(len(taken) - 1, int(share * len(taken)))
            values[f'lab_run_seconds{{quantile="{share}"}}'] = round(taken[place], 4) if taken else 0
        values["lab_memory_bytes"] = memory_bytes()
        return "".join(f"{name} {value}\n" for name, value in values.items())


FIGURES = Figures()


def memory_bytes() -> int:
    """Of this process; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123  (a pseudo-file)
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


class Door:
    """ASGI middleware around the app: a page is served while there is room, and whoever is inside is not turned away."""

    def __init__(self, app: ASGIApp, most: int = MOST, shown: bool = SHOWN) -> None:
        self.app, self.most, self.shown = app, most, shown

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] == "http" and UPLOADS in path and not any(map(switches.on, switches.FILES)):
            await PlainTextResponse("Files are turned off on this computer.", 403)(scope, receive, send)
        elif scope["type"] == "websocket" and path.endswith(STREAM):
            await self._visit(scope, receive, send)
        elif scope["type"] == "http" and self.shown and path.endswith(METRICS):
            await PlainTextResponse(FIGURES.text())(scope, receive, send)
        elif scope["type"] == "http" and _is_page(scope) and not FIGURES.room(self.most, time.monotonic()):
            leave = f"{COOKIE}=; Path=/; Max-Age=0"  # another process may have room the next time
            await HTMLResponse(FULL.format(most=self.most), 503, {"Retry-After": "10", "Set-Cookie": leave})(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _visit(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.most and FIGURES.visitors >= 2 * self.most:  # no browser comes here without its page
            await send({"type": "websocket.close", "code": 1013})
            return
        FIGURES.come()
        try:
            await self.app(scope, receive, send)
        finally:
            FIGURES.leave()


def _is_page(scope: Scope) -> bool:
    """What a browser asks for when somebody opens an address, not what the page then loads."""
    path: str = scope["path"]
    return scope["method"] == "GET" and "." not in path.rpartition("/")[2] and not any(part in path for part in INNER)
