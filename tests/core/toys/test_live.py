"""A live training repeats itself, is not changed by a pause, keeps moments that decode, and leaves a model folder."""

from __future__ import annotations

import errno
import io
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.store import checkpoint, moments
from seq2seq_core.toys.job import Job
from seq2seq_core.toys.live import Control, Live, main, read_job
from seq2seq_core.toys.messages import MODEL_FOLDER, Finished, Learnt, Report, Scored, Stopped, write_job
from tests.core.tiny import tiny_model

JOB = Job("copy", hidden=8, steps=50)


def losses(reports: list[Report]) -> list[float]:
    return [loss for report in reports if isinstance(report, Learnt) for loss in report.losses]


def timeless(reports: list[Report]) -> list[tuple[Any, ...]]:
    return [(report.step, report.exact, report.by_length) for report in reports if isinstance(report, Scored)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Report]]:
    folder = tmp_path_factory.mktemp("whole")
    return folder, list(Live(JOB, folder).reports(Control()))


def test_the_same_job_gives_the_same_curve_paused_or_not(whole: tuple[Path, list[Report]], tmp_path: Path) -> None:
    control, seen = Control(), []
    for report in Live(JOB, tmp_path).reports(control):
        seen.append(report)
        if isinstance(report, Scored) and report.step == 20:
            control.do("pause")
            torch.rand(7)
            threading.Timer(0.1, control.do, ("go",)).start()
    assert isinstance(seen[-1], Finished)
    first = losses(whole[1])
    assert len(first) == 50 and losses(seen)[:20] == first[:20]


def test_another_process_like_run_is_equal_to_the_bit(whole: tuple[Path, list[Report]], tmp_path: Path) -> None:
    control, seen = Control(), []
    for report in Live(JOB, tmp_path).reports(control):
        seen.append(report)
        if isinstance(report, Scored):
            control.do("pause")
            threading.Timer(0.01, control.do, ("go",)).start()
    assert losses(seen) == losses(whole[1]) and timeless(seen) == timeless(whole[1])
    one, two = (checkpoint.load(folder / MODEL_FOLDER).model for folder in (tmp_path, whole[0]))
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), two.parameters(), strict=True))


def test_another_seed_gives_another_curve(whole: tuple[Path, list[Report]], tmp_path: Path) -> None:
    live = Live(Job("copy", hidden=8, steps=50, seed=2), tmp_path)
    first = next(report for report in live.reports(Control()) if isinstance(report, Learnt))
    assert first.losses[0] != losses(whole[1])[0]


def test_variants_see_the_same_batches(tmp_path: Path) -> None:
    one, two = (Live(Job("reverse", hidden=8, attention=name), tmp_path / name) for name in ("none", "additive"))
    assert one.data.examples(1001) == two.data.examples(1001)


def test_a_stopped_training_leaves_its_model_as_it_is(tmp_path: Path) -> None:
    control, seen = Control(), []
    for report in Live(JOB, tmp_path).reports(control):
        seen.append(type(report))
        if isinstance(report, Learnt):
            control.do("stop")
    assert seen[-1] is Stopped
    assert checkpoint.load(tmp_path / MODEL_FOLDER).card["finished"] is False


def test_commands_come_as_lines_and_their_end_is_the_end() -> None:
    control, gone = Control(), []
    control.listen(io.StringIO("pause\nnonsense\nstop\n"), lambda: gone.append(time.monotonic()))
    assert gone and control.wait() is False


def test_a_job_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_job(tmp_path, JOB.to_dict())
    assert read_job(tmp_path) == JOB


def test_moments_are_kept_in_float16_and_thinned(tmp_path: Path) -> None:
    model = tiny_model()
    weights = checkpoint.weights_of(model)
    keeper = moments.Keeper(tmp_path, 5)
    for step in range(8):
        keeper.add(step, weights)
    assert keeper.steps[0] == 0 and keeper.steps[-1] == 7 and len(keeper.steps) <= 5
    assert sorted(path.name for path in tmp_path.iterdir()) == [moments.file_name(step) for step in keeper.steps]
    read = moments.read_moment(tmp_path / moments.file_name(0))
    assert all(torch.allclose(read[name], weights[name], atol=2e-3) for name in weights)


def test_a_moment_may_be_a_difference_from_the_final_weights(tmp_path: Path) -> None:
    final = checkpoint.weights_of(tiny_model(0))
    then = {name: weight + 0.01 * torch.randn_like(weight) for name, weight in final.items()}
    path = moments.write_moment(tmp_path, 40, then, final, "int8")
    back = moments.read_moment(path, final)
    assert all(torch.allclose(back[name], then[name], atol=3e-4) for name in then)
    moments.write_list(tmp_path, [moments.Moment(40, path.name, {"bleu": 12.0})], differences=True)
    assert moments.read_list(tmp_path) == ([moments.Moment(40, path.name, {"bleu": 12.0})], True)
    assert moments.read_list(tmp_path / "none") == ([], False)


def test_moments_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    path = moments.write_moment(tmp_path, 1, checkpoint.weights_of(tiny_model(hidden=8)))
    with pytest.raises(InputError, match="does not fit the model"):
        moments.read_moment(path, checkpoint.weights_of(tiny_model(hidden=12)))
    path.write_bytes(b"no tensors")
    with pytest.raises(InputError, match="cannot be read as a moment"):
        moments.read_moment(path)
    moments.write_list(tmp_path, [moments.Moment(1, "../elsewhere", {})], differences=False)
    with pytest.raises(InputError, match="must lie in the same folder"):
        moments.read_list(tmp_path)


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    write_job(tmp_path, Job("copy", hidden=8, steps=2).to_dict())
    monkeypatch.setattr("seq2seq_core.store.checkpoint.write_atomically", full)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr("seq2seq_core.toys.live.Control.listen", lambda *_: None)
    monkeypatch.setattr("os.nice", lambda _: 0)
    main(tmp_path)
    assert "The disk of the computer that runs this is full" in capsys.readouterr().out
