"""What is turned off: its control is gone, and who knocks at the door behind it by hand finds it shut."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from demo import state
from demo.blocks.ways_in import photo
from demo.labs.train import pairs
from demo.own import models
from demo.own.runs import Runs
from demo.visitors import switches
from demo.visitors.door import Door
from seq2seq_core.errors import InputError
from seq2seq_core.toys.job import Job
from tests.demo import pages


def labels(at: AppTest) -> set[str]:
    return {each.label for kind in ("button", "file_uploader", "toggle") for each in at.get(kind)}


def off(monkeypatch: pytest.MonkeyPatch, *parts: str) -> None:
    monkeypatch.setenv("LAB_OFF", ", ".join(parts))


def test_everything_is_on_unless_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAB_OFF", raising=False)
    assert switches.off() == frozenset()
    assert labels(pages.open_page("caption")) >= {"A JPEG, PNG or WebP file", "Use the camera"}
    assert labels(pages.open_page("train", preset="own pairs", tab="Models")) >= {"Start", "or a TSV file", "Load a model"}


def test_a_name_that_there_is_not_is_said_on_every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    off(monkeypatch, "trainning")
    assert pages.errors(pages.open_page("start")) == [
        "LAB_OFF names trainning; what can be turned off is training, upload, camera, microphone, own-models."
    ]


@pytest.mark.parametrize(("part", "gone"), [("upload", "A JPEG, PNG or WebP file"), ("camera", "Use the camera")])
def test_photos(part: str, gone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    off(monkeypatch, part)
    assert gone not in labels(pages.open_page("caption"))
    monkeypatch.setattr(st, "session_state", {"key": SimpleNamespace(getvalue=lambda: b"bytes of a photo")})
    photo.upload(part, "key")
    assert "turned off on this computer" in st.session_state[photo.WRONG]
    assert state.OWN_PHOTO not in st.session_state


def test_no_photos_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    off(monkeypatch, "upload", "camera")
    at = pages.open_page("caption")
    assert not labels(at) & {"A JPEG, PNG or WebP file", "Use the camera"}
    (strip,) = (data for data in pages.components(at) if "thumbs" in data)
    assert "Dog" in {thumb["title"] for thumb in strip["thumbs"]}, "the samples stay"


def test_training(monkeypatch: pytest.MonkeyPatch) -> None:
    off(monkeypatch, "training")
    at = pages.open_page("train")
    assert "Start" not in labels(at)
    assert "Training is turned off on this computer." in [each.value for each in at.info]
    with pytest.raises(InputError, match="turned off"):
        Runs().start([Job("copy")])


def test_pairs_as_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    off(monkeypatch, "upload")
    assert "or a TSV file" not in labels(pages.open_page("train", preset="own pairs"))
    monkeypatch.setattr(st, "session_state", {pairs.UPLOADED: SimpleNamespace(getvalue=lambda: b"a\tb")})
    with pytest.raises(InputError, match="no pairs yet"):
        pairs.text()


def test_own_models(monkeypatch: pytest.MonkeyPatch) -> None:
    off(monkeypatch, "own-models")
    assert "Load a model" not in labels(pages.open_page("train", tab="Models"))
    with pytest.raises(InputError, match="turned off"):
        models.keep(b"a package")
    assert models.of_text() == {}


@pytest.mark.parametrize("part", switches.PARTS)
def test_whoever_asks_at_a_door_that_is_shut_is_told_so(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    switches.demand(part)
    off(monkeypatch, part)
    assert not switches.on(part)
    with pytest.raises(InputError, match=rf"^{switches.PARTS[part]} is turned off on this computer\.$"):
        switches.demand(part)


@pytest.mark.parametrize(("parts", "passed"), [(switches.FILES, False), (("upload",), True), (("upload", "camera", "own-models"), True)])
def test_no_file_gets_into_memory_when_nothing_takes_any(parts: tuple[str, ...], passed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    off(monkeypatch, *parts)
    sent: list[Any] = []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        sent.append("inside")

    async def send(message: Any) -> None:
        sent.append(message.get("status"))

    scope = {"type": "http", "method": "PUT", "path": "/lab/_stcore/upload_file/a/b", "headers": []}
    asyncio.run(Door(inside)(scope, send, send))
    assert sent[0] == ("inside" if passed else 403)
