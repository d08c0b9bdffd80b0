"""The app's end of a training: what is reported is noted, and whatever else comes is left alone."""

from __future__ import annotations

import io
import logging
from pathlib import Path

import pytest

from demo.own.training import Training
from seq2seq_core.toys.messages import Failed, Finished, Kept, Learnt, Report, Scored, Started, Stopped, to_line


def told(*lines: Report | str) -> Training:
    """A training that has read these lines to their end."""
    training = Training(Path(), {"attention": "additive"})
    training.stage = "starting"
    training._read(io.StringIO("".join((line if isinstance(line, str) else to_line(line)) + "\n" for line in lines)))
    return training


def test_everything_reported_is_noted() -> None:
    training = told(
        Started(50, 1000, "text"), Scored(0, 0.0, ((3, 2, 0),), 0.0, 0.1), Kept((0,)), Learnt(2, (3.0, 2.5), 900.0, 0.5),
        Learnt(3, (2.0,), 950.0, 0.7), Scored(3, 0.96, ((3, 2, 2),), 0.7, 0.9), Scored(4, 0.99, ((3, 2, 2),), 0.9, 1.1), Kept((0, 3)),
        Finished(1.0, 1.5),
    )  # fmt: skip
    progress = training.progress
    assert (training.stage, progress.steps, progress.parameters, progress.step) == ("finished", 50, 1000, 3)
    assert (progress.losses, progress.moments, progress.tokens_per_s) == ([3.0, 2.5, 2.0], [0, 3], 950.0)
    assert progress.scores == [(0, 0.0), (3, 0.96), (4, 0.99)]
    assert progress.goal == (3, 0.7, 0.9), "the first time that it was reached"
    assert progress.by_length == [(3, 2, 2)]
    assert progress.cpu_seconds == 1.5


@pytest.mark.parametrize(("last", "stage"), [(Stopped(), "stopped"), (Failed("Too large."), "failed")])
def test_how_it_ended(last: Report, stage: str) -> None:
    training = told(Started(50, 1000, "text"), last)
    assert training.stage == stage
    assert training.progress.error == (last.message if isinstance(last, Failed) else "")


def test_a_line_that_is_no_report_is_left_alone_and_noted(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        training = told(
            Started(50, 1000, "text"), "Warning: something", '{"kind": "weather", "sun": true}', '{"kind": "learnt"}', Kept((0, 1))
        )
    assert training.progress.moments == [0, 1]
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 3
    assert "weather" in caplog.text


def test_an_end_without_a_word_is_a_failure() -> None:
    training = told(Started(50, 1000, "text"))
    assert (training.stage, training.progress.error) == ("failed", "The training ended unexpectedly; start it again.")
