"""Stored traces: the same as the model's answer, and never those of other weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demo import examples, resources
from demo.blocks.answer import trace_of
from demo.blocks.export_menu import file_name
from demo.labs.steer import cases
from demo.query import Query
from demo.state import LANGUAGE, SENTENCE, WORD
from seq2seq_core.config import DecodeSettings
from seq2seq_core.store.zoo import list_models
from tests.demo.conftest import Install
from tests.demo.pages import ROOT
from tools.store_examples import queries

REQUEST = Query("translation/additive", ("Das gefällt mir.",))


def test_the_first_example_is_the_default_of_its_field() -> None:
    assert examples.GERMAN[0].text == SENTENCE.default
    assert examples.LATIN["Hindi"][0].text == WORD.default
    assert tuple(examples.LATIN) == LANGUAGE.choices


@pytest.mark.usefixtures("models")
def test_a_stored_trace_is_the_answer() -> None:
    assert examples.stored(REQUEST) is None
    trace = resources.answer(REQUEST)
    path = examples.store(REQUEST, trace)
    assert examples.stored(REQUEST) == trace
    assert trace_of(REQUEST) == trace
    assert examples.stored(Query("translation/additive", ("Das gefällt dir.",))) is None
    assert examples.stored(Query("translation/additive", (REQUEST.text,), settings=DecodeSettings(beam_size=4))) is None
    examples.clear()
    assert not path.exists()


@pytest.mark.usefixtures("models")
def test_a_trace_of_other_weights_is_not_shown() -> None:
    path = examples.store(REQUEST, resources.answer(REQUEST))
    content = json.loads(path.read_text(encoding="utf8"))
    path.write_text(json.dumps(content | {"weights": "of another training"}), encoding="utf8")
    assert examples.stored(REQUEST) is None


def test_what_is_shipped_can_be_read() -> None:
    for path in Path(examples.__file__).parent.glob("traces/*.json"):
        assert examples.read(path).hypotheses


def test_what_is_shipped_belongs_to_the_models_that_are() -> None:
    """Or the app would leave it out without a word: run tools/store_examples.py or tools/steering_cases.py again."""
    weights = {info.id: info.card["sha256"] for info in list_models()}
    found = json.loads(cases.FILE.read_text(encoding="utf8"))["weights"]
    for path in Path(examples.__file__).parent.glob("traces/*.json"):
        content = json.loads(path.read_text(encoding="utf8"))
        found[content["trace"]["model_id"]] = content["weights"]
    assert found == {name: weights[name] for name in found}


@pytest.mark.parametrize("query", queries(), ids=lambda query: f"{query.settings.search} {query.text}")
def test_what_is_shipped_is_what_a_visitor_asks_for_and_what_the_model_answers(query: Query, install: Install) -> None:
    """To 0.001, in nats and in weight: another processor sums in another order, which moves both by less than 0.0001."""
    shipped = examples.FOLDER
    install(ROOT / "models")
    path = shipped / f"{examples.name_of(query)}.json"
    assert path.is_file(), "run tools/store_examples.py"
    stored, found = examples.read(path), resources.answer(query)
    assert stored.tokens() == found.tokens()
    assert stored.hypotheses[0].total == pytest.approx(found.hypotheses[0].total, abs=1e-3)
    assert stored.attention() == pytest.approx(found.attention(), abs=1e-3)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Das gefällt mir.", "translation-additive-das-gefällt-mir.json"),
        ("../../<x>|?*", "translation-additive-x.json"),
        ("x" * 200, "translation-additive-" + "x" * 39 + ".json"),
    ],
)
def test_names_of_files_are_tame(text: str, name: str) -> None:
    from tests.demo.traces import make_trace, text_source

    assert file_name(make_trace([" A", "</s>"], text_source([text])), "json") == name
