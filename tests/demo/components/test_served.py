"""Scripts of components are fetched once, from an address that changes with what is in them, and only there where the app serves them."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from demo.components import HERE, script, served, style

MOUNTED = sorted({name for path in HERE.rglob("*.py") for name in re.findall(r'\bcomponent\("\w+", "([^"]+)"\)', path.read_text("utf8"))})
PLAYER = "player/mount.js"


def ask(path: str, method: str = "GET", encoding: bytes = b"") -> tuple[int, dict[bytes, bytes], bytes]:
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b"the app itself"})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    scope = {"type": "http", "method": method, "path": path, "headers": [(b"accept-encoding", encoding)]}
    asyncio.run(served.Components(app)(scope, receive, send))
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What Streamlit was given to mount."""
    told: dict[str, Any] = {}
    monkeypatch.setattr(st.components.v2, "component", lambda name, **parts: told.update(parts, name=name))
    return told


@pytest.mark.parametrize("entry", MOUNTED)
def test_every_component_is_served_whole_and_for_good(entry: str) -> None:
    status, headers, body = ask(f"/lab/components/{served.address(entry)}")
    assert (status, headers[b"content-type"]) == (200, b"text/javascript; charset=utf-8")
    assert b"immutable" in headers[b"cache-control"]
    text = body.decode()
    assert text.startswith(script(entry)) and json.dumps(style(entry.partition("/")[0])) in text
    assert len(re.findall(r"(?m)^export (?:default|const sheet) ", text)) == 2


def test_a_browser_that_unpacks_is_given_a_third() -> None:
    path = f"/components/{served.address(PLAYER)}"
    _, headers, body = ask(path, encoding=b"br, gzip")
    assert headers[b"content-encoding"] == b"gzip" and headers[b"vary"] == b"accept-encoding"
    whole = ask(path)[2]
    assert gzip.decompress(body) == whole and len(body) < len(whole) / 3


@pytest.mark.parametrize(
    "name", ["player/mount-0000000000000000", "player/none-0000000000000000", f"player/sums-{served.address('player/sums.js')[12:-3]}"]
)
def test_what_is_no_component_of_today_is_not_there(name: str) -> None:
    assert ask(f"/components/{name}.js")[0] == 404


@pytest.mark.parametrize(
    ("path", "method"), [("/translate", "GET"), ("/components/player/mount.js", "GET"), ("/components/../door-00.js", "GET")]
)
def test_all_else_is_the_apps(path: str, method: str) -> None:
    assert ask(path, method)[2] == b"the app itself"


def test_an_answer_carries_the_address_alone(given: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "SERVING", True)
    served.component("attention_player", PLAYER)
    assert set(given) == {"name", "js"} and len(given["js"]) < 2000
    assert f'"../../components/{served.address(PLAYER)}"' in given["js"]


def test_without_the_apps_own_server_the_whole_text_goes_along(given: dict[str, Any]) -> None:
    assert not served.SERVING
    served.component("attention_player", PLAYER)
    assert given == {"name": "attention_player", "css": style("player"), "js": script(PLAYER)}


def test_the_pages_first_script_says_where_the_app_is() -> None:
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf8")
    first = re.search(r'<script type="module"[^>]* src="([^"]+)"', page)
    assert first is not None and re.fullmatch(r"\./static/js/[^/]+", first[1])
