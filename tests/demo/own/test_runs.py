"""Background trainings: so many at a time, the others in line; who has gone is removed; a pause changes nothing; nothing is left behind."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.errors import sentence_of
from demo.labs.train.data import curve, picture_data
from demo.own.runs import Run, Runs
from demo.own.time_machine import Film, spread
from demo.own.training import ENDED, Training
from seq2seq_core.errors import InputError
from seq2seq_core.toys.job import Job
from seq2seq_core.toys.live import Control, Live
from seq2seq_core.toys.messages import Learnt
from tests.demo.own.patience import until

JOB = Job("copy", hidden=8, steps=25)


@pytest.fixture
def runs() -> Iterator[Runs]:
    made = Runs(places=2, gone_seconds=0.05, paused_seconds=0.05)
    yield made
    for run in reversed(list(made._runs.values())):  # or one that waits would start
        made.remove(run)


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trainings that start nothing."""

    def tell(self: Training, command: str) -> None:
        self.stage = {"pause": "paused", "go": "running", "stop": "stopped"}[command]

    monkeypatch.setattr(Training, "start", lambda self: setattr(self, "stage", "running"))
    monkeypatch.setattr(Training, "tell", tell)
    monkeypatch.setattr(Training, "end", lambda self: setattr(self, "stage", "stopped"))


def stages(run: Run) -> list[str]:
    return [training.stage for training in run.trainings]


def test_the_third_waits_and_is_told_so(runs: Runs, pretended: None) -> None:
    first, second = runs.start([JOB]), runs.start([JOB])
    third, fourth = runs.start([JOB]), runs.start([JOB, JOB])
    assert [run.stage for run in (first, second, third, fourth)] == ["running", "running", "waiting", "waiting"]
    assert runs.waiting_message(third) == (
        "2 models train at this moment, and 2 may at once; yours is next in line and starts by itself in about 40 s."
    )
    assert "1 before yours in line and starts" in runs.waiting_message(fourth)
    runs.remove(first)
    assert third.stage == "running" and fourth.stage == "waiting"
    runs.remove(second)
    assert stages(fourth) == ["running", "waiting"] and runs.place_in_line(fourth) == 0
    runs.remove(third)
    assert stages(fourth) == ["running", "running"]


def test_while_others_wait_a_visitor_has_one_place(runs: Runs, pretended: None) -> None:
    pair = runs.start([JOB, JOB])
    assert stages(pair) == ["running", "running"], "nobody else is there"
    others = [runs.start([JOB, JOB]) for _ in range(3)]
    assert [run.stage for run in others] == ["waiting"] * 3
    runs.remove(pair)
    assert [stages(run) for run in others] == [["running", "waiting"], ["running", "waiting"], ["waiting", "waiting"]]
    runs.remove(others[1])
    assert [stages(others[0]), stages(others[2])] == [["running", "waiting"]] * 2
    runs.remove(others[2])
    assert stages(others[0]) == ["running", "running"]


def test_the_wait_is_told_from_the_trainings_before(runs: Runs, pretended: None, monkeypatch: pytest.MonkeyPatch) -> None:
    left = {}
    monkeypatch.setattr(Training, "seconds_left", lambda self: left.get(self.folder.parent))
    first, second = runs.start([JOB]), runs.start([JOB])
    left |= {first.folder: 100.0, second.folder: 20.0}
    assert [runs.seconds_until(place) for place in (1, 2, 3)] == [20.0, 65.0, 100.0]


def test_a_paused_run_gives_its_place_to_the_next_and_waits_to_go_on(runs: Runs, pretended: None) -> None:
    first, second, third = runs.start([JOB]), runs.start([JOB]), runs.start([JOB])
    first.pause()
    runs.look_after()
    assert (first.stage, third.stage) == ("paused", "running")
    runs.go_on(first)
    assert first.stage == "paused" and first.waiting and runs.place_in_line(first) == 1
    runs.remove(second)
    assert first.stage == "running" and not first.waiting


def test_a_pair_that_is_paused_starts_nothing(runs: Runs, pretended: None) -> None:
    single, pair = runs.start([JOB]), runs.start([JOB, JOB])
    assert stages(pair) == ["running", "waiting"]
    pair.pause()
    runs.remove(single)
    assert stages(pair) == ["paused", "waiting"]
    runs.go_on(pair)
    assert stages(pair) == ["running", "running"]


def test_a_closed_tab_ends_its_run_and_lets_the_next_start(runs: Runs, pretended: None) -> None:
    here = {"first": True}
    first = runs.start([JOB, JOB], alive=lambda: here["first"])
    second = runs.start([JOB])
    runs.look_after()
    assert runs.find(first.id) is first
    here["first"] = False
    time.sleep(0.06)
    runs.look_after()
    assert runs.find(first.id) is None and not first.folder.exists()
    assert second.stage == "running"


def test_a_short_break_in_the_connection_ends_nothing(pretended: None) -> None:
    runs = Runs(places=1, gone_seconds=60)
    run = runs.start([JOB], alive=lambda: False)
    runs.look_after()
    assert runs.find(run.id) is run
    runs.remove(run)


