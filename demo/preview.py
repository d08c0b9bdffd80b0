"""What a shared link shows where it is pasted: Streamlit's page is served with a title, a description and a picture of ours in its head."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from demo.lab import Lab

# Streamlit imports this file before its runtime is there, so what needs that is imported when the first page is asked for.
UNTITLED = b"<title>Streamlit</title>"  # in the page that Streamlit serves; were it another, the page is left as it is
NAMES = frozenset(path.stem for path in (Path(__file__).parents[1] / "pages").glob("*.py"))
FRONT = "start"
PICTURE = re.compile(r"/preview/(\w+)\.png")
HOST = re.compile(r"[\w.\-\[\]:]+")
NOT_NOW = (b"accept-encoding", b"if-none-match", b"if-modified-since")  # the page is needed whole, and as text
OF_THE_OLD = (b"content-length", b"etag", b"last-modified")
KEPT_SECONDS = 86_400
ABOUT = "Watch neural networks translate a sentence and describe a photo word by word, see where they look, and steer them."


@asynccontextmanager
async def lifespan(_: object) -> AsyncIterator[None]:
    """What the first page needs is imported while the browser opens."""
    threading.Thread(target=_lab, args=("start",), daemon=True).start()
    yield


class SharedLinks:
    """ASGI middleware around the app: it answers for the pictures, adds to the pages, and lets all else through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        drawn = PICTURE.search(path)
        if drawn and drawn[1] in NAMES:
            content = await run_in_threadpool(picture, drawn[1])
            headers = {"cache-control": f"public, max-age={KEPT_SECONDS}"}
            await Response(content, media_type="image/png", headers=headers)(scope, receive, send)
        elif path.rpartition("/")[2] == FRONT:  # Streamlit serves its first page without a name, and would say that there is no such page
            query = scope["query_string"].decode("latin1")
            await Response(status_code=307, headers={"location": f"./?{query}" if query else "./"})(scope, receive, send)
        elif path.endswith("/") or path.rpartition("/")[2] in NAMES:
            head = await run_in_threadpool(head_of, scope)
            plain = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] not in NOT_NOW]}
            await self.app(plain, receive, Rewriting(send, head.encode()))
        else:
            await self.app(scope, receive, send)


class Rewriting:
    """Passes a response on, its title exchanged if it is Streamlit's page."""

    def __init__(self, send: Send, head: bytes) -> None:
        self.send, self.head = send, head
        self.start: Message | None = None
        self.body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self.start = message
        elif self.start is None or message["type"] != "http.response.body":
            await self.send(message)
        else:
            self.body += message.get("body", b"")
            if not message.get("more_body"):
                await self._finish(self.start)

    async def _finish(self, start: Message) -> None:
        body = self.body.replace(UNTITLED, self.head, 1)
        kept = [pair for pair in start["headers"] if pair[0].lower() not in OF_THE_OLD]
        await self.send({**start, "headers": [*kept, (b"content-length", str(len(body)).encode())]})
        await self.send({"type": "http.response.body", "body": body})


def _is_page(message: Message) -> bool:
    kind: bytes = dict(message["headers"]).get(b"content-type", b"")
    return bool(message["status"] == 200) and kind.startswith(b"text/html")


# -- what it says -----------------------------------------------------------------------------------------------------------


def head_of(scope: Scope) -> str:
    """The title and the tags of one request."""
    headers = {name.decode("latin1"): value.decode("latin1") for name, value in scope["headers"]}
    before, _, name = scope["path"].rpartition("/")
    lab = _lab(name or FRONT)
    said = _said(parse_qs(scope["query_string"].decode("latin1"), max_num_fields=1000))
    return tags(title_of(lab, said), about_of(lab), f"{_address(scope, headers)}{before}/preview/{lab.name}.png")


def tags(title: str, about: str, picture_url: str) -> str:
    """As HTML; a picture without an address that can be trusted is left out."""
    named = {"og:title": title, "og:description": about, "og:type": "website", "og:site_name": _site()}
    if picture_url.startswith("http"):
        named |= {"og:image": picture_url, "og:image:width": "1200", "og:image:height": "630"}
    lines = [f"<title>{escape(title)}</title>", f'<meta name="description" content="{escape(about)}">']
    lines += [f'<meta property="{name}" content="{escape(content)}">' for name, content in named.items()]
    lines += ['<meta name="twitter:card" content="summary_large_image">'] if "og:image" in named else []
    return "\n    ".join(lines)


def title_of(lab: Lab, said: str) -> str:
    """What the link has in its text field, where it goes, and of what."""
    from demo.wording import quote, shortened

    parts = [quote(shortened(said, 60))] if said else []
    return " · ".join([*parts, *([lab.title] if lab.name != "start" else []), _site()])


def about_of(lab: Lab) -> str:
    return ABOUT if lab.name == "start" else lab.about


def _said(values: Mapping[str, list[str]]) -> str:
    """The first text that a link gives to a model."""
    from demo import tasks

    keys = [each.key for row in tasks.TASKS.values() for each in row.texts()]
    texts = (" ".join(values[key][0].split()) for key in keys if key in values)
    return next(filter(None, texts), "")


def _address(scope: Scope, headers: Mapping[str, str]) -> str:
    """How the reader reached this server; empty if the request does not say it in a form that an address has."""
    scheme = headers.get("x-forwarded-proto", scope.get("scheme", "http")).partition(",")[0].strip()
    host = headers.get("x-forwarded-host", headers.get("host", "")).partition(",")[0].strip()
    return f"{scheme}://{host}" if scheme in ("http", "https") and HOST.fullmatch(host) else ""


@lru_cache(maxsize=len(NAMES))
def picture(name: str) -> bytes:
    """A card with the map of the example that the start page plays."""
    from demo import examples
    from demo.export.card import card

    stored = sorted(examples.FOLDER.glob("translation-additive-*.json"))
    traces = [trace for trace in map(examples.read, stored) if trace.given_text == examples.START.text]
    lab = _lab(name)
    title, below = (_site(), "") if name == "start" else (lab.title, _site())
    return card(title, about_of(lab), below, next(iter(traces), None))


def _lab(name: str) -> Lab:
    from demo.app import lab

    return lab(name)


def _site() -> str:
    from demo.app import TITLE

    return TITLE
