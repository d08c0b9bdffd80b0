"""The toy whose exact best is known: it is trained when it is first looked at."""

from __future__ import annotations

import threading

import pytest
from streamlit.testing.v1 import AppTest

from demo import resources
from demo.labs.steer import toy
from seq2seq_core.errors import InputError
from seq2seq_core.toys import search


def page() -> None:
    from demo.labs.steer.toy import toy_search

    toy_search()


def test_where_one_decodes_at_a_time_what_trains_the_toy_does_not_wait_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def search_all(model: object, source: str) -> None:
        raise InputError(f"{model} reads {source}")

    toy._toy.clear()
    monkeypatch.setattr(resources, "_turn", threading.BoundedSemaphore(1))  # as in a process of a class
    monkeypatch.setattr(search, "toy_pipeline", lambda: "the toy")
    monkeypatch.setattr(search, "search_all", search_all)
    at = AppTest.from_function(page).run()
    toy._toy.clear()
    assert [each.value for each in at.info] == ["the toy reads abacab"]
