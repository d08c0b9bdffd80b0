"""Clips for training: what is mirrored is told mirrored, what was made once is read again, and a recipe ends in a model that watches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs import eyes
from seq2seq_core.inputs.clip import FRAMES, Clip
from seq2seq_core.inputs.events import Event, Story, film
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.inputs.rendering import Thing
from seq2seq_core.store.zoo import load
from seq2seq_core.tasks import TASKS
from seq2seq_core.training.clips import DEV, ClipData, Rendered, Watched, rendered, told, turned, turned_features
from seq2seq_core.training.evaluation import SCORERS, evaluate, evaluate_rows
from seq2seq_core.training.loop import FinishedEvent
from seq2seq_core.training.readers import read_rows
from seq2seq_core.training.recipe import DataSource
from seq2seq_core.training.runner import run

RED, BLUE = Thing("large", "plain", "red", "circle"), Thing("small", "plain", "blue", "square")
RECIPE = """
name = "clip/additive"
[model]
task = "clip"
source = "clip"
embedding = 8
hidden = 8
encoder_layers = 1
[train]
epochs = 1
batch_size = 4
[[data.train]]
rendered = 8
[[data.dev]]
name = "dev"
rendered = 4
"""


def test_a_clip_that_is_turned_is_told_turned() -> None:
    for way, turn, wanted in (
        ("right", 1, "left"),
        ("up", 1, "up"),
        ("up", 2, "down"),
        ("right", 4, "down"),
        ("left", 5, "down"),
        ("down", 6, "left"),
    ):
        was, then = (Story((Event("push", RED, BLUE, one),)).told() for one in (way, wanted))
        assert turned(was, turn) == (then, turn)
    falls = Story((Event("fall", RED, BLUE, "left"),)).told()
    assert turned(falls, 7) == (falls.replace("left", "right"), 1) and turned(falls, 6) == (falls, 0)
    assert turned("vanish: a large red circle vanishes", 7)[0] == "vanish: a large red circle vanishes"


def test_what_the_eyes_see_of_a_mirrored_clip_is_what_they_saw_mirrored() -> None:
    clip = film(Story((Event("move", RED, way="right"),)), 3)
    look = eyes.the_eyes().look
    was, found = look(clip).features.numpy(), turned_features(look(clip).features.numpy(), 1)
    mirrored = torch.from_numpy(np.ascontiguousarray(clip.frames[:, :, ::-1]))
    with torch.inference_mode():
        seen = eyes.the_eyes().features(mirrored).numpy()
    assert np.abs(found - seen).mean() < 0.5 * np.abs(was - seen).mean()
    for turn in range(8):
        again = turned_features(was, turn)
        assert again.shape == was.shape and again.sum() == pytest.approx(was.sum(), rel=1e-4)
    np.testing.assert_array_equal(turned_features(found, 1), was)


def test_a_recipe_ends_in_a_model_and_its_clips_are_kept(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(RECIPE)
    out, cache = tmp_path / "clip" / "additive", tmp_path / "kept"
    *_, last = run(tmp_path / "recipe.toml", tmp_path, out, cache=cache)
    assert isinstance(last, FinishedEvent) and set(last.dev) == {"loss", "exact"}
    files = sorted(cache.iterdir())
    assert len(files) == 2 and all(file.suffix == ".npy" for file in files)
    before = [file.stat().st_mtime_ns for file in files]
    Watched.rendered(8, 1, "", cache)
    assert [file.stat().st_mtime_ns for file in sorted(cache.iterdir())] == before
    model = load(out)
    clips = tmp_path / "frames"
    rows = []
    for index in range(3):
        story, seed = rendered(DEV, "", index)
        (clips / str(index)).mkdir(parents=True)
        for place, frame in enumerate(film(story, seed).frames):
            Image.fromarray(frame).save(clips / str(index) / f"{place:02}.png")
        rows.append(f"{index}\t{story.told()}")
    (tmp_path / "dev.tsv").write_text("\n".join(rows))
    (tmp_path / "headed.tsv").write_text("\n".join(["clip\tclass", *rows]))
    assert read_rows(tmp_path / "headed.tsv", TASKS["clip"]) == read_rows(tmp_path / "dev.tsv", TASKS["clip"])
    settings = DecodeSettings(search="greedy")
    named = evaluate_rows(model, read_rows(tmp_path / "dev.tsv", TASKS["clip"]), settings, files=clips)
    same = evaluate(model, Rendered(model, 3), told(3), settings)
    assert {key: named[key] for key in ("n", "exact", "accuracy", "intervals")} == {
        key: same[key] for key in ("n", "exact", "accuracy", "intervals")
    }
    assert model.decode(film(*rendered(DEV, "", 0))).parts[0].positions == FRAMES


def test_kinds_and_sentences_are_scored_apart() -> None:
    said = [["move: a red circle moves up"], ["stop: a red circle moves up"], ["move: a red square moves up"]]
    found = SCORERS["told"](said, [("move: a red circle moves up",)] * 3)
    assert found["accuracy"] == pytest.approx(200 / 3) and found["exact"] == pytest.approx(200 / 3)
    assert set(found["intervals"]) == {"accuracy", "exact"}


class Columns:
    """Eyes that see of a frame how bright each of its columns is."""

    WIDTH = 12

    def look(self, given: object) -> Grid:
        assert isinstance(given, Clip)
        columns = [part.mean((1, 2, 3)) for part in np.array_split(given.frames, self.WIDTH, 2)]
        return given.grid(torch.from_numpy(np.stack(columns, 1) / 64).float())  # [S, C]


def test_films_are_told_apart_by_their_names_and_their_frames_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bright bar goes to the left or to the right."""
    monkeypatch.setattr(eyes, "eyes_of", lambda _: Columns())
    rows = [("clip", "class")]
    for index in range(40):
        rows.append((f"{index}", ("left swipe", "right swipe")[index % 2]))
        (tmp_path / f"films/{index}").mkdir(parents=True)
        for place in range(30):
            at = place if index % 2 else 40 - place
            frame = np.zeros((24, 48, 3), np.uint8)
            frame[:, at : at + 4] = 250
            Image.fromarray(frame).save(tmp_path / f"films/{index}/{place:02}.png")
    (tmp_path / "films/films.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    train, held = (DataSource(clips="films/films.tsv", part=part) for part in ("train", "held-out"))
    data = ClipData.of(train, held, "gesture", tmp_path, None, tmp_path / "kept", lambda _: None)
    assert 0 < len(data.dev.outputs) < 12 and len(data.dev.outputs) + len(data.train.outputs) == 40
    middle = (data.train.features * np.arange(Columns.WIDTH)).sum(2) / data.train.features.sum(2)  # [N, S] where the bar is
    assert middle.shape[1] == 15
    assert ["right swipe" if places[-1] > places[0] else "left swipe" for places in middle] == list(data.train.outputs)
    assert data.batch(data.examples(1)[:5]).source.shape == (5, 15, Columns.WIDTH)
