"""The Watch page: samples, a clip that is composed, a visitor's own, and what each model says of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from demo import state
from demo.blocks.ways_in import clip, film
from demo.components.player.data import player_data
from demo.given import clips
from demo.labs.watch import composer, view
from demo.query import Asset
from seq2seq_core.errors import InputError
from seq2seq_core.inputs import eyes
from seq2seq_core.inputs.clip import FRAMES, SIDE, Clip
from seq2seq_core.inputs.events import KINDS, a_story, stage
from seq2seq_core.inputs.eyes import FEATURES
from seq2seq_core.inputs.tokenizer import CharacterTokenizer
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.store.checkpoint import save, weights_of
from seq2seq_core.tasks import TASKS
from tests.core.tiny import save_tiny_model, tiny_model
from tests.core.training.test_clips import Columns
from tests.demo.pages import components, errors, open_page, player, result, table, texts

MODELS = Path(__file__).resolve().parents[4] / "models"
Install = Callable[[Path], Path]
GESTURES = TASKS["gesture"].answers


@pytest.fixture
def watching(tmp_path: Path, install: Install) -> Path:
    for variant, attention in (("additive", "additive"), ("none", "none")):
        folder = tmp_path / "models" / "clip" / variant
        save_tiny_model(folder, seed=3, task="clip", source="clip", source_vocab=FEATURES, attention=attention)
    return install(tmp_path / "models")


@pytest.mark.usefixtures("watching")
def test_samples_a_composed_clip_and_an_own_one_are_shown_as_film_strips() -> None:
    at = open_page("watch")
    found = player(at)
    assert found is not None
    shown = found["player"]
    assert (shown["kind"], shown["parts"][0]["film"], shown["parts"][0]["rows"], shown["parts"][0]["columns"]) == ("image", FRAMES, 3, 8)
    assert shown["parts"][0]["labels"][7] == "frame 8" and not errors(at)
    first = shown["parts"][0]["url"]
    at.button(key="sample_1").click().run()
    assert at.query_params["clip"] == clips.SAMPLES[1].code and player(at)["player"]["parts"][0]["url"] != first  # type: ignore[index]
    next(button for button in at.button if button.label == "Another take").click().run()
    assert at.query_params["clip"] == clips.SAMPLES[1].code[:-1] + "2"
    at.button(key="clip_s").click().run()
    assert at.query_params["clip"] == clips.SAMPLES[1].code[:-1] + "2s"
    at.button(key="clip_s").click().run()
    assert at.query_params["clip"] == clips.SAMPLES[1].code[:-1] + "2"
    at.button(key="compose_make").click().run()
    assert at.query_params["clip"] == "fall.lprc.spbs.right_1" and not errors(at)
    at.session_state[state.CLIPS] = {clips.OWN + "1": Clip(np.zeros((FRAMES, SIDE, SIDE, 3), np.uint8))}
    at.session_state[state.OWN_CLIP] = clips.OWN + "1"
    at.run()
    assert any("stays on this computer" in caption.value for caption in at.caption)
    at.session_state[clip.WRONG] = "The file holds one picture."
    at.run()
    assert errors(at) == ["The file holds one picture."]
    at.session_state[state.CLIPS] = {}
    at.run()
    assert any("no longer held" in warning.value for warning in at.warning)


def test_every_story_survives_a_link_and_nonsense_opens_the_first_sample() -> None:
    chance = np.random.default_rng(1)
    for kind in KINDS:
        story = a_story(chance, kind=kind)
        assert clips.read(clips.written(story, 12)) == (story, 12) and len(clips.written(story, 999)) <= 60
    for code in (
        "",
        "x",
        "fall_1",
        "fall.lprc_1",
        "move.lprc.right",
        "move.lprc.right_1000",
        "move.lprc.right.red.up_1",
        "_1",
        "push.lprc.lprc.up_1",
    ):
        assert clips.named(code).name == clips.SAMPLES[0].code
    assert all(clips.named(sample.code).name == sample.code for sample in clips.SAMPLES)


def test_in_another_order_they_are_the_same_frames() -> None:
    code = clips.SAMPLES[0].code
    mixed, back = clips.turned_over(code, clips.SHUFFLED), clips.turned_over(code, clips.BACKWARDS)
    frames, shuffled, backwards = (clips.clip(Asset("clip", one)).frames for one in (code, mixed, back))
    assert not np.array_equal(frames, shuffled) and sorted(map(bytes, frames)) == sorted(map(bytes, shuffled))
    np.testing.assert_array_equal(frames[::-1], backwards)
    assert clips.turned_over(mixed, clips.SHUFFLED) == clips.turned_over(back, clips.BACKWARDS) == code
    assert clips.turned_over(mixed, clips.BACKWARDS) == back and clips.read(code) == clips.read(mixed) == clips.read(back)


def test_the_shipped_model_tells_the_samples() -> None:
    if not (MODELS / "clip" / "additive" / "model.json").is_file():
        pytest.skip("no model of clips is shipped")
    model = Pipeline.load(MODELS / "clip" / "additive")
    for sample in clips.SAMPLES:
        assert model.decode(clips.clip(Asset("clip", sample.code))).text() == clips.read(sample.code)[0].told()


def test_the_frame_in_which_a_thing_vanishes_lies_under_the_word_for_it() -> None:
    if not (MODELS / "clip" / "additive" / "model.json").is_file():
        pytest.skip("no model of clips is shipped")
    model, apart = Pipeline.load(MODELS / "clip" / "additive"), []
    for take in range(6):
        asset = Asset("clip", f"vanish.sprx_{take}")
        (event,) = stage(*clips.read(asset.name)).frames
        trace, picture = model.decode(clips.clip(asset)), np.asarray(clips.picture(asset))
        shown = player_data(trace)
        part, place = shown["parts"][0], shown["target"]["words"].index("vanishes")
        step = shown["target"]["groups"].index(place)
        cell = int(np.argmax(shown["attention"][step][0]))
        row, column = divmod(cell, part["columns"])
        there = picture[row * SIDE : (row + 1) * SIDE, column * SIDE : (column + 1) * SIDE]
        np.testing.assert_array_equal(there, clips.clip(asset).frames[cell])
        apart.append(abs(cell - event))
    assert np.median(apart) <= 1 and max(apart) <= 3, apart


def test_what_cannot_be_composed_is_said() -> None:
    thing = {f"{place}_{name}": value for place in ("who", "other") for name, value in composer.FIRST.items()}
    with pytest.raises(InputError, match="alike"):
        clips.composed([{"kind": "push", "way": "right", "colour": "green", **thing}], 1)


def test_the_words_that_part_are_marked() -> None:
    assert view.parted("move: a red circle moves up", "move: a red circle moves up") is None
    begin, end = view.parted("move: a red circle moves up", "move: a blue circle moves up") or (0, 0)
    assert "move: a red circle moves up"[begin:end] == "red"
    begin, end = view.parted("stop: a red circle moves up and stops", "move: a red circle moves up") or (0, 0)
    assert "stop: a red circle moves up and stops"[begin:end] == "stop: a red circle moves up and stops"


@pytest.fixture
def filmed(tmp_path: Path, install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models of gestures, and one of clips beside them."""
    seen = eyes.eyes_of
    monkeypatch.setattr(eyes, "eyes_of", lambda task: Columns() if task == "gesture" else seen(task))
    words = CharacterTokenizer.train(GESTURES, "word")
    for variant in ("additive", "none"):
        sizes = {"source_vocab": Columns.WIDTH, "target_vocab": words.size, "attention": variant}
        model = tiny_model(3, task="gesture", source="clip", **sizes)
        save(tmp_path / "models" / "gesture" / variant, model.config, weights_of(model), (None, words), {"name": "tiny"}, "float32")
    save_tiny_model(tmp_path / "models" / "clip" / "additive", seed=3, task="clip", source="clip", source_vocab=FEATURES)
    install(tmp_path / "models")


