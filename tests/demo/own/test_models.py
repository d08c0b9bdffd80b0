"""A visitor's own models: kept from a run or an upload, opened on the pages that decode, and nobody else's."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from demo import resources, state
from demo.labs.train import view
from demo.own import models
from demo.own import runs as trainings
from demo.own.runs import Run
from demo.own.time_machine import Film
from demo.own.training import ENDED, Training
from seq2seq_core.store.package import pack_model
from seq2seq_core.study.training_step import losses_of
from seq2seq_core.toys.job import Job
from seq2seq_core.toys.live import Control, Live
from seq2seq_core.toys.messages import MODEL_FOLDER, write_job
from tests.demo.own.patience import until
from tests.demo.pages import components, errors, open_page, player, result, table, texts

pytestmark = pytest.mark.usefixtures("models")


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Models of two tasks with a few steps of training: one of text, one of pictures."""
    found = {}
    for toy in ("copy", "shapes"):
        folder = tmp_path_factory.mktemp(toy)
        list(Live(Job(toy, hidden=8, steps=3), folder).reports(Control()))
        found[toy] = pack_model(folder / MODEL_FOLDER)
    return found


def upload(packed: bytes) -> AppTest:
    at = open_page("train")
    at.session_state[state.TRAIN_PART.key] = "Models"
    at.run()
    at.file_uploader(key="uploaded_model").set_value(("model.zip", packed, "application/zip")).run()
    assert not at.exception and not at.error
    return at


def name_in(at: AppTest) -> str:
    return next(iter(at.session_state[models.MODELS]))


def go(at: AppTest, page: str, **values: object) -> AppTest:
    """To another page of the same session, as a link of the app does."""
    for key, value in values.items():
        at.session_state[key] = value
    at.switch_page(f"pages/{page}.py").run()
    assert not at.exception
    return at


def test_a_model_can_be_seen_at_moments_of_its_training_while_that_is_there(tmp_path: Path) -> None:
    job = Job("copy", hidden=8, steps=3)
    live = Live(job, tmp_path)
    list(live.reports(Control()))
    at = upload(pack_model(tmp_path / MODEL_FOLDER))
    (model,) = at.session_state[models.MODELS].values()
    training = Training(tmp_path, job.to_dict())
    training.progress.moments = live.keeper.steps
    at.session_state[models.MODELS] = {model.name: replace(model, training=training)}
    go(at, "training_step", model=model.name, sentence="lamp", after_step=live.keeper.steps[1])
    assert not at.error
    data = next(each for each in components(at) if "places" in each)
    then = Film(tmp_path, "copy").pipeline_at(live.keeper.steps[1])
    wanted = losses_of(then.model, then.read("lamp")[0].ids, then.target_tokenizer.encode("lamp").ids)
    assert data["losses"] == pytest.approx(wanted, rel=1e-3)
    (tmp_path / MODEL_FOLDER).rename(tmp_path / "gone")
    at.run()
    (menu,) = (each for each in at.selectbox if each.label == "Training")
    assert not at.error and menu.options == ["at its end", "before its training"]


def test_a_loaded_model_decodes_in_translate_and_steer(packed: dict[str, bytes]) -> None:
    at = upload(packed["copy"])
    name = name_in(at)
    assert name.startswith("my copy additive ")
    links = {each.proto.label: each.proto.query_string for each in at.get("page_link")}
    assert set(links) == {"Translate", "Compare", "Steer"} and "model=my+copy" in links["Translate"]
    go(at, "translate", model=name, sentence="lamp")
    shown = player(at)
    assert shown is not None and shown["player"]["parts"][0]["words"] == list("lamp")
    go(at, "steer", model=name, sentence="lamp")
    assert not at.error and player(at) is not None


def test_in_compare_it_stands_beside_others(packed: dict[str, bytes]) -> None:
    at = upload(packed["copy"])
    go(at, "compare", variants=["additive", name_in(at)], sentence="ab")
    assert not at.error
    found = table(at, "Outputs")
    assert found is not None and [row["lead"] for row in found["rows"]] == ["additive", name_in(at)]
    assert len(texts(found)) == 2


def test_a_model_of_pictures_is_tried_where_it_is(packed: dict[str, bytes]) -> None:
    at = upload(packed["shapes"])
    assert not at.get("page_link")
    assert any("no place for" in each.value for each in at.caption)
    shown = player(at)
    assert shown is not None and shown["player"]["kind"] == "image"
    at.text_input(key="scene_input").set_value("a red elephant").run()
    assert not at.exception and len(errors(at)) == 1
    go(at, "translate")
    assert name_in(at) not in at.selectbox(key="model").options


@pytest.mark.parametrize(("page", "key"), [("translate", "model"), ("steer", "model"), ("compare", "variants")])
def test_a_link_with_another_sessions_model_gives_one_sentence(packed: dict[str, bytes], page: str, key: str) -> None:
    name = name_in(upload(packed["copy"]))
    at = open_page(page, **{key: name})
    assert errors(at) == [models.elsewhere(repr(name))]
    assert not result(at)
    at.run()
    assert not at.error, "what the menu shows instead is decoded when the page is drawn again"


def test_what_a_card_of_elsewhere_says_is_not_believed(packed: dict[str, bytes]) -> None:
    altered, content = io.BytesIO(), zipfile.ZipFile(io.BytesIO(packed["copy"]))
    with zipfile.ZipFile(altered, "w") as archive:
        for name in content.namelist():
            data = content.read(name)
            if name.endswith("model.json"):
                card = json.loads(data)
                card["config"].pop("attention")  # its default is what it was
                said = {"scores": 5, "training_dev": [], "parameters": "many", "held_out_exact": "all", "toy": {"toy": "*juggling*"}}
                data = json.dumps({**card, **said}).encode()
            archive.writestr(name, data)
    at = upload(altered.getvalue())
    assert name_in(at).startswith("my model additive ")
    assert any(re.fullmatch(r"[\d,]+ weights", each.value) for each in at.caption)
    go(at, "compare", variants=["additive", name_in(at)], sentence="ab")
    assert not at.error


