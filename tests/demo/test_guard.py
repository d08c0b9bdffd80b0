"""What is said to browsers, and how much one session may upload."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from demo.visitors import guard
from demo.visitors.guard import Guard


def ask(method: str, path: str, *own: tuple[bytes, bytes]) -> tuple[int, dict[bytes, bytes]]:
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": list(own)})
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Guard(app)({"type": "http", "method": method, "path": path, "headers": []}, receive, send))
    return sent[0]["status"], dict(sent[0]["headers"])


def test_every_answer_says_what_a_page_may_do() -> None:
    _, headers = ask("GET", "/")
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"x-frame-options"] == b"SAMEORIGIN"
    assert b"default-src 'self'" in headers[b"content-security-policy"] and b"http" not in headers[b"content-security-policy"]


def test_what_an_answer_says_of_itself_stays() -> None:
    _, headers = ask("GET", "/", (b"Content-Security-Policy", b"default-src 'none'"))
    assert headers[b"Content-Security-Policy"] == b"default-src 'none'" and b"content-security-policy" not in headers


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> MemoryUploadedFileManager:
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    return manager


def give(manager: MemoryUploadedFileManager, session: str, count: int, size: int = 1) -> None:
    for number in range(count):
        manager.add_file(session, UploadedFileRec(f"{session}{size}{number}", "x", "image/png", bytes(size)))


def upload(session: str, before: str = "") -> int:
    return ask("PUT", f"{before}/_stcore/upload_file/{session}/some-file")[0]


def test_a_session_may_upload_so_many_files(held: MemoryUploadedFileManager) -> None:
    give(held, "a", guard.FILES_OF_A_SESSION)
    assert upload("a") == upload("a", "/lab") == 413
    assert upload("b") == 204
    held.remove_file("a", "a10")
    assert upload("a") == 204
    assert ask("DELETE", "/_stcore/upload_file/a/x")[0] == 204


def test_and_so_many_bytes_alone_and_together(held: MemoryUploadedFileManager, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BYTES_OF_A_SESSION", 1000)
    monkeypatch.setattr(guard, "BYTES_OF_ALL", 2500)
    give(held, "a", 1, 1000)
    assert (upload("a"), upload("b")) == (413, 204)
    give(held, "b", 1, 900)
    give(held, "c", 1, 900)
    assert upload("d") == 413
