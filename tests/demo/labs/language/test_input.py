"""What may go wrong on the Language model page: no model, nothing typed, too much, markup, a broken link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from demo import resources, state
from tests.demo.pages import components, errors, open_page, result, table

pytestmark = pytest.mark.usefixtures("language_models")


def strip(at: AppTest) -> dict[str, Any]:
    """The one on the page."""
    return dict(next(data for data in components(at) if "tracks" in data)["tracks"][0])


def test_no_model_is_said_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(tmp_path / "empty"))
    resources.shelf.clear()
    for part in state.LANGUAGE_PART.choices:
        at = open_page("language_model", do=part)
        assert [note.value for note in at.info] == ["No language model is installed: put one under models/language/, as the README says."]
        assert not at.error


@pytest.mark.parametrize("part", ["score", "models"])
@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_sentence_is_asked_for(part: str, text: str) -> None:
    at = open_page("language_model", do=part)
    at.text_input[0].set_value(text).run()
    assert [note.value for note in at.info] == ["Type a sentence to score, or take one of the examples above."]
    assert not at.error


FIELD = {"generate": "beginning", "score": "scored", "searches": "beginning", "models": "scored", "condition": "after"}


@pytest.mark.parametrize("part", FIELD)
def test_a_text_too_long_is_refused_in_one_sentence(part: str) -> None:
    at = open_page("language_model", do=part, **{FIELD[part]: "x" * 10_000})
    assert errors(at) == ["The text has 10,000 characters; at most 2,000 are allowed, so shorten it."]


def test_a_beginning_of_too_many_pieces_is_refused_in_one_sentence() -> None:
    at = open_page("language_model", beginning="zq " * 400)
    assert errors(at)[0].endswith("pieces; at most 300 can be gone on from, so shorten it.")
    at = open_page("language_model", do="score", scored="zq " * 400)
    assert not at.error
    assert len(strip(at)["units"]) == 401


@pytest.mark.parametrize("part", FIELD)
@pytest.mark.parametrize("text", ["😀 🙂", "<img src=x onerror=alert(1)>", "**x** $y$ :red[z] [a](b)"])
def test_any_other_text_is_shown_as_text(part: str, text: str) -> None:
    at = open_page("language_model", do=part, **{FIELD[part]: text})
    assert not at.error
    assert at.text_input[0].value == text
    assert not any("<img" in markdown.value for markdown in at.markdown)
    if part == "score":
        only = strip(at)
        assert only["units"][0]["text"] == text.split()[0][: len(only["units"][0]["text"])]


WRONG = (
    ("generate", "do", "dance"),
    ("generate", "beginning", "\x1b"),
    ("generate", "language_model", "../../etc"),
    ("generate", "search", "exhaustive"),
    ("generate", "step", "-7"),
    ("score", "scored", "\x00"),
    ("score", "at", "999999"),
    ("score", "at", "x"),
    ("score", "words", "?"),
    ("searches", "seed", "x"),
    ("models", "at", "-5"),
    ("condition", "after", "\x07"),
    ("condition", "photo", "<b>"),
    ("condition", "sentence", "\x00"),
)


@pytest.mark.parametrize(("part", "key", "value"), WRONG)
def test_a_wrong_parameter_does_no_harm(part: str, key: str, value: str) -> None:
    at = open_page("language_model", **({"do": part} | {key: value}))
    if value.isprintable():
        assert not at.error
        assert result(at) or table(at, "")
    else:
        assert errors(at) == [f"Character 1 is a control character (U+{ord(value):04X}); remove it."]


@pytest.mark.parametrize(("key", "value"), [("temperature", "-4"), ("top_k", "many"), ("top_p", "7"), ("seed", "1e99")])
def test_a_wrong_way_of_sampling_does_no_harm(key: str, value: str) -> None:
    at = open_page("language_model", **({"search": "sample"} | {key: value}))
    assert not at.error
    assert result(at)