def test_a_language_model_goes_on_where_language_models_do(every_model: Path, tmp_path: Path) -> None:
    job = Job("own text", hidden=8, steps=3)
    write_job(tmp_path, job.to_dict(), "The sea is wide, the ship is small.\n" * 20)
    list(Live(job, tmp_path).reports(Control()))
    at = upload(pack_model(tmp_path / MODEL_FOLDER))
    name = name_in(at)
    assert name.startswith("my text gru ")
    go(at, "language_model", language_model=name, beginning="The ship", search="sample")
    assert not at.error and result(at).startswith("The ship")
    scored = go(at, "language_model", language_model=name, do="score", scored="The ship is wide.")
    assert not scored.error
    assert name not in [option for box in go(at, "translate").selectbox for option in box.options]


def test_an_id_alone_opens_nothing(packed: dict[str, bytes]) -> None:
    at = upload(packed["copy"])
    model_id = at.session_state[models.MODELS][name_in(at)].id
    resources.pipeline.clear()
    other = open_page("translate", model=model_id)
    assert not other.exception and result(other) == "I like it."


def test_only_so_many_are_kept(packed: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "MOST", 1)
    at = upload(packed["copy"])
    at.file_uploader(key="uploaded_model").set_value(("model.zip", packed["shapes"], "application/zip")).run()
    assert [name.split()[1] for name in at.session_state[models.MODELS]] == ["shapes"]


@pytest.fixture(scope="module")
def ended() -> Iterator[Run]:
    """A run of two real processes, which was stopped after a few steps. The last test here removes it."""
    run = trainings.all_runs().start([Job("copy", hidden=8), Job("copy", attention="none", hidden=8)])
    until(lambda: all(training.progress.step for training in run.trainings) or run.stage in ENDED)
    run.stop()
    until(lambda: run.stage in ENDED)
    yield run
    trainings.all_runs().remove(run)


@pytest.fixture
def finished(ended: Run, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page of the visitor whose run it is."""
    monkeypatch.setattr(view, "visitor", lambda: lambda: True)  # between two runs of its script an AppTest is not there
    monkeypatch.setattr(ended, "alive", lambda: True)
    at = open_page("train")
    at.session_state[state.TRAINING_RUNS] = [ended.id]
    for key, value in {"preset": "copy", "hidden": 8, "second": "none", "watched": "lamp", state.TRAIN_PART.key: "Models"}.items():
        at.session_state[key] = value
    return at.run()


def test_another_task_leaves_the_run_before_to_be_seen(finished: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    at = finished
    copied = at.session_state[state.TRAINING_RUNS][-1]
    monkeypatch.setattr(view, "jobs", lambda: [Job("reverse", hidden=8, steps=2)])
    at.session_state["preset"] = "reverse"
    at.run()
    next(each for each in at.button if each.label == "Start").click().run()
    begun = at.session_state[state.TRAINING_RUNS][-1]
    assert begun != copied and trainings.all_runs().find(copied) is not None
    assert at.query_params["runs"] == [copied, begun]
    until(lambda: trainings.all_runs().find(begun).stage in ENDED)  # type: ignore[union-attr]
    at.run()
    assert {name.split()[1] for name in at.session_state[models.MODELS]} == {"copy", "reverse"}
    at.session_state["preset"] = "copy"
    at.run()
    assert any("player" in data or data.get("id") == copied for data in components(at))
    trainings.all_runs().remove(trainings.all_runs().find(begun))  # type: ignore[arg-type]


def test_a_page_that_is_loaded_again_finds_its_run_and_a_stranger_does_not(finished: AppTest) -> None:
    run_id = finished.session_state[state.TRAINING_RUNS][-1]
    run = trainings.all_runs().find(run_id)
    assert run is not None and len(run_id) == 32
    stranger = open_page("train", preset="copy", runs=run_id)
    assert any("belongs to a window that is open" in each.value for each in stranger.info)
    assert stranger.session_state[state.TRAINING_RUNS] == [] and run.alive()
    run.alive = lambda: False  # the tab was closed, or its page is being loaded again
    again = open_page("train", preset="copy", runs=run_id)
    assert again.session_state[state.TRAINING_RUNS] == [run_id]
    assert any(data.get("id") == run_id for data in components(again))
    assert not open_page("train", preset="copy", runs="0" * 32).session_state[state.TRAINING_RUNS]


def test_a_run_that_has_ended_leaves_its_models_even_when_it_is_gone(finished: AppTest) -> None:
    at = finished
    assert not at.exception and not at.error
    names = list(at.session_state[models.MODELS])
    assert [name.split()[:3] for name in names] == [["my", "copy", "none"], ["my", "copy", "additive"]]
    labels = [each.label for each in at.get("download_button")]
    assert [label.rsplit("-", 1)[0] for label in labels] == ["Download copy-additive", "Download copy-none"]
    compared = [each.proto.query_string for each in at.get("page_link") if each.proto.label == "Compare"]
    assert all(each.count("variants=") == 2 for each in compared)
    trainings.all_runs().remove(trainings.all_runs().find(at.session_state[state.TRAINING_RUNS][-1]))  # type: ignore[arg-type]
    go(at, "compare", variants=names, sentence="lamp")
    found = table(at, "Outputs")
    assert found is not None and len(found["rows"]) == 2