@pytest.mark.usefixtures("filmed")
def test_an_own_film_is_one_of_five_gestures_and_none_is_shown_before() -> None:
    at = open_page("watch", task="gesture")
    assert player(at) is None and "make one of the five gestures" in at.info[0].value and not errors(at)
    assert [option for menu in at.selectbox if menu.key == "task" for option in menu.options] == ["clip", "gesture"]
    frames = np.random.default_rng(1).integers(256, size=(15, 120, 120, 3), dtype=np.uint8)
    at.session_state[state.CLIPS] = {clips.OWN + "1": Clip(frames, 40)}
    at.session_state[state.OWN_FILM] = clips.OWN + "1"
    at.run()
    shown, five = player(at), table(at, "Five gestures")
    assert shown is not None and shown["player"]["parts"][0]["film"] == 15 and not at.info and not errors(at)
    assert five is not None and tuple(texts(five)) == GESTURES and [column[0] for column in five["columns"]] == ["additive", "none"]
    shares = np.array([[float(value) for value in row["values"]] for row in five["rows"]])
    np.testing.assert_allclose(shares.sum(0), 1, atol=0.03)
    assert result(at) == GESTURES[int(np.argmax([row["share"] for row in five["rows"]]))]
    at.button(key="film_s").click().run()
    mixed = player(at)
    assert mixed is not None and mixed["player"]["parts"][0]["url"] != shown["player"]["parts"][0]["url"]
    at.button(key="film_s").click().run()
    assert player(at)["player"]["parts"][0]["url"] == shown["player"]["parts"][0]["url"]  # type: ignore[index]
    at.button(key="film_r").click().run()
    assert player(at)["player"]["parts"][0]["url"] not in (shown["player"]["parts"][0]["url"], mixed["player"]["parts"][0]["url"])  # type: ignore[index]
    assert any("played backwards" in str(data) for data in components(at))
    at.session_state[film.WRONG] = "The file holds one picture."
    at.session_state[state.CLIPS] = {}
    at.run()
    assert errors(at) == ["The file holds one picture."] and any("no longer held" in warning.value for warning in at.warning)
    assert player(at) is None
