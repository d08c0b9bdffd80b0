"""Questions about photos: read, cut into pieces, asked of one person at a time, trained on, and scored by how many people agree."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from seq2seq_core.__main__ import main
from seq2seq_core.config import DecodeSettings, to_dict
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import SubwordTokenizer, from_dict
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.store.checkpoint import Checkpoint, load
from seq2seq_core.tasks import TASKS
from seq2seq_core.training.evaluation import LESS, evaluate_rows
from seq2seq_core.training.questions import DEV, TRAIN, QuestionData, photos_of, vocabulary
from seq2seq_core.training.readers import Row, read_rows
from seq2seq_core.training.recipe import prepare, read_recipe
from seq2seq_core.training.runner import run, take_over
from tests.core.tiny import tiny_model

HEADER = "image\tquestion\tanswer\tkind\tanswers\n"
LINE = "a.jpg\tWhat colour is it?\tred\tother\tred=6|dark red=3|pink=1\n"
RECIPE = """
name = "question/colors"

[model]
task = "question"
source = "image"
attention = "key-query"
wiring = "input"
source_vocab = 3
embedding = 8
hidden = 8
bidirectional = false
dropout = 0.0

[train]
epochs = 1
batch_size = 2
dev_limit = 2

[tokenizer]
size = 290
wholes = 3

[[data.train]]
questions = "train.tsv"
images = "photos"
without = "captions.tsv"

[[data.dev]]
questions = "dev.tsv"
images = "photos"
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_every_person_s_answer_stands_for_itself_and_the_usual_one_first(tmp_path: Path) -> None:
    path = write(tmp_path / "q.tsv", HEADER + "a.jpg\tHow many?\t2\tnumber\t3=1|2=9\n" + LINE)
    first, second = read_rows(path, TASKS["question"])
    assert first == Row(("a.jpg",), "How many?", ("2",) * 9 + ("3",), "number")
    assert Counter(second.right) == {"red": 6, "dark red": 3, "pink": 1} and second.kind == "other"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LINE, "line 1: the header must be image TAB question TAB answer TAB kind TAB answers."),
        (HEADER + "a.jpg\tWhat?\tred\tother\tred\n", "line 2: the number of people is 'red'; it must be a whole number from 1."),
        (HEADER + "a.jpg\tWhat?\tred\tother\t=3\n", "line 2: the answers are '=3'; they must be answer=people|answer=people..."),
        (HEADER + "a.jpg\tWhat?\tred\n", "line 2: found 3 field(s) instead of 5"),
    ],
)
def test_malformed_questions_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path / "q.tsv", text)
    with pytest.raises(InputError, match=re.escape(f"{path}, {message}")):
        read_rows(path, TASKS["question"])


def rows() -> list[Row]:
    people = ("dark red",) * 5 + ("red",) * 4 + ("a kind of pink",)
    return [Row(("p/a.jpg",), "What colour is it?", people, "other"), Row(("p/b.jpg",), "How many? 10?", ("10",) * 10, "number")]


def test_a_usual_answer_is_one_token_and_a_question_never_holds_it() -> None:
    tokenizer = vocabulary(rows() * 9, 300, wholes=2)
    (dark,), (ten,) = tokenizer.encode_whole("dark red"), tokenizer.encode_whole("10")
    assert (tokenizer.decode([dark]), tokenizer.decode([ten])) == ("dark red", "10")
    assert tokenizer.encode_whole("Dark Red") == [dark]  # in small letters, as all text is
    assert not {dark, ten} & set(tokenizer.encode("dark red 10").ids)
    seldom = tokenizer.encode_whole("a kind of pink")
    assert len(seldom) > 1 and tokenizer.decode(seldom) == "a kind of pink"
    stored = from_dict(json.loads(json.dumps(tokenizer.to_dict())))
    assert isinstance(stored, SubwordTokenizer) and stored.encode_whole("dark red") == [dark]
    assert tokenizer.with_wholes(["dark red"]).size == tokenizer.size


def test_over_the_epochs_each_answer_comes_as_often_as_people_gave_it() -> None:
    tokenizer = vocabulary(rows() * 9, 300, wholes=2).with_wholes(["red"])
    data = QuestionData(tuple(rows()), tuple(rows()), (), tokenizer)
    said = Counter(tokenizer.decode(one.target[one.given :]) for seed in range(600) for one in data.examples(seed)[:1])
    assert set(said) == {"dark red", "red"}  # what is not one token is learnt only where there is nothing else
    assert said["dark red"] / 600 == pytest.approx(5 / 9, abs=0.07)
    question = data.examples(0)[0]
    assert tokenizer.decode(question.target[: question.given]) == "what colour is it?"
    assert data.examples(3) == data.examples(3)
    assert [tokenizer.decode(one.target[one.given :]) for one in data.dev_examples()] == ["dark red", "10"]


