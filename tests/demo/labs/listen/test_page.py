"""The Listen page: samples, a visitor's own recording, and what is said of one that cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from demo import resources, state
from demo.blocks.ways_in import recording
from demo.given import recordings
from seq2seq_core.__main__ import main
from seq2seq_core.inputs.sound import FEATURES, RATE
from tests.core.tiny import save_tiny_model
from tests.demo.pages import errors, open_page, player, table, texts

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
    at.session_state[recording.CUT] = 600.0
    at.run()
    assert any("stays on this computer" in caption.value and "600 s" in caption.value for caption in at.caption)
    at.session_state[recording.WRONG] = "The recording is silent."
    at.run()
    assert errors(at) == ["The recording is silent."]
    at.run()
    assert not errors(at)


def test_errors_by_length_stand_on_bottleneck_and_the_page_leads_there(speech: Path, tmp_path: Path) -> None:
    assert not open_page("listen").get("page_link"), "without a model to hold it against there is nothing to see"
    save_tiny_model(speech / "speech" / "none", seed=4, task="speech", source="sound", source_vocab=FEATURES, attention="none")
    rows = []
    for count in (1, 1, 4, 4):
        name = f"{len(rows)}.wav"
        (tmp_path / name).write_bytes(recordings.as_wave((0.3 * np.sin(np.arange(count * RATE) / 6)).astype(np.float32)))
        rows.append(f"{name}\t{' '.join(['two'] * count)}\n")
    (tmp_path / "numbers.tsv").write_text("".join(rows))
    for variant in ("none", "additive"):
        given = ["--data", str(tmp_path / "numbers.tsv"), "--files", str(tmp_path), "--record", "Tones", "--json"]
        assert main(["evaluate", f"speech/{variant}", *given]) == 0
    resources.shelf.clear()
    (link,) = open_page("listen").get("page_link")
    at = open_page("bottleneck", **{key: values[0] for key, values in parse_qs(link.proto.query_string).items()})
    assert not errors(at)
    assert texts(table(at, "Digit errors")) == ["none", "additive"]
    assert not [menu for menu in at.selectbox if menu.label == "of length"], "a recording of the set is not ours to show"
