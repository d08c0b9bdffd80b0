"""A class on one computer: who is served by which process, what happens when one fails, and when no more fit in."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from demo.visitors.door import Door, Figures
from tools.serve import COOKIE, Front, Server, free_ports, labelled

T = TypeVar("T")
HEALTHY = """
import http.server, os, sys
class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        body = str(os.getpid()).encode()
        self.send_response(200); self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *args): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Answer).serve_forever()
"""


async def ask(port: int, path: str = "/", cookie: str = "") -> tuple[str, str]:
    """Head and body of an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    line = f"Cookie: other=1; lab_process={cookie}\r\n" if cookie else ""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{line}Connection: close\r\n\r\n".encode())
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    return head, body


def run(work: Coroutine[Any, Any, T]) -> T:
    """In a thread of its own: a browser test before this one may have left a loop running here."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def with_processes(work: Callable[[int, list[Server]], Coroutine[Any, Any, None]]) -> None:
    """Two processes that answer with their number in the system, behind a front."""
    servers = [Server(number, port, [], 10) for number, port in enumerate(free_ports(2))]
    for server in servers:
        server.command = [sys.executable, "-c", HEALTHY, str(server.port)]
    front = await asyncio.start_server(Front(servers).meet, "127.0.0.1", 0)
    keepers = [asyncio.ensure_future(server.keep()) for server in servers]
    try:
        async with asyncio.timeout(60):
            await until(lambda: all(server.well for server in servers))
            await work(front.sockets[0].getsockname()[1], servers)
    finally:
        front.close()
        for keeper in keepers:
            keeper.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.05)


def test_a_visitor_stays_with_a_process_and_moves_when_it_dies(capfd: pytest.CaptureFixture[str]) -> None:
    async def visit(port: int, servers: list[Server]) -> None:
        head, first = await ask(port)
        given = re.search(r"Set-Cookie: lab_process=(\d); Path=/; HttpOnly; SameSite=Lax", head)
        assert given is not None
        for _ in range(4):
            head, again = await ask(port, cookie=given[1])
            assert (again, "Set-Cookie" in head) == (first, False)
        os.kill(int(first), signal.SIGKILL)
        own = servers[int(given[1])]
        await until(lambda: not own.well)
        head, other = await ask(port, cookie=given[1])
        assert other != first
        assert f"Set-Cookie: lab_process={1 - own.number};" in head
        await until(lambda: own.well)  # started again
        assert (await ask(port, cookie=given[1]))[1] not in (first, other)

    run(with_processes(visit))
    assert "ended with -9; starting it again" in capfd.readouterr().out


def test_newcomers_go_where_fewest_are() -> None:
    async def visit(port: int, servers: list[Server]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await reader.readline()  # and stays
        busy = next(server for server in servers if server.connections)
        head, _ = await ask(port)
        assert f"lab_process={1 - busy.number};" in head
        writer.close()

    run(with_processes(visit))


def test_while_nothing_is_ready_a_visitor_is_told() -> None:
    async def visit() -> None:
        front = await asyncio.start_server(Front([Server(0, free_ports(1)[0], [], 10)]).meet, "127.0.0.1", 0)
        head, body = await ask(front.sockets[0].getsockname()[1])
        assert "503" in head.splitlines()[0]
        assert body.startswith("The lab is starting.")
        front.close()

    run(visit())


def test_figures_of_all_processes_are_told_apart() -> None:
    assert labelled("lab_visitors 3", 1) == 'lab_visitors{process="1"} 3'
    assert labelled('lab_run_seconds{quantile="0.5"} 0.1', 0) == 'lab_run_seconds{quantile="0.5",process="0"} 0.1'


# -- the door of one process -----------------------------------------------------------------------------------------------


async def knock(door: Door, kind: str = "http", path: str = "/translate") -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    await door({"type": kind, "method": "GET", "path": path, "headers": []}, receive, send)
    return sent


async def inside(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "let in"})


def test_a_page_more_than_there_is_room_for_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demo.visitors.door.FIGURES", Figures())
    door = Door(inside, most=2)
    for _ in range(2):
        assert run(knock(door))[0]["type"] == "let in"
    start, body = run(knock(door))
    assert start["status"] == 503
    assert b"2 pages are open here" in body["body"]
    assert dict(start["headers"])[b"set-cookie"].decode() == f"{COOKIE}=; Path=/; Max-Age=0"  # and may go to another process
    assert b'content="10"' in body["body"]
    for path in ("/_stcore/health", "/static/js/index.js", "/lab/_stcore/host-config"):  # what is inside goes on
        assert run(knock(door, path=path))[0]["type"] == "let in"
    assert run(knock(Door(inside, most=0)))[0]["type"] == "let in"


def test_who_leaves_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = Figures()
    monkeypatch.setattr("demo.visitors.door.FIGURES", figures)
    assert figures.room(1, now=0.0)
    assert not figures.room(1, now=1.0)
    assert figures.room(1, now=20.0)  # the first never came
    figures.come()
    assert not figures.room(1, now=40.0)
    assert run(knock(Door(inside, most=1), "websocket", "/lab/_stcore/stream"))[0]["type"] == "let in"
    figures.leave()
    assert figures.room(1, now=60.0)


def test_figures_are_shown_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = Figures()
    monkeypatch.setattr("demo.visitors.door.FIGURES", figures)
    with figures.run():
        pass
    said = run(knock(Door(inside, shown=True), path="/lab/metrics"))[1]["body"].decode()
    assert "lab_runs_total 1\nlab_running 0\n" in said
    assert 'lab_run_seconds{quantile="0.95"} 0.' in said
    assert run(knock(Door(inside, shown=False), path="/metrics"))[0]["type"] == "let in"
