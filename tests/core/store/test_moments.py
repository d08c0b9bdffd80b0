"""The moments that a long training keeps: chosen steps, the same after a break, changing nothing, shipped as differences."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import torch

from seq2seq_core.store import checkpoint, moments
from seq2seq_core.store.moments import FOLDER, geometric, read_list, read_moment
from seq2seq_core.store.ship import ship
from seq2seq_core.training.loop import StepEvent
from seq2seq_core.training.runner import run
from tests.core.training.test_loop import RECIPE, CopyTask, losses

STEPS = 16  # two epochs of eight batches


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    for name, count in (("none", 0), ("five", 5)):
        (tmp_path / f"{name}.toml").write_text(RECIPE.replace("epochs = 2", f"epochs = 2\nsave_seconds = 0\nmoments = {count}"))
    (tmp_path / "pairs.tsv").write_text("".join(f"{word}\t{word}\n" for word in CopyTask(61).words))
    return tmp_path


def test_moments_lie_close_at_the_beginning_and_far_apart_later() -> None:
    found = geometric(10_000, 12)
    assert len(found) == 12 and found[:2] == (0, moments.FIRST) and found[-1] == 10_000
    gaps = [after - before for before, after in pairwise(found)]
    assert gaps[1:] == sorted(gaps[1:])
    assert geometric(3, 12) == (0, 3) and geometric(500, 2) == (0, 500)


def test_a_training_keeps_them_with_their_scores_and_goes_on_after_a_break(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "FIRST", 2)
    plain = losses(list(run(toy / "none.toml", toy, toy / "plain")))
    whole = losses(list(run(toy / "five.toml", toy, toy / "whole")))
    assert whole == plain and not (toy / "plain" / FOLDER).exists()
    events = run(toy / "five.toml", toy, toy / "broken")
    while not (isinstance(event := next(events), StepEvent) and event.step == 9):
        pass
    events.close()
    assert losses(list(run(toy / "five.toml", toy, toy / "broken", resume=True)))[-7:] == whole[-7:]
    first, second = (read_list(toy / name / FOLDER)[0] for name in ("whole", "broken"))
    assert first == second and [one.step for one in first] == list(geometric(STEPS, 5)) and len(first) == 5
    assert all(set(one.about) >= {"bleu"} for one in first) and "loss" in first[-1].about
    for one in first:
        there, here = (read_moment(toy / name / FOLDER / one.file) for name in ("whole", "broken"))
        assert all(torch.equal(there[name], here[name]) for name in there)


def test_shipped_moments_are_differences_from_the_shipped_weights(toy: Path) -> None:
    list(run(toy / "five.toml", toy, toy / "run"))
    out = toy / "models" / "translation" / "toy"
    size = ship(toy / "run", out, "int8")
    assert size == sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    given, (kept, differences) = read_list(toy / "run" / FOLDER)[0], read_list(out / FOLDER)
    assert differences and kept == given
    final = checkpoint.weights_of(checkpoint.load(out).model)
    for one in kept:
        then, now = read_moment(toy / "run" / FOLDER / one.file), read_moment(out / FOLDER / one.file, final)
        assert all(float((then[name] - now[name]).abs().max()) <= 0.005 for name in then)
    (toy / "run" / FOLDER / moments.LIST).unlink()
    ship(toy / "run", out, "int8")
    assert not (out / FOLDER).exists(), "moments of an earlier training do not stay"


def test_the_shipped_moments_are_a_dozen_small_ones_and_end_in_the_model_itself() -> None:
    folder = Path(__file__).resolve().parents[3] / "models" / "translation" / "small"
    kept, differences = read_list(folder / FOLDER)
    assert len(kept) == 12 and kept[0].step == 0 and differences
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 10_000_000
    assert kept[0].about["bleu"] < 1 < 30 < kept[-1].about["bleu"]
    final = checkpoint.weights_of(checkpoint.load(folder).model)
    first, last = (read_moment(folder / FOLDER / kept[place].file, final) for place in (0, -1))
    assert max(float((last[name] - final[name]).abs().max()) for name in final) < 0.05
    assert max(float((first[name] - final[name]).abs().max()) for name in final) > 0.5
