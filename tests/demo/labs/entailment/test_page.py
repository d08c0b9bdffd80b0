"""The Entailment page: two sentences, one of three answers, and the words of the second over those of the first."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from demo import app, resources, state
from demo.blocks.shares import of_all
from demo.labs.entailment import alone
from demo.wording import chance
from seq2seq_core.store.card import CARD
from seq2seq_core.tasks import TASKS
from tests.demo.conftest import Install
from tests.demo.pages import components, open_page, player, result, table, texts
from tests.demo.tiny_models import MODELS

PREMISE, CLAIM = "A dog runs across the meadow.", "A child is running."
ANSWERS = list(TASKS["entailment"].answers)


@pytest.fixture(autouse=True)
def entailment(tmp_path: Path, install: Install) -> None:
    """With the weights of other tasks: what they answer is not the question here."""
    for made_of, name in (("translation/additive", "additive"), ("translation/additive", "why"), ("language/gru", "hypothesis-only")):
        folder = tmp_path / "models" / "entailment" / name
        shutil.copytree(MODELS / made_of, folder)
        card = json.loads((folder / CARD).read_text(encoding="utf8"))
        card["config"]["task"] = "entailment"
        card["config"]["reasons"] = name == "why"
        card["data"]["trained_on"] = "pairs of our own"
        (folder / CARD).write_text(json.dumps(card), encoding="utf8")
    install(tmp_path / "models")


def test_it_answers_in_three_bars() -> None:
    at = open_page("entailment", premise=PREMISE, claim=CLAIM)
    (asked,) = app.lab("entailment").queries(state.values_of("") | {"premise": PREMISE, "claim": CLAIM}).values()
    trace, blind = resources.answer(asked), alone(asked)
    assert result(at) == trace.hypotheses[0].answer
    bars = table(at, "Three answers")
    assert bars is not None
    assert texts(bars) == ANSWERS
    assert sum(row["share"] for row in bars["rows"]) == pytest.approx(1)
    (line,) = [data for data in components(at) if data.get("kind") == "line"]
    assert f"Of all words, the three have {chance(of_all(trace))} together." in line["note"] and 0 < of_all(trace) <= 1
    assert [row["chosen"] for row in bars["rows"]] == [said == result(at) for said in ANSWERS]
    assert blind is not None and (blind.given, blind.prompt) == ((), CLAIM)
    assert sum(float(row["values"][1]) for row in bars["rows"]) == pytest.approx(1, abs=0.02)
    shown = player(at)
    assert shown is not None
    assert shown["player"]["parts"][0]["text"] == PREMISE
    assert shown["player"]["target"]["words"][-1].strip() == result(at), "it comes to rest on the answer"
    assert shown["player"]["prompt"] == trace.prompt > 0
    assert len(shown["player"]["steps"][trace.prompt]["candidates"]) <= 3
    assert "learnt from pairs of our own" in at.caption[0].value
    assert at.selectbox(key="entailment_model").options == ["additive", "why"], "what never sees a premise is no choice"


def test_a_model_that_says_why_has_its_answer_in_bars_and_its_reason_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    short = ["the", "child", "read"]  # one piece each, as its answers are to the shipped model
    monkeypatch.setitem(TASKS, "entailment", replace(TASKS["entailment"], answers=tuple(short)))
    asked_for = {"premise": PREMISE, "claim": CLAIM, "entailment_model": "why"}
    at = open_page("entailment", **asked_for)
    (asked,) = app.lab("entailment").queries(state.values_of("") | asked_for).values()
    trace = resources.answer(asked)
    said = trace.hypotheses[0].answer
    assert asked.settings.search == "greedy" and result(at) == said
    answer, sign, _ = said.partition(":")
    assert answer in short and sign
    bars = table(at, "Three answers")
    assert bars is not None and texts(bars) == short
    assert [row["chosen"] for row in bars["rows"]] == [one == answer for one in short]
    assert sum(row["share"] for row in bars["rows"]) == pytest.approx(1)
    assert max(bars["rows"], key=lambda row: row["share"])["chosen"]
    assert 0 < of_all(trace) <= 1
    assert player(at) is not None
    assert "often say what is usual" in at.caption[0].value
    assert "often say what is usual" not in open_page("entailment", premise=PREMISE, claim=CLAIM).caption[0].value


def test_in_simple_there_is_one_bar_and_no_number_beside_the_answer() -> None:
    bars = table(open_page("entailment", level="simple"), "Three answers")
    assert bars is not None
    assert [len(row["values"]) for row in bars["rows"]] == [1, 1, 1]


@pytest.mark.parametrize("empty", ["premise", "claim"])
def test_what_is_missing_is_said(empty: str) -> None:
    at = open_page("entailment")
    at.text_input(key=empty).set_value("  ").run()
    assert not at.exception
    assert at.info[0].value == "Type a premise and a hypothesis, or take one of the examples above."
    assert player(at) is None


def test_a_hypothesis_that_is_too_long_is_one_sentence() -> None:
    at = open_page("entailment", claim="running " * 200)
    assert len(at.error) == 1 and "hypothesis has" in at.error[0].value


def test_an_example_fills_both_and_plays() -> None:
    at = open_page("entailment")
    at.button(key="example_3").click().run()
    assert at.text_input(key="claim").value == "A man is playing an instrument."
    assert at.text_input(key="premise").value == "A man is playing a guitar."
    shown = player(at)
    assert shown is not None and shown["layout"]["autoplay"]


def test_without_a_model_there_is_no_page(tmp_path: Path, install: Install) -> None:
    assert "entailment" in [lab.name for lab in app.labs()]
    install(tmp_path / "nothing")
    assert "entailment" not in [lab.name for lab in app.labs()]