def test_a_run_paused_for_long_gives_its_place_back(runs: Runs, pretended: None) -> None:
    run = runs.start([JOB])
    run.pause()
    runs.look_after()
    assert run.stage == "paused"
    time.sleep(0.06)
    runs.look_after()
    assert run.stage == "stopped"


def test_what_is_asked_for_is_checked(runs: Runs, pretended: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="3 models cannot train side by side"):
        runs.start([JOB, JOB, JOB])
    monkeypatch.setattr("demo.own.runs.MOST_WAITING", 1)
    for _ in range(3):
        runs.start([JOB])
    with pytest.raises(InputError, match="1 trainings are waiting already"):
        runs.start([JOB])
    assert runs.find(None) is runs.find("elsewhere") is None


@pytest.fixture(scope="module")
def paused_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Runs, Run, list[float]]]:
    """A real process that is paused, looked at, and goes on to its end; and the losses of the same job without a pause."""
    runs = Runs(places=1)
    run = runs.start([JOB])
    run.pause()
    until(lambda: run.trainings[0].progress.moments or run.error)
    seen = run.trainings[0].progress.step
    time.sleep(0.3)
    assert run.stage == "paused" and run.trainings[0].progress.step <= seen + 1
    runs.go_on(run)
    until(lambda: run.stage in ENDED)
    plain = Live(JOB, tmp_path_factory.mktemp("plain")).reports(Control())
    yield runs, run, [loss for report in plain if isinstance(report, Learnt) for loss in report.losses]
    runs.remove(run)


def test_a_pause_changes_nothing(paused_run: tuple[Runs, Run, list[float]]) -> None:
    _, run, losses = paused_run
    assert run.stage == "finished" and run.error == ""
    progress = run.trainings[0].progress
    assert progress.losses == losses and len(losses) == progress.step == progress.steps == 25
    assert progress.scores[0][0] == 0 and progress.scores[-1][0] == 25 and progress.moments[-1] == 25
    assert (run.trainings[0].folder / "model" / "model.json").exists()


def test_the_moments_decode_ones_own_input(paused_run: tuple[Runs, Run, list[float]]) -> None:
    _, run, _ = paused_run
    film = Film(run.trainings[0].folder, "copy")
    frame = film.frame(25, "lamp")
    assert frame["columns"] == 4 and frame["rows"] == len(frame["tokens"]) <= 4 + 1 + 3
    assert film.frame(25, "lamp") is frame and film.knows(25, "lamp") and not film.knows(0, "lamp")
    data, complete = picture_data(run, "lamp", None)
    while not complete:
        data, complete = picture_data(run, "lamp", None)
    assert data["right"] == ["l", "a", "m", "p", "</s>"] and data["source"]["tokens"] == ["l", "a", "m", "p"]
    assert {each["step"] for each in data["variants"][0]["frames"]} == set(run.trainings[0].progress.moments)
    with pytest.raises(InputError, match="cannot be read as a moment"):
        film.frame(12_345, "lamp")


def test_nothing_is_left_of_a_run_that_is_removed() -> None:
    runs = Runs(places=1)
    run = runs.start([Job("copy", hidden=8, steps=2000)])
    until(lambda: run.trainings[0].progress.step)
    pid = run.trainings[0].pid
    assert pid is not None
    runs.remove(run)
    assert run.trainings[0].pid is None and not run.folder.exists() and runs.busy == 0
    assert not Path(f"/proc/{pid}").exists()


def test_a_process_that_dies_is_reported() -> None:
    runs = Runs(places=1)
    run = runs.start([JOB])
    run.trainings[0]._process.kill()
    until(lambda: run.stage == "failed")
    assert run.error == "The training ended unexpectedly; start it again."
    runs.remove(run)


def test_curves_and_moments_have_a_bounded_size() -> None:
    assert curve([1.0, 2.0, 3.0]) == [[1, 1.0], [2, 2.0], [3, 3.0]]
    long = curve([float(n) for n in range(1000)])
    assert len(long) <= 160 and long[-1][0] == 1000 and long[0][1] == 3.0
    assert spread(list(range(10))) == list(range(10))
    assert spread(list(range(500)))[0] == 0 and spread(list(range(500)))[-1] == 499 and len(set(spread(list(range(500))))) == 60


def test_a_training_finds_what_the_server_finds(runs: Runs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An installation may live by PYTHONPATH alone."""
    given: dict[str, str] = {}

    def popen(*_: object, env: dict[str, str], **__: object) -> None:
        given.update(env)
        raise FileNotFoundError

    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr("subprocess.Popen", popen)
    training = Training(tmp_path, JOB.to_dict())
    training.start()
    assert training.stage == "failed" and "cannot be used" in training.progress.error
    assert given["PYTHONPATH"].split(os.pathsep)[1:] == [str(tmp_path)]


def test_a_folder_for_trainings_that_is_not_there_is_a_sentence(runs: Runs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    said = sentence_of(lambda: runs.start([JOB]))
    assert said.startswith("A file or folder that is needed cannot be used (no such file or directory)") and str(tmp_path) not in said
    monkeypatch.setattr("demo.own.runs.write_job", full_disk)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert sentence_of(lambda: runs.start([JOB])) == "The disk of the computer that runs this is full; make room on it, then try again."
    assert not list(tmp_path.iterdir()), "nothing is left of what could not be started"


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")
