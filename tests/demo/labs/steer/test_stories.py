"""The stories that are offered are true of the models they are told of, and the number of all outputs is the number."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import pytest

from demo import app, resources, state
from demo.labs.steer import cases
from demo.query import Query
from seq2seq_core.config import DecodeSettings
from tests.demo.pages import components, errors, open_page

GREEDY = DecodeSettings(search="greedy")


def story(name: str) -> Query:
    """The case of this name, where the model it was found with is installed."""
    case = next(case for case in cases.cases() if case.name == name)
    if not cases.installed(case.model):
        pytest.skip("other weights are installed: tools/steering_cases.py finds the stories anew")
    return next(iter(app.lab("steer").queries(state.values_of(case.query)).values()))


def test_greedy_has_bad_luck() -> None:
    query = story("Greedy’s bad luck")
    pipeline = resources.pipeline(query.model_id)
    greedy, beam = pipeline.decode(query.text, GREEDY), pipeline.decode(query.text, query.settings)
    assert greedy.path()[0].logprob > beam.path()[0].logprob and greedy.hypotheses[0].total < beam.hypotheses[0].total
    mended = story("Luck mended by looking")
    assert mended.settings.beam_size == 1
    assert pipeline.decode(mended.text, GREEDY, mended.steering).text() == beam.text()


@pytest.mark.parametrize("case", cases.cases(), ids=lambda case: case.name)
def test_every_example_link_opens(case: cases.Case) -> None:
    if not cases.installed(case.model):
        pytest.skip("other weights are installed: tools/steering_cases.py finds the examples anew")
    at = open_page("steer", **dict(parse_qsl(case.query)))
    assert not errors(at)
    shown = components(at)
    assert any("tree" in data for data in shown)
    told = any(str(data.get("title", "")).startswith("Before and after") for data in shown)
    assert told == ("edits=" in case.query)


@pytest.mark.usefixtures("models")
def test_the_number_of_all_outputs_has_all_its_digits() -> None:
    at = open_page("steer", part="beam sizes", sentence="Das gefällt mir.")
    said = next(re.sub(r"\\(.)", r"\1", each.value) for each in at.caption if "sequences" in each.value)
    found = re.search(r"= ([\d,]+)\^(\d+) = ([\d,]+) sequences of L = (\d+) tokens, a number of (\d+) digits", said)
    assert found is not None, said
    base, power, number, length, digits = (int(group.replace(",", "")) for group in found.groups())
    assert base == resources.pipeline("translation/additive").target_tokenizer.size - 2 and power == length
    assert base**power == number and len(str(number)) == digits
