"""The measure of how soon a task is learnt: it stops at the goal, at the limit or with the training, and says which."""

from __future__ import annotations

import json

import pytest

from seq2seq_core import bench
from seq2seq_core.__main__ import main
from seq2seq_core.bench import measure_training
from seq2seq_core.toys.job import Job

JOB = Job("copy", hidden=8, steps=25)


def test_a_training_that_ends_before_the_goal_says_so() -> None:
    found = measure_training(JOB)
    assert found["ended_by"] == "the training's end" and found["step"] == 25
    assert 0 <= found["exact"] < bench.GOAL and 0 <= found["exact_long"] < 1
    assert found["cpu_seconds"] > 0


def test_it_ends_at_the_limit_or_at_the_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert measure_training(JOB, limit_seconds=0.0)["ended_by"] == "the limit"
    monkeypatch.setattr(bench, "GOAL", 0.0)
    found = measure_training(JOB)
    assert found["ended_by"] == "the goal" and found["step"] == 0


def test_the_terminal_measures_what_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["bench", "--json", "--tasks", "shapes", "copy", "--attentions", "none", "--limit", "0"]
    assert main(asked) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["task"], one["attention"], one["cell"]) for one in found] == [("shapes", "none", "gru"), ("copy", "none", "gru")]
    assert found[0]["exact_long"] is None, "a picture has no length"
    assert main(["bench", "--tasks", "juggling"]) == 2
    assert "There is no task 'juggling'" in capsys.readouterr().err
