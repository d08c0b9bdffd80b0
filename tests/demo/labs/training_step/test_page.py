"""Training step as a visitor meets it: the numbers are the core's, for every task, and what cannot be shown is one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from demo import resources, state
from demo.labs.training_step.data import RATES, step_data
from demo.labs.training_step.pairs import CAPTIONS, RIGHT
from demo.labs.training_step.view import DATA
from demo.tasks import TASKS
from demo.wording import plain
from seq2seq_core.inputs.text import known_ids
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.study.training_step import losses_of, training_step
from tests.demo.conftest import WithMoments
from tests.demo.pages import components, errors, open_page

SENTENCE, RIGHT_ONE = "Das gefällt mir.", "I like it."


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    step_data.clear()


def shown(at: AppTest) -> dict[str, Any]:
    return next(data for data in components(at) if "places" in data)


def core(model_id: str, right: str, step: int | None = None, sentence: str = SENTENCE) -> Any:
    pipeline = resources.pipeline(model_id)
    return training_step(pipeline.model, pipeline.read(sentence)[0].ids, known_ids(right, pipeline.target_tokenizer), step)


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("model", ["additive", "multi-head", "none"])
def test_what_is_shown_is_what_the_core_finds(model: str) -> None:
    data = shown(open_page("training_step", sentence=SENTENCE, right=RIGHT_ONE, model=model))
    found = core(f"translation/{model}", RIGHT_ONE)
    assert data["losses"] == pytest.approx(found.losses, rel=1e-3) and data["loss"] == pytest.approx(found.loss, rel=1e-3)
    assert [each["norm"] for each in data["decoder"]] == pytest.approx(np.linalg.norm(found.decoder.whole, axis=1), rel=1e-3)
    for each in [*data["decoder"], *data["encoder"]]:
        assert sum(share for _, share in each["ways"]) == pytest.approx(each["norm"], rel=2e-3, abs=1e-6)
        assert each["off"] < 1e-5
    assert [each["norm"] for each in data["encoder"]] == pytest.approx(np.linalg.norm(found.encoder.whole, axis=1), rel=1e-3)
    assert (data["looking"] is not None) == (model != "none")
    kinds = [place["kind"] for place in data["places"]]
    steps, source = len(found.target), len(data["source"])
    assert kinds == ["forward", *["step"] * steps, "start", *["source"] * source, "update"]
    assert data["outputs"][0][0][1] - data["outputs"][0][0][2] == pytest.approx(1, abs=1e-3), "p - 1 at the right token, which comes first"


@pytest.mark.usefixtures("models")
def test_one_loss_alone_goes_back_from_its_own_step() -> None:
    data = shown(open_page("training_step", sentence=SENTENCE, right=RIGHT_ONE, loss_of="2"))
    assert data["of"] == 1 and data["loss"] == pytest.approx(core("translation/additive", RIGHT_ONE, 1).loss, rel=1e-3)
    assert [place.get("at") for place in data["places"][:4]] == [None, 1, 0, None]
    assert data["decoder"][3]["norm"] == 0 < data["decoder"][2]["norm"]
    last = shown(open_page("training_step", sentence=SENTENCE, right=RIGHT_ONE, loss_of="60"))
    assert last["of"] == len(last["target"]) - 1


@pytest.mark.usefixtures("models")
def test_the_update_is_scored_and_the_shared_model_stays() -> None:
    data = shown(open_page("training_step", sentence=SENTENCE, right=RIGHT_ONE, update_rate="0.1"))
    assert [each["rate"] for each in data["updates"]] == list(RATES) and RATES[data["rate"]] == 0.1
    pipeline = resources.pipeline("translation/additive")
    now = losses_of(pipeline.model, pipeline.read(SENTENCE)[0].ids, known_ids(RIGHT_ONE, pipeline.target_tokenizer))
    assert data["losses"] == pytest.approx(now, rel=1e-3)
    assert sum(data["updates"][0]["losses"]) < sum(now)


@pytest.mark.usefixtures("models")
def test_without_a_right_answer_a_known_one_is_taken_else_the_models_own() -> None:
    data = shown(open_page("training_step", sentence=SENTENCE))
    assert "".join(data["target"]).replace("␣", "") == "Ilikethat.end"
    own = shown(open_page("training_step", sentence="Das gefällt dir."))
    said = resources.pipeline("translation/additive").decode("Das gefällt dir.", state.settings_of(state.values_of("search=greedy")))
    assert len(own["target"]) == len(said.tokens())


@pytest.mark.usefixtures("every_model")
def test_a_photo_goes_back_to_its_features() -> None:
    at = open_page("training_step", task="captioning", photo="cat")
    data = shown(at)
    assert "Images with captions" in [each.value for each in at.subheader]
    assert all(any(plain(said) == each.value for each in at.markdown) for name in DATA for said in CAPTIONS[name])
    rows, columns = data["photo"]["rows"], data["photo"]["columns"]
    assert [place["kind"] for place in data["places"]][-3:] == ["start", "photo", "update"]
    assert len(data["photo"]["norms"]) == len(data["encoder"]) == rows * columns and max(data["photo"]["norms"]) > 0
    assert data["photo"]["url"].startswith("data:image/jpeg")


@pytest.mark.usefixtures("every_model")
def test_a_word_goes_back_letter_by_letter() -> None:
    assert shown(open_page("training_step", task="transliteration", word="dosti"))["source"] == list("dosti")


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"task": "transliteration", "right": "abc"}, "is not in this model's output vocabulary"),
        ({"sentence": "so " * 70}, "shorten it"),
        ({"right": "like " * 70}, "shorten it"),
        ({"sentence": "\u0007"}, "control character"),
    ],
)
def test_what_cannot_be_shown_is_said(link: dict[str, str], said: str) -> None:
    at = open_page("training_step", **{"sentence": SENTENCE, "right": RIGHT_ONE} | link)
    assert len(errors(at)) == 1 and said in errors(at)[0]


def test_a_moment_of_the_training(with_moments: WithMoments) -> None:
    """The beginning of the training is another model: nothing learnt, so all words are about alike."""
    with_moments({0: 0.01, 90: 1.0})
    begin = shown(open_page("training_step", sentence=SENTENCE, right=RIGHT_ONE, after_step="0"))
    assert begin["losses"] == pytest.approx(
        [np.log(Pipeline.load("translation/additive").target_tokenizer.size)] * len(begin["losses"]), rel=0.1
    )
    assert shown(open_page("training_step", sentence=SENTENCE, right=RIGHT_ONE))["loss"] < begin["loss"]


@pytest.mark.usefixtures("every_model")
@pytest.mark.parametrize("task", ["translation", "captioning"])
def test_before_its_training_every_model_can_be_seen(task: str) -> None:
    """Nothing of its moments is stored: the weights are drawn anew, as before the first step, and every token is about as likely."""
    given = {"photo": "cat"} if task == "captioning" else {"sentence": SENTENCE, "right": RIGHT_ONE}
    at = open_page("training_step", task=task, after_step="0", **given)
    menu = next(each for each in at.selectbox if each.label == "Training")
    assert menu.options == ["at its end", "before its training"] and menu.value == 0
    data = shown(at)
    size = resources.pipeline("captioning/soft" if task == "captioning" else "translation/additive").target_tokenizer.size
    assert data["losses"] == pytest.approx([np.log(size)] * len(data["losses"]), rel=0.2)
    assert "as they were drawn at random" in data["remark"]
    assert max(each["off"] for each in [*data["decoder"], *data["encoder"]]) < 1e-5


@pytest.mark.parametrize("task", ["translation", "transliteration"])
def test_every_example_has_an_answer_that_is_known(task: str) -> None:
    known = {source for pairs in RIGHT.values() for source in pairs}
    assert {example.text for offered in TASKS[task].offered.values() for example in offered} <= known


@pytest.mark.usefixtures("language_models")
def test_a_language_model_learns_what_is_typed_and_has_no_encoder() -> None:
    data = shown(open_page("training_step", task="language", beginning="I like it."))
    assert data["encoder"] == [] and data["source"] == []
    assert [place["kind"] for place in data["places"]] == ["forward", *["step"] * len(data["target"]), "update"]
    assert [name for name, _ in data["decoder"][1]["ways"]] == ["output", "next state"]
