"""What a link shows where it is pasted: a title, a description and a picture of ours, whatever the link says."""

from __future__ import annotations

import asyncio
import io
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from PIL import Image

from demo import resources
from demo.links.preview import NAMES, STYLES, SharedLinks, picture
from tests.demo.traces import dog_trace

PAGE = b"<html><head><title>Streamlit</title></head><body>&auml;</body></html>"


class Head(HTMLParser):
    """The title and the tags, as a reader of the page finds them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        if tag == "meta":
            self.found[named.get("property") or named.get("name") or ""] = named["content"] or ""

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] == ["title"] and "title" not in self.found:
            self.found["title"] = data


def ask(
    path: str,
    query: str = "",
    *,
    headers: dict[str, str] | None = None,
    body: bytes = PAGE,
    kind: str = "text/html; charset=utf-8",
    status: int = 200,
) -> tuple[int, dict[str, str], bytes]:
    """What comes back when this is what Streamlit serves, in two pieces."""
    sent: list[dict[str, Any]] = []

    async def streamlit(scope: Any, receive: Any, send: Any) -> None:
        asked = dict(scope["headers"])
        assert kind.startswith("text/html") is (b"accept-encoding" not in asked)
        headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode()), (b"etag", b"x")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body[:10], "more_body": True})
        await send({"type": "http.response.body", "body": body[10:]})

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    given = {"host": "lab.example.org:8501", "accept-encoding": "gzip", **(headers or {})}
    scope = {
        "type": "http", "method": "GET", "path": path, "query_string": query.encode(), "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }  # fmt: skip
    asyncio.run(SharedLinks(streamlit)(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent)


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_page_has_its_own_title_description_and_picture(name: str) -> None:
    status, headers, body = ask("/" if name == "start" else f"/{name}")
    head = Head(body.decode()).found
    assert status == 200 and int(headers["content-length"]) == len(body) and "etag" not in headers
    assert head["title"] == head["og:title"] and "Encoder-decoder lab" in head["title"] and len(head["og:description"]) > 30
    assert head["og:image"] == f"http://lab.example.org:8501/preview/{name}.png"
    assert b"<title>Streamlit" not in body and body.endswith(
        b"<body>&auml;<style>%b</style></body></html>" % b"".join(each.read_bytes() for each in STYLES)
    )


def test_a_link_is_called_what_it_says() -> None:
    head = Head(ask("/translate", "sentence=Das+gef%C3%A4llt+mir.")[2].decode()).found
    assert head["title"] == "“Das gefällt mir.” · Translate · Encoder-decoder lab"
    assert Head(ask("/", "sentence=+")[2].decode()).found["title"] == "Encoder-decoder lab"
    long = Head(ask("/steer", "sentence=" + "Wort+" * 200)[2].decode()).found["title"]
    assert len(long) < 120 and "…" in long


def test_a_link_names_its_model_and_has_a_picture_of_its_own() -> None:
    head = Head(ask("/translate", "sentence=Das+gef%C3%A4llt+dir.&model=none&step=99999999&nonsense=1")[2].decode()).found
    assert head["og:description"].startswith("Model none. ")
    address = head["og:image"]
    assert address.startswith("http://lab.example.org:8501/preview/translate.png?") and "nonsense" not in address
    asked = dict(parse_qsl(urlsplit(address).query))
    assert (asked["sentence"], asked["model"]) == ("Das gefällt dir.", "none")
    assert "?" not in Head(ask("/translate", "nonsense=1")[2].decode()).found["og:image"]
    assert "?" not in Head(ask("/translate", "sentence=" + "Wort+" * 900)[2].decode()).found["og:image"], "an address has an end"


def test_the_picture_shows_the_answer_that_somebody_has_just_seen_and_computes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    query, trace = "sentence=Eine+Frau+liest.", dog_trace()
    monkeypatch.setattr(resources, "pipeline", None)  # nothing may be loaded for a picture
    monkeypatch.setattr(resources, "known", lambda _: None)
    plain = picture("translate", query)
    monkeypatch.setattr(resources, "known", lambda asked: trace if asked.text == "Eine Frau liest." else None)
    drawn = picture("translate", query)
    assert len({plain, drawn, picture("translate")}) == 3
    assert len(Image.open(io.BytesIO(drawn)).convert("RGB").getcolors(100_000) or []) > 50
    photo = picture("caption", "photo=band")
    assert photo != picture("caption") and picture("caption", "photo=nobody") == picture("caption")


def test_no_link_becomes_markup() -> None:
    hostile = ask("/translate", "sentence=%3C/title%3E%3Cscript%3Ealert(1)%3C/script%3E%22%20onload=%22x%26")[2].decode()
    head = Head(hostile)
    assert "script" not in head.tags and head.tags.count("title") == 1
    assert head.found["og:title"].startswith('“</title><script>alert(1)</script>"')


@pytest.mark.parametrize(
    ("headers", "begins"),
    [
        ({"x-forwarded-proto": "https", "x-forwarded-host": "lab.example.org"}, "https://lab.example.org/preview/"),
        ({"x-forwarded-proto": "https, http"}, "https://lab.example.org:8501/preview/"),
        ({"host": '"><script>'}, None),
        ({"host": "a b"}, None),
        ({"x-forwarded-proto": "javascript"}, None),
    ],
)
def test_the_picture_is_where_the_reader_came_from(headers: dict[str, str], begins: str | None) -> None:
    head = Head(ask("/translate", headers=headers)[2].decode()).found
    assert head["og:title"]
    assert ("og:image" in head) is (begins is not None)
    assert begins is None or head["og:image"].startswith(begins)


def test_under_a_path_of_its_own_the_picture_is_there_too() -> None:
    assert Head(ask("/lab/steer")[2].decode()).found["og:image"] == "http://lab.example.org:8501/lab/preview/steer.png"
    assert ask("/lab/preview/steer.png", kind="image/png")[1]["content-type"] == "image/png"


@pytest.mark.parametrize(("path", "query", "leads"), [("/start", "", "./"), ("/lab/start", "level=simple&x=%2F", "./?level=simple&x=%2F")])
def test_the_first_page_is_found_by_its_name_too(path: str, query: str, leads: str) -> None:
    status, headers, _ = ask(path, query)
    assert (status, headers["location"]) == (307, leads)


@pytest.mark.parametrize(
    ("path", "query", "leads"),
    [
        ("/train", "plays=true", "time_machine?plays=true"),
        ("/lab/train", "after_step=800&sentence=Guten+Morgen.", "time_machine?after_step=800&sentence=Guten+Morgen."),
    ],
)
def test_an_old_link_leads_to_where_the_time_machine_is_now(path: str, query: str, leads: str) -> None:
    """By an answer of the server: the browser keeps one entry of its history, so that Back is where one came from."""
    status, headers, _ = ask(path, query)
    assert (status, headers["location"]) == (307, leads)


@pytest.mark.parametrize("query", ["", "preset=copy", "plays=true&tab=Models", "after_step=800&tab=One+step+in+slow+motion"])
def test_what_is_about_train_opens_there(query: str) -> None:
    assert ask("/train", query)[0] == 200


def test_all_else_is_let_through_as_it_is() -> None:
    for path in ("/_stcore/health", "/static/js/index.js", "/preview/nothing.png"):
        status, headers, body = ask(path, kind="text/plain")
        assert (status, headers["etag"], body) == (200, "x", PAGE)
    assert ask("/translate", body=b"<title>Another</title>")[2] == b"<title>Another</title>"
    assert ask("/translate", status=503)[::2] == (503, PAGE)


def test_the_pictures_have_the_size_that_readers_ask_for_and_differ() -> None:
    pictures = [Image.open(io.BytesIO(picture(name))) for name in ("start", "translate")]
    assert {(one.format, one.size) for one in pictures} == {("PNG", (1200, 630))}
    assert pictures[0].tobytes() != pictures[1].tobytes()
    assert all(len(one.convert("RGB").getcolors(100_000) or []) > 50 for one in pictures)
