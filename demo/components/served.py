"""How a component reaches the browser: the app serves its script and style once, and with every answer go a few lines that fetch them.

Where the app has no middleware (`streamlit run demo/app.py`, tests without a server) the whole text goes along, as Streamlit does it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from demo.components import HERE, script, style

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

SERVING = False  # streamlit_app.py sets it, before any component is imported
ADDRESS = re.compile(r"/components/(\w+/\w+)-(\w+)\.js")
HEADERS = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}  # another text has another address
FETCHING = (HERE / "fetching.js").read_text(encoding="utf8")


def component(name: str, entry: str) -> Callable[..., Any]:
    """What mounts the component of an entry file of these folders, with the style of its folder."""
    import streamlit as st

    if SERVING:
        return st.components.v2.component(name, js=FETCHING.replace("ADDRESS", address(entry)))
    return st.components.v2.component(name, css=style(_folder(entry)), js=script(entry))


@cache
def text(entry: str) -> bytes:
    """The module that a browser fetches: the script, and its style as a sheet."""
    sheet = json.dumps(style(_folder(entry)))
    return f"{script(entry)}\nexport const sheet = new CSSStyleSheet();\nsheet.replaceSync({sheet});\n".encode()


@cache
def packed(entry: str) -> bytes:
    return gzip.compress(text(entry), mtime=0)


def address(entry: str) -> str:
    return f"{entry.removesuffix('.js')}-{hashlib.sha256(text(entry)).hexdigest()[:16]}.js"


def _folder(entry: str) -> str:
    return entry.partition("/")[0]


class Components:
    """ASGI middleware around the app: it answers for the components, and lets all else through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = ADDRESS.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        if asked is None:
            await self.app(scope, receive, send)
            return
        packs = any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])
        found = await run_in_threadpool(_read, f"{asked[1]}.js", asked[2], packs)
        if found is None:
            await Response("There is no such component.", 404)(scope, receive, send)
            return
        headers = HEADERS | ({"content-encoding": "gzip"} if packs else {})
        await Response(found, media_type="text/javascript", headers=headers)(scope, receive, send)


def _read(entry: str, told: str, packs: bool) -> bytes | None:
    """Any process answers for every component, whether it has mounted it or not; a file that is no entry has no address."""
    if not (HERE / entry).is_file() or "\nexport default " not in (HERE / entry).read_text(encoding="utf8"):
        return None
    if address(entry).rpartition("-")[2] != f"{told}.js":
        return None
    return packed(entry) if packs else text(entry)
