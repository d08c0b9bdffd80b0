"""The Listen page: samples, a visitor's own recording, and what is said of one that cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from demo import state
from demo.given import recordings
from demo.labs.listen import given
from seq2seq_core.inputs.sound import FEATURES, RATE
from tests.core.tiny import save_tiny_model
from tests.demo.pages import errors, open_page, player

Install = Callable[[Path], Path]


@pytest.fixture
def speech(tmp_path: Path, install: Install) -> Path:
    save_tiny_model(tmp_path / "models" / "speech" / "additive", seed=3, task="speech", source="sound", source_vocab=FEATURES)
    return install(tmp_path / "models")


def shown(at: AppTest) -> str:
    found = player(at)
    assert found is not None
    return str(found["player"]["sound"]["url"])


@pytest.mark.usefixtures("speech")
def test_samples_and_an_own_recording_are_shown_with_their_sound() -> None:
    at = open_page("listen")
    found = player(at)
    assert found is not None
    assert found["player"]["kind"] == "image" and found["player"]["parts"][0]["rows"] == 1
    first = shown(at)
    next(button for button in at.button if button.label == recordings.SAMPLES[1].number).click().run()
    assert shown(at) != first and at.query_params["recording"] == recordings.SAMPLES[1].name
    tone = (0.3 * np.sin(np.arange(RATE) / 6)).astype(np.float32)
    own = recordings.OWN + "1"
    at.session_state[state.SOUNDS] = {own: recordings.as_wave(tone)}
    at.session_state[state.OWN_SOUND] = own
    at.session_state[given.CUT] = 600.0
    at.run()
    assert any("stays on this computer" in caption.value and "600 s" in caption.value for caption in at.caption)
    at.session_state[given.WRONG] = "The recording is silent."
    at.run()
    assert errors(at) == ["The recording is silent."]
    at.run()
    assert not errors(at)
