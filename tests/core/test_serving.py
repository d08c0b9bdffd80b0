"""Answers from other processes: a batch of unlike questions gives what each alone would, and what dies is asked again."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from seq2seq_core import machines, serving
from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.machines import Travelling
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.serving import Answers, Asked, light
from seq2seq_core.store.package import pack_model
from seq2seq_core.trace.steering import Steering
from tests.core.tiny import save_tiny_model

GREEDY, BEAM = DecodeSettings(search="greedy", max_length=8), DecodeSettings(beam_size=3, max_length=8)


def asked(model: Path, text: str, settings: DecodeSettings = BEAM, **more: Any) -> Asked:
    return Asked(str(model), text, settings, more.get("steering", Steering()), more.get("prompt", ()))


@pytest.fixture
def models(tmp_path: Path) -> list[Path]:
    folders = [tmp_path / str(seed) for seed in range(2)]
    for seed, folder in enumerate(folders):
        save_tiny_model(folder, seed)
    return folders


def test_unlike_questions_get_their_own_answers(models: list[Path]) -> None:
    one, other = models
    questions = [
        asked(one, "abc"), asked(other, "abc"), asked(one, "hgf edc", GREEDY), asked(one, "bad cafe"),
        asked(one, "abc", steering=Steering(prefix=(5, 6))), asked(other, "face", prompt="ab"),
    ]  # fmt: skip
    for question, said in zip(questions, Answers().answer(questions), strict=True):
        alone = Pipeline.load(question.model_id).decode(question.given, question.settings, question.steering, question.prompt)
        assert [said.token_ids(h) for h in range(len(said.hypotheses))] == [alone.token_ids(h) for h in range(len(alone.hypotheses))]
        assert [found.total for found in said.hypotheses] == pytest.approx([found.total for found in alone.hypotheses], abs=1e-4)


def test_one_that_cannot_be_answered_takes_no_other_with_it(models: list[Path]) -> None:
    said = Answers().answer([asked(models[0], "abc"), asked(models[0], ""), asked(models[0].parent / "gone", "abc")])
    assert said[0].hypotheses
    assert all(isinstance(sentence, str) and sentence for sentence in said[1:])


def test_models_that_travel_are_told_apart_by_their_content(models: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(get=lambda files: files))
    monkeypatch.setattr(machines, "_there", {})
    questions = [
        replace(asked(Path(f"own/{n}"), "abc"), own=Travelling("own", str(n), pack_model(folder))) for n, folder in enumerate(models)
    ]
    for folder, said in zip(models, Answers().answer(questions), strict=True):
        assert said.token_ids() == Pipeline.load(folder).decode("abc", BEAM).token_ids()


def test_what_travels_is_the_same_trace_without_the_vocabulary(models: list[Path]) -> None:
    trace = Pipeline.load(models[0]).decode("abc", GREEDY)
    assert light(trace) == trace
    assert len(light(trace).nodes.words) < len(trace.nodes.words)


class Died(Exception):
    """As Ray says that a replica is gone."""


def pretend(monkeypatch: pytest.MonkeyPatch, outcomes: list[Any]) -> None:
    """A deployment that gives these, one after the other."""

    def result(timeout_s: float) -> Any:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    exceptions = ModuleType("ray.exceptions")
    exceptions.RayError = Died  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", ModuleType("ray"))
    monkeypatch.setitem(sys.modules, "ray.exceptions", exceptions)
    monkeypatch.setattr(serving, "PAUSE_SECONDS", 0)
    of_serve = ModuleType("ray.serve.exceptions")
    of_serve.RayServeException = Died  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray.serve", ModuleType("ray.serve"))
    monkeypatch.setitem(sys.modules, "ray.serve.exceptions", of_serve)
    monkeypatch.setattr(serving, "connected", lambda: SimpleNamespace(remote=lambda asked: SimpleNamespace(result=result)))


def test_what_a_dead_replica_had_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = object()
    pretend(monkeypatch, [Died(), Died(), answer])
    assert serving.ask(asked(Path("any"), "abc")) is answer


@pytest.mark.parametrize("outcomes", [[Died(), Died(), Died()], [TimeoutError()]])
def test_a_visitor_gets_a_sentence_when_nobody_answers(outcomes: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, outcomes)
    with pytest.raises(InputError, match="what you typed is kept"):
        serving.ask(asked(Path("any"), "abc"))


def test_what_was_wrong_with_a_question_comes_back_as_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, ["The text is too long."])
    with pytest.raises(InputError, match="too long"):
        serving.ask(asked(Path("any"), "abc"))
