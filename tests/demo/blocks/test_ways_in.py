"""What is no text can be given wherever it is read: on pages for every task as on its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from demo import resources, state
from demo.blocks import steer_from
from demo.given import assets, clips, recordings
from demo.labs.steer import LAB as STEER
from demo.query import Query
from seq2seq_core.inputs.clip import FRAMES, SIDE, Clip
from seq2seq_core.inputs.eyes import FEATURES as SEEN
from seq2seq_core.inputs.sound import FEATURES as HEARD
from seq2seq_core.inputs.sound import RATE
from seq2seq_core.study.left_out import STRETCHES
from tests.core.tiny import save_tiny_model
from tests.demo.pages import components, equations, errors, open_page, player, table, texts

Install = Callable[[Path], Path]
OF = {"speech": ("recording", "stretch"), "clip": ("clip", "frame")}  # what is read, and what a position of it is called
each_task = pytest.mark.parametrize("task", OF)


@pytest.fixture(autouse=True)
def models(tmp_path: Path, install: Install) -> Path:
    for variant in ("none", "additive"):
        for task, source, size in (("speech", "sound", HEARD), ("clip", "clip", SEEN), ("gesture", "clip", SEEN)):
            folder = tmp_path / "models" / task / variant
            save_tiny_model(folder, seed=3, task=task, source=source, source_vocab=size, attention=variant)
    save_tiny_model(tmp_path / "models" / "clip" / "mean", seed=4, task="clip", source="clip", source_vocab=SEEN, ordered=False)
    return install(tmp_path / "models")


def asked(task: str, **said: object) -> Query:
    (query,) = STEER.queries(state.values_of("") | {"task": task} | said).values()
    return query


def bring(at: AppTest, task: str) -> None:
    """What a visitor has brought on this page or another."""
    if task == "speech":
        tone = (0.3 * np.sin(np.arange(2 * RATE) / 6)).astype(np.float32)
        at.session_state[state.SOUNDS] = {recordings.OWN + "1": recordings.as_wave(tone)}
        at.session_state[state.OWN_SOUND] = recordings.OWN + "1"
    else:
        at.session_state[state.CLIPS] = {clips.OWN + "1": Clip(np.zeros((FRAMES, SIDE, SIDE, 3), np.uint8))}
        at.session_state[state.OWN_CLIP] = clips.OWN + "1"
    at.run()


@pytest.mark.parametrize(("page", "task"), [("steer", "speech"), ("compare", "clip"), ("how_it_works", "speech"), ("how_it_works", "clip")])
def test_the_samples_and_an_own_one_are_shown(page: str, task: str) -> None:
    at = open_page(page, task=task)
    found = player(at)
    assert found is not None and not errors(at)
    part = next(data for data in components(at) if data.get("player", {}).get("parts"))["player"]["parts"][0]
    assert part["name"] == OF[task][0]
    samples = [button for button in at.button if str(button.key).startswith("sample_")]
    samples[1].click().run()
    other = next(data for data in components(at) if data.get("player", {}).get("parts"))["player"]["parts"][0]
    assert other["url"] != part["url"]
    bring(at, task)
    own = next(data for data in components(at) if data.get("player", {}).get("parts"))["player"]["parts"][0]
    assert own["url"] not in (part["url"], other["url"]) and not errors(at)
    told = [data["without"] for data in components(at) if data.get("without")]
    assert told == [f"Your {OF[task][0]} is not in it: it stays on this computer. To pass it on, take Export, Player, one HTML file."]


@each_task
@pytest.mark.parametrize("part", ["play", "move attention", "oracle"])
def test_it_is_steered(task: str, part: str) -> None:
    at = open_page("steer", task=task, part=part, edits="h0_1")
    assert not errors(at)
    thing, cell = OF[task]
    assert any(button.label == f"2 {'stretches' if cell == 'stretch' else 'frames'} blocked" for button in at.button)
    painters = [data for data in components(at) if "tall" in data and "thing" in data]
    assert [(data["thing"], data["cell"]) for data in painters] == [(thing, cell)] * (part in ("move attention", "oracle"))
    assert all(len(data["names"]) == data["rows"] * data["columns"] for data in painters)


@each_task
def test_a_stretch_is_left_out_and_what_is_left_is_read_anew(task: str) -> None:
    at = open_page("steer", task=task, part="explanation", step="1")
    found = table(at, "The regions")
    assert found is not None
    pipeline, query = resources.pipeline(f"{task}/additive"), asked(task)
    from seq2seq_core.study.left_out import leave_region_out

    trace = resources.answer(query)
    left = leave_region_out(pipeline, resources.encoded(query), trace.token_ids(), 0, query.settings)
    positions = [position for one in left for position in one.positions]
    assert positions == list(range(trace.positions)) and len(left) == STRETCHES
    assert left[0].word.startswith("0.00 s" if task == "speech" else "frame 1")
    assert set(texts(found)) <= {one.word for one in left}
    assert any(abs(one.drop) > 1e-4 for one in left)


def test_frames_that_are_a_set_may_come_in_any_order() -> None:
    told = {
        model: "".join(each.value for each in open_page("steer", task="clip", part="shuffle", clip_model=model).markdown)
        for model in ("additive", "mean")
    }
    assert "The encoder reads them one by one." in told["additive"]
    assert "What reads the clip does not know where one lies, either." in told["mean"]


def test_the_encoder_is_written_out() -> None:
    heard = equations(open_page("how_it_works", task="speech", step="0"))
    assert "conv" in heard and r"\overleftarrow{h}" in heard
    seen = equations(open_page("how_it_works", task="clip", step="0"))
    assert "f_j - f_{j-4}" in seen and r"\overleftarrow{h}" in seen
    alone = equations(open_page("how_it_works", task="clip", clip_model="mean", step="0"))
    assert "f_{j-4}" not in alone and "h_j = x_j" in alone


@each_task
def test_variants_stand_side_by_side(task: str) -> None:
    at = open_page("compare", task=task)
    outputs = table(at, "Outputs")
    queries = [asked(task, **{f"{task}_model": name}) for name in ("none", "additive")]
    assert texts(outputs) == [resources.answer(query).text() for query in queries]
    titled = [data for data in components(at) if data.get("player", {}).get("title")]
    assert [data["player"]["title"] for data in titled] == ["none", "additive"]
    assert all(data["player"]["parts"][0]["url"] for data in titled)


@each_task
def test_its_own_page_leads_to_steer(task: str) -> None:
    at = open_page("listen" if task == "speech" else "watch")
    found = player(at)
    assert found is not None
    assert found["layout"]["actions"] == list(steer_from.ACTIONS)
    query = asked(task)
    said = steer_from.link_to(steer_from.Place(query, resources.answer(query).token_ids()[:1], "play"))
    assert said["task"] == [task] and said["recording" if task == "speech" else "clip"] == [query.asset.name if query.asset else ""]


def test_without_a_film_it_is_said_what_to_do() -> None:
    for page in ("steer", "compare", "how_it_works"):
        at = open_page(page, task="gesture")
        assert not errors(at)
        assert at.info[0].value.startswith("Take Your film") and player(at) is None


@pytest.mark.parametrize("page", ["translate", "bottleneck"])
def test_elsewhere_a_link_has_nothing_to_leave_out(page: str) -> None:
    at = open_page(page)
    bring(at, "speech")
    assert not [data for data in components(at) if data.get("without")]
    assert assets.named("sound", "").name == recordings.SAMPLES[0].name
