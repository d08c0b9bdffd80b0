"""Recordings on their way to a player: samples that are there, pictures whose columns are the cells of the grid, stretches of sound."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from demo.components.player.data import player_data
from demo.given import recordings
from demo.query import Asset
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.grid import GridGeometry
from seq2seq_core.inputs.recording import open_recording
from seq2seq_core.inputs.sound import POSITION_SECONDS, RATE, SHAPE, Sound, as_grid
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.study.measures import onward, stretches
from tests.core.inputs.test_sound import burst
from tests.core.tiny import LETTERS, tiny_model

MODELS = Path(__file__).resolve().parents[2] / "models"


@pytest.mark.parametrize("place", [2, 17, 40])
def test_a_burst_is_drawn_under_the_cell_of_its_position(place: int) -> None:
    """What the attention of that position is laid over, in the player and in exports."""
    sound = Sound(burst(2.0, place * POSITION_SECONDS, 0.03), 2.0)
    grid = as_grid(sound)
    drawn = np.asarray(recordings.spectrogram(sound).convert("L"), dtype=float)
    assert drawn.shape == SHAPE[::-1]
    box = GridGeometry(*SHAPE, *grid.shape).box(place)
    darkest = int(drawn.mean(0).argmin())
    assert box.left - 2 <= darkest <= box.right + 2
    assert int(grid.features.sum(1).argmax()) == place


def test_every_sample_can_be_heard() -> None:
    for sample in recordings.SAMPLES:
        sound = recordings.sound(Asset("sound", sample.name))
        assert 0.5 < sound.seconds < 6 and np.abs(sound.samples).max() > 0.05
    assert recordings.named("no such thing").name == recordings.SAMPLES[0].name
    with pytest.raises(InputError, match="no longer held"):
        recordings.sound(Asset("sound", recordings.OWN + "0"))


def test_the_shipped_model_hears_every_sample() -> None:
    if not (MODELS / "speech" / "additive").is_dir():
        pytest.skip("no speech model is shipped")
    model = Pipeline.load(MODELS / "speech" / "additive")
    for sample in recordings.SAMPLES:
        trace = model.decode(recordings.sound(Asset("sound", sample.name)))
        assert trace.text() == sample.number
        words = trace.attention()[: len(sample.number.split())]
        assert onward(words) == 1.0


def test_what_is_kept_of_an_upload_is_what_was_read() -> None:
    samples = (0.3 * np.sin(np.arange(RATE) / 5)).astype(np.float32)
    again = open_recording(recordings.as_wave(samples))
    np.testing.assert_allclose(again.samples, samples - samples.mean(), atol=2e-4)


def test_stretches_part_the_sound_between_the_words() -> None:
    rows = np.zeros((3, 50))
    rows[0, 5], rows[1, 12], rows[2, 40] = 1, 1, 1
    found = stretches(rows, 0.04)
    assert [round(end, 2) for _, end in found] == [0.36, 0.95, 2.0] or found[0][1] == pytest.approx(0.36)
    assert all(begin < (middle + 0.5) * 0.04 < end for (begin, end), middle in zip(found, (5, 12, 40), strict=True))
    assert found[0][1] == found[1][0] and onward(rows) == 1.0
    assert onward(rows[::-1]) == 0.0 and onward(rows[:1]) is None and stretches(np.zeros((3, 0)), 0.04) == []


def test_a_player_gets_the_sound_and_a_stretch_for_every_token() -> None:
    model = tiny_model(3, task="speech", source="sound", source_vocab=160)
    asset = Asset("sound", recordings.SAMPLES[0].name)
    trace = Pipeline("speech/additive", model, None, LETTERS).decode(recordings.sound(asset))
    data = player_data(trace, image_url=recordings.picture_url(asset), sound_url=recordings.sound_url(asset))
    assert data["kind"] == "image" and len(data["sound"]["stretches"]) == len(data["target"]["tokens"])
    assert re.match("data:audio/wav;base64,UklGR", data["sound"]["url"])
    assert data["parts"][0]["labels"][3] == "0.12 s" and data["parts"][0]["rows"] == 1
    with pytest.raises(ValueError, match="WAV"):
        player_data(trace, sound_url="data:text/html;base64,AAAA")