def test_a_question_meets_its_own_photo() -> None:
    asked = [*rows(), replace(rows()[0], prompt="Is it?"), replace(rows()[1], given=("p/c.jpg",))]
    assert photos_of(asked) == ["p/a.jpg", "p/b.jpg", "p/c.jpg"]
    grids = tuple(np.full((3, 4, 2), array * 10, np.float16) + np.arange(3, dtype=np.float16)[:, None, None] for array in (DEV, TRAIN))
    data = QuestionData(tuple(asked), tuple(asked), grids, vocabulary(asked, 290, 1))
    batch = data.batch(data.examples(0))
    assert batch.source[:, 0, 0].tolist() == [10, 11, 10, 12]
    assert batch.given is not None and batch.given.tolist() == [one.given for one in data.examples(0)]
    assert data.batch(data.dev_examples()).source[:, 0, 0].tolist() == [0, 1, 0, 2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three photos, a recipe, and an image network that sees the mean colour of each quarter."""

    def see(self: Any, image: Image.Image) -> tuple[torch.Tensor, tuple[int, int]]:
        values = np.asarray(image.convert("RGB").resize((2, 2)), dtype=np.float32) / 255
        return torch.from_numpy(values.reshape(4, 3)), (2, 2)

    monkeypatch.setattr("seq2seq_core.inputs.vision.GridEncoder.__call__", see)
    monkeypatch.setattr("seq2seq_core.inputs.vision.GridEncoder.channels", 3)
    monkeypatch.setattr("seq2seq_core.inputs.vision.GridEncoder.grid", (2, 2))
    (tmp_path / "photos").mkdir()
    for name, color in (("a", (200, 0, 0)), ("b", (0, 200, 0)), ("c", (0, 0, 200))):
        Image.new("RGB", (64, 64), color).save(tmp_path / f"photos/{name}.jpg")
    asked = "b.jpg\tIs it green?\tyes\tyes/no\tyes=10\n"
    write(tmp_path / "train.tsv", HEADER + LINE + asked + "c.jpg\tWhat?\tsea\tother\tsea=9\n" + asked)
    write(tmp_path / "dev.tsv", HEADER + LINE + asked)
    write(tmp_path / "captions.tsv", "split\timage\tidx\tcaption\ndev\tc.jpg\t0\ta sea\ntrain\ta.jpg\t0\ta thing\n")
    write(tmp_path / "recipe.toml", RECIPE)
    return tmp_path


def test_a_recipe_is_trained_and_scored_by_kind(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in run(folder / "recipe.toml", folder, folder / "question/colors", cache=folder / "grids"):
        pass
    assert main(
        ["evaluate", str(folder / "question/colors"), "--data", str(folder / "dev.tsv"), "--files", str(folder / "photos"), "--json"]
    ) in (None, 0)
    scores = json.loads(capsys.readouterr().out)
    assert scores["n"] == 2 and set(scores["kinds"]) == {"other", "yes/no"}
    assert scores["score"] == pytest.approx(sum(scores["kinds"].values()) / 2, abs=0.01)


def test_photos_of_a_captioner_s_dev_are_not_asked_about_and_the_most_asked_come_first(folder: Path) -> None:
    recipe = read_recipe(folder / "recipe.toml")
    entry = recipe.train_data[0]
    assert photos_of(entry.asked(folder)) == ["photos/b.jpg", "photos/a.jpg"]
    assert photos_of(replace(entry, photos=1, without="").asked(folder)) == ["photos/b.jpg"]
    blind = replace(recipe, model=replace(recipe.model, source="none", attention="none", wiring="output"))
    data, config = prepare(blind, folder, cache=folder / "never")
    assert data.batch(data.dev_examples()).source.shape == (2, 0) and config.source == "none"
    assert not (folder / "never").exists()


def test_a_model_that_sees_no_photo_is_scored_on_the_same_rows(folder: Path) -> None:
    tokenizer = vocabulary(rows(), 300, 2)
    shape: dict[str, Any] = {"task": "question", "attention": "none", "target_vocab": tokenizer.size, "bidirectional": False}
    blind = Pipeline("question/question-only", tiny_model(source="none", **shape), None, tokenizer)
    found = evaluate_rows(blind, read_rows(folder / "dev.tsv", TASKS["question"]), DecodeSettings(search="greedy"), against=blind)
    assert found["n"] == 2 and found[LESS]["score"]["value"] == 0.0


def test_what_a_trained_model_knows_is_taken_over_piece_by_piece(folder: Path) -> None:
    for _ in run(folder / "recipe.toml", folder, folder / "question/colors", cache=folder / "grids"):
        pass
    known: Checkpoint = load(folder / "question/colors")
    tokenizer = known.target_tokenizer
    assert isinstance(tokenizer, SubwordTokenizer)
    other = tokenizer.with_wholes(["something else"])
    model = tiny_model(**{**to_dict(known.model.config), "target_vocab": other.size, "cell": "lstm"})
    before = model.decoder.embedding.weight[-1].clone()
    take_over(model, other, known)
    assert torch.equal(model.decoder.embedding.weight[: tokenizer.size], known.model.decoder.embedding.weight)
    assert torch.equal(model.decoder.embedding.weight[-1], before)
    theirs = dict(known.model.named_parameters())
    assert all(torch.equal(weight, theirs[name]) for name, weight in model.named_parameters() if name.startswith("encoder."))
