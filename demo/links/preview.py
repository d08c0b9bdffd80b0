"""What a shared link shows where it is pasted: Streamlit's page is served with a title, a description and a picture of ours in its head."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from demo.links.moved import moved

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from demo.lab import Lab
    from seq2seq_core.trace.trace import DecodeTrace

# Streamlit imports this file before its runtime is there, so what needs that is imported when the first page is asked for.
UNTITLED = b"<title>Streamlit</title>"  # in the page that Streamlit serves; were it another, the page is left as it is
AT_THE_END = b"</body>"  # behind Streamlit's own style, which would win otherwise
DEMO = Path(__file__).parents[1]
STYLES = (DEMO / "app.css", DEMO / "arrival.css")  # from the first frame: what came later would move what is there
NAMES = frozenset(path.stem for path in (DEMO.parent / "pages").glob("*.py"))
FRONT = "start"
PICTURE = re.compile(r"/preview/(\w+)\.png")
HOST = re.compile(r"[\w.\-\[\]:]+")
NOT_NOW = (b"accept-encoding", b"if-none-match", b"if-modified-since")  # the page is needed whole, and as text
OF_THE_OLD = (b"content-length", b"etag", b"last-modified")
KEPT_SECONDS = 86_400
LONGEST_QUERY = 2000  # of the address of a picture
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
            content = await run_in_threadpool(picture, drawn[1], scope["query_string"].decode("latin1"))
            headers = {"cache-control": f"public, max-age={KEPT_SECONDS}"}
            await Response(content, media_type="image/png", headers=headers)(scope, receive, send)
        elif leads := elsewhere(path.rpartition("/")[2], scope["query_string"].decode("latin1")):
            await Response(status_code=307, headers={"location": leads})(scope, receive, send)
        elif path.endswith("/") or path.rpartition("/")[2] in NAMES:
            head = await run_in_threadpool(head_of, scope)
            plain = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] not in NOT_NOW]}
            await self.app(plain, receive, Rewriting(send, head.encode()))
        else:
            await self.app(scope, receive, send)


def elsewhere(name: str, query: str) -> str:
    """Where what is asked for really is, from there; empty if it is here. The browser keeps the one entry of its history for it."""
    page = moved(name, query)
    if page == name != FRONT:
        return ""
    place = "./" if page == FRONT else page  # Streamlit serves its first page without a name, and would say that there is no such page
    return f"{place}?{query}" if query else place


class Rewriting:
    """Passes a response on, its title exchanged and our style added if it is Streamlit's page."""

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
        style = b"<style>%b</style>" % b"".join(each.read_bytes() for each in STYLES)
        body = self.body.replace(UNTITLED, self.head, 1).replace(AT_THE_END, style + AT_THE_END)
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
    linked = linked_by(scope["query_string"].decode("latin1"))
    picture_url = f"{_address(scope, headers)}{before}/preview/{lab.name}.png"
    return tags(title_of(lab, linked.said), about_of(lab, linked), f"{picture_url}?{linked.query}" if linked.query else picture_url)


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


def about_of(lab: Lab, linked: Linked) -> str:
    about = ABOUT if lab.name == "start" else lab.about
    return f"Model {linked.model}. {about}" if linked.model else about


@dataclass(frozen=True, slots=True)
class Linked:
    """What a link holds beside its page, as far as it is valid."""

    query: str = ""
    said: str = ""  # the first text that it gives to a model
    model: str = ""
    photo: str = ""  # a sample


def linked_by(query: str) -> Linked:
    """`query`: as the browser sends it, whoever wrote it; what is kept of it is written anew."""
    from demo import state, tasks
    from demo.given import photos
    from demo.wording import shortened

    written = parse_qs(query, max_num_fields=1000)
    rows = tasks.TASKS.values()
    texts = (" ".join(written[each.key][0].split()) for row in rows for each in row.texts() if each.key in written)
    values = state.values_of(written)
    models = (values[row.model.key] for row in rows if row.model.key in written)
    photo = values[state.PHOTO.key] if state.PHOTO.key in written else ""
    known = [sample.name for sample in photos.SAMPLES]
    kept = state.query_of(values)
    return Linked(
        kept if len(kept) <= LONGEST_QUERY else "", next(filter(None, texts), ""), shortened(next(filter(None, models), ""), 40),
        photo if photo in known else "",
    )  # fmt: skip


def _address(scope: Scope, headers: Mapping[str, str]) -> str:
    """How the reader reached this server; empty if the request does not say it in a form that an address has."""
    scheme = headers.get("x-forwarded-proto", scope.get("scheme", "http")).partition(",")[0].strip()
    host = headers.get("x-forwarded-host", headers.get("host", "")).partition(",")[0].strip()
    return f"{scheme}://{host}" if scheme in ("http", "https") and HOST.fullmatch(host) else ""


def picture(name: str, query: str = "") -> bytes:
    """A card of a link: its text and, of an answer that is remembered, its map; else its photo. Nothing is decoded for it."""
    linked = linked_by(query)
    trace = _known(name, linked.query) if linked.said else None
    return _drawn(name, linked, trace) if linked.said or linked.photo else _of_page(name)


@lru_cache(maxsize=len(NAMES))
def _of_page(name: str) -> bytes:
    """With the map of the example that the start page plays."""
    from demo import examples

    stored = sorted(examples.FOLDER.glob("translation-additive-*.json"))
    traces = [trace for trace in map(examples.read, stored) if trace.given_text == examples.START.text]
    return _drawn(name, Linked(), next(iter(traces), None))


def _known(name: str, query: str) -> DecodeTrace | None:
    """The first answer of a link that is stored, or that somebody has just seen."""
    from demo import examples, resources, state
    from seq2seq_core.errors import InputError

    try:
        asked = _lab(name).queries(state.values_of(query)).values()
    except InputError:
        return None
    traces = (examples.stored(each) or resources.known(each) for each in asked)
    return next((trace for trace in traces if trace is not None and trace.positions and trace.attention().size), None)


def _drawn(name: str, linked: Linked, trace: DecodeTrace | None) -> bytes:
    from demo.export.card import card
    from demo.given import photos
    from demo.wording import quote, shortened

    lab = _lab(name)
    title, below = (_site(), "") if name == "start" else (lab.title, _site())
    said = quote(shortened(linked.said, 140)) if linked.said else about_of(lab, Linked())
    below = " · ".join(filter(None, (linked.model and f"model {linked.model}", below)))
    photo = photos.sample_image(linked.photo) if linked.photo and trace is None else None
    return card(title, said, below, trace, photo)


def _lab(name: str) -> Lab:
    from demo.app import lab

    return lab(name)


def _site() -> str:
    from demo.app import TITLE

    return TITLE
