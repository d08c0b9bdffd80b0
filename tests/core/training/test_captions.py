"""Captioned photos: read from a recipe, encoded once, seen in one of several views, trained on, and scored."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from seq2seq_core.__main__ import main
from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs import views, vision
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.store.checkpoint import load
from seq2seq_core.training.captions import DEV, CaptionData, Captioned, as_grid, caption_text
from seq2seq_core.training.evaluation import SCORERS, differences, evaluate, evaluate_entry
from seq2seq_core.training.loop import EpochEvent, FinishedEvent
from seq2seq_core.training.named_files import Photos
from seq2seq_core.training.objective import Objective
from seq2seq_core.training.recipe import prepare, read_recipe
from seq2seq_core.training.runner import run
from tests.core.tiny import LETTERS, tiny_config, tiny_model

CONFIGS = Path(__file__).resolve().parents[3] / "configs"
COLORS = {"red": (220, 20, 20), "green": (20, 200, 20), "blue": (20, 20, 230)}
CHANNELS = 3
WHOLE, MIRRORED = 1, 2  # the arrays of the first two views
RECIPE = """
name = "captioning/colors"

[model]
task = "captioning"
source = "image"
attention = "ATTENTION"
source_vocab = 3
embedding = 16
hidden = 32
tie_output = false
bidirectional = false
dropout = 0.0
label_smoothing = 0.0

[train]
epochs = EPOCHS
batch_size = 8
learning_rate = 0.01
dev_limit = 3

[tokenizer]
size = 330

[[data.train]]
captions = "captions.tsv"
images = "photos"
split = "train"
views = VIEWS

[[data.dev]]
name = "colors"
captions = "captions.tsv"
images = "photos"
split = "dev"
"""


def recipe(attention: str, epochs: int, views: int = 2) -> str:
    return RECIPE.replace("ATTENTION", attention).replace("EPOCHS", str(epochs)).replace("VIEWS", str(views))


def halves(image: Image.Image) -> np.ndarray:
    """A stand-in for the image network: 2 x 2 cells, the mean colour of each."""
    small = np.asarray(image.convert("RGB").resize((2, 2), Image.Resampling.BOX), dtype=np.float32)
    return small.reshape(4, CHANNELS) / 255


def encode(_: Any, paths: list[Path], cache: Path, view: int = 0, advance: Any = lambda _: None, share: float = 0.0) -> np.ndarray:
    grids, chance = [], np.random.default_rng(view)
    for path in paths:
        grids.append(halves(views.view_of(Image.open(path), view, chance)))
        advance(1)
    return np.stack(grids).astype(np.float16)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Photos whose left half has a colour, each with two captions."""
    monkeypatch.setattr(views, "encode_files", encode)
    monkeypatch.setattr(vision.GridEncoder, "__call__", lambda _, image: (torch.from_numpy(halves(image)), (2, 2)))
    (tmp_path / "photos").mkdir()
    rows = ["split\timage\tidx\tcaption"]
    for split, count in (("train", 4), ("dev", 1)):
        for color, rgb in COLORS.items():
            for number in range(count):
                name = f"{split}-{color}-{number}.png"
                image = Image.new("RGB", (40, 40), (10 * number,) * 3)
                image.paste(rgb, (0, 0, 20, 40))
                image.save(tmp_path / "photos" / name)
                rows += [
                    f"{split}\t{name}\t{place}\t{caption}"
                    for place, caption in enumerate((f"A {color} half is left .", f"This half is {color} ."))
                ]
    (tmp_path / "captions.tsv").write_text("\n".join(rows) + "\n")
    (tmp_path / "recipe.toml").write_text(recipe("additive", 3))
    return tmp_path


def test_what_is_learnt_is_what_is_scored() -> None:
    assert caption_text("A man 's dog , wet , jumps .") == "a man s dog wet jumps"


def test_an_example_names_its_photo_and_the_view_follows_the_seed(data: Path) -> None:
    dataset, config = prepare(read_recipe(data / "recipe.toml"), data)
    assert config.source_vocab == CHANNELS and config.target_vocab == dataset.target_tokenizer.size
    examples = dataset.examples(0)
    assert len(examples) == 24
    assert dataset.target_tokenizer.decode(examples[0].target) == "a red half is left"
    chosen = [[example.source for example in dataset.examples(seed)] for seed in (0, 0, 1)]
    assert chosen[0] == chosen[1] != chosen[2]
    assert {array for array, _ in chosen[0]} == {WHOLE, MIRRORED}
    assert {example.source[0] for example in dataset.dev_examples()} == {DEV}
    assert all(one == other for one, other in zip(chosen[0][::2], chosen[0][1::2], strict=True))  # both captions of a photo


def test_a_batch_holds_the_grids_of_its_examples(data: Path) -> None:
    dataset, _ = prepare(read_recipe(data / "recipe.toml"), data)
    plain = next(example for example in dataset.examples(0) if example.source[0] == WHOLE)
    mirrored = replace(plain, source=(MIRRORED, plain.source[1]))
    batch = dataset.batch([plain, mirrored])
    assert batch.source.shape == (2, 4, CHANNELS) and batch.source.dtype == torch.float32
    assert torch.equal(batch.source[0, [1, 0, 3, 2]], batch.source[1])
    assert batch.lengths.tolist() == [4, 4]


def test_scrambled_photos_show_nothing_and_keep_their_captions(data: Path) -> None:
    dataset, _ = prepare(read_recipe(data / "recipe.toml"), data)
    assert isinstance(dataset, CaptionData)
    torch.manual_seed(0)
    examples, all_of_them = dataset.examples(0), replace(dataset, scrambled=1.0)
    plain, scrambled = dataset.batch(examples), all_of_them.batch(examples)
    assert torch.equal(plain.target_out, scrambled.target_out)
    assert torch.equal(plain.source.sort(2).values, scrambled.source.sort(2).values)  # every cell has its own features
    changed = (plain.source != scrambled.source).flatten(1).any(1)
    assert 0.5 < changed.float().mean() < 1  # with three features the order is the old one at times
    some = replace(dataset, scrambled=0.3).batch(examples)
    assert 0 < (plain.source != some.source).flatten(1).any(1).sum() < changed.sum()
    held_out = dataset.dev_examples()
    assert torch.equal(dataset.batch(held_out).source, all_of_them.batch(held_out).source)


def test_more_views_are_pieces_of_the_photos(data: Path) -> None:
    (data / "recipe.toml").write_text(recipe("additive", 1, views=4))
    dataset, _ = prepare(read_recipe(data / "recipe.toml"), data)
    assert {example.source[0] for seed in range(3) for example in dataset.examples(seed)} == {WHOLE, MIRRORED, 3, 4}
    (data / "recipe.toml").write_text(recipe("additive", 1, views=1))
    dataset, _ = prepare(read_recipe(data / "recipe.toml"), data)
    assert {example.source[0] for seed in range(3) for example in dataset.examples(seed)} == {WHOLE}


@pytest.mark.parametrize(("attention", "epochs"), [("additive", 6), ("hard", 6), ("every-step", 50)])
def test_a_recipe_of_captions_trains_and_scores(data: Path, attention: str, epochs: int) -> None:
    (data / "recipe.toml").write_text(recipe(attention, epochs))
    seen: list[int] = []
    events = list(run(data / "recipe.toml", data, data / "run", advance=seen.append))
    assert sum(seen) == 12 + 12 + 3
    dev = [event.dev for event in events if isinstance(event, EpochEvent)]
    assert dev[-1]["loss"] < 0.7 * dev[0]["loss"]
    assert set(dev[-1]) == {"loss", "bleu4"} and isinstance(events[-1], FinishedEvent)
    loaded = load(data / "run")
    pipeline = Pipeline("captioning/colors", loaded.model, None, loaded.target_tokenizer, {}, vision.GridEncoder())
    scores = evaluate_entry(pipeline, read_recipe(data / "recipe.toml").dev_data[0], data, DecodeSettings(search="greedy"))
    assert scores["n"] == 3 and set(scores) >= {"bleu1", "bleu4", "cider"}
    if epochs > 20:
        assert scores["bleu1"] > 60


def test_the_scores_of_captions_have_intervals_over_photos() -> None:
    right = [(f"a dog number {number} runs over the grass", "a dog runs") for number in range(40)]
    exact = [[captions[0]] for captions in right]
    mixed = [texts if number % 2 else ["a cat sits on a red roof today"] for number, texts in enumerate(exact)]
    found = {name: SCORERS["captions"](lists, right) for name, lists in (("exact", exact), ("mixed", mixed))}
    low, high = found["mixed"]["intervals"]["cider"]
    half = found["exact"]["cider"] / 2
    assert abs(found["mixed"]["cider"] - half) < 0.1 * half and low < half < high
    # Half of the photos by chance: the middle 95 % of 40 draws lie 1.96 * 0.5 / sqrt(40) to either side.
    assert abs((high - low) / (2 * half) - 2 * 1.96 * 0.5 / 40**0.5) < 0.05
    low, high = found["mixed"]["intervals"]["bleu4"]
    assert low < found["mixed"]["bleu4"] < high
    assert np.allclose(found["exact"]["intervals"]["bleu4"], found["exact"]["bleu4"]) and found["exact"]["bleu4"] > 99


def test_the_difference_of_two_models_is_told_photo_by_photo(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = [(f"a dog number {number} runs over the grass", "a dog runs") for number in range(40)]
    exact = [[captions[0]] for captions in right]
    mixed = [texts if number % 2 else ["a cat sits on a red roof today"] for number, texts in enumerate(exact)]
    found = differences("captions", exact, mixed, right)
    for name in ("bleu4", "cider"):
        ahead = SCORERS["captions"](exact, right)[name] - SCORERS["captions"](mixed, right)[name]
        assert found[name]["value"] == pytest.approx(ahead)
        assert 0 < found[name]["low"] < ahead < found[name]["high"]
    list(run(data / "recipe.toml", data, data / "run"))
    given = [
        "evaluate",
        f"{data / 'run'}",
        "--captions",
        f"{data / 'captions.tsv'}",
        "--images",
        f"{data / 'photos'}",
        "--record",
        "colors",
    ]
    assert main([*given, "--json", "--against", f"{data / 'run'}"]) == 0
    assert json.loads(capsys.readouterr().out)["less"] == {key: {"value": 0.0, "low": 0.0, "high": 0.0} for key in ("bleu4", "cider")}
    assert "less" not in json.loads((data / "run" / "model.json").read_text())["scores"]["colors"]
    assert main([*given, "--against", "translation/none"]) == 2
    assert "another model of its task" in capsys.readouterr().err


def test_the_command_line_scores_photos_with_and_without_a_cache(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    list(run(data / "recipe.toml", data, data / "run"))
    command = ["evaluate", f"{data / 'run'}", "--captions", f"{data / 'captions.tsv'}", "--images", f"{data / 'photos'}", "--json"]
    outputs = []
    for more in ([], ["--cache", f"{data / 'cache'}"], ["--limit", "2"]):
        assert main([*command, *more]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0].partition('"seconds"')[0] == outputs[1].partition('"seconds"')[0]
    assert '"n": 3' in outputs[0] and '"n": 2' in outputs[2]
    rows = [line.split("\t") for line in (data / "captions.tsv").read_text().splitlines() if line.startswith("dev\t")]
    (data / "rows.tsv").write_text("".join(f"{row[1]}\t{row[3]}\n" for row in rows))
    assert main(["evaluate", f"{data / 'run'}", "--data", f"{data / 'rows.tsv'}", "--files", f"{data / 'photos'}", "--json"]) == 0
    assert capsys.readouterr().out.partition('"seconds"')[0] == outputs[0].partition('"seconds"')[0]
    assert main(["evaluate", f"{data / 'run'}", "--captions", f"{data / 'captions.tsv'}"]) == 2
    assert "--captions needs --images" in capsys.readouterr().err


def test_photos_are_opened_one_by_one(data: Path) -> None:
    pipeline = Pipeline(
        "captioning/tiny", tiny_model(source="image", source_vocab=3, task="captioning"), None, LETTERS, {}, vision.GridEncoder()
    )
    missing = Captioned((data / "photos/dev-red-0.png", data / "photos/nowhere.png"), (("red",), ("none",)))
    photos = Photos(pipeline, missing)  # opens nothing yet
    assert photos[0].features.shape == (4, CHANNELS)
    with pytest.raises(InputError, match=r"nowhere\.png cannot be read"):
        evaluate(pipeline, photos, missing.captions, DecodeSettings(search="greedy"))


def test_a_grid_that_is_not_square_is_refused() -> None:
    with pytest.raises(InputError, match="has 6 cells; it must be square"):
        as_grid(np.zeros((6, 3)))


@pytest.mark.parametrize("variant", ["none", "every-step", "hard"])
def test_variants_differ_in_the_attention_alone(variant: str) -> None:
    base, other = (read_recipe(CONFIGS / f"captioning-{name}.toml") for name in ("soft", variant))
    assert other == replace(base, name=f"captioning/{variant}", model=replace(base.model, attention=variant))


def test_soft_coverage_is_soft_that_goes_on_with_the_penalty() -> None:
    base, other = (read_recipe(CONFIGS / f"captioning-{name}.toml") for name in ("soft", "soft-coverage"))
    assert base.model.coverage == 0 < other.model.coverage
    assert other.model == replace(base.model, coverage=other.model.coverage)
    assert other.begin == "captioning/soft" and other.same_pieces, "so it says the same words, by the same numbers"
    assert other.dev_data == base.dev_data


def test_hard_attention_mixes_in_a_share_of_the_batches() -> None:
    torch.manual_seed(0)
    model = Seq2Seq(tiny_config(attention="hard"))
    memory = model.encode(torch.tensor([[5, 6]]), torch.tensor([2]))
    batch: Any = type("Batch", (), {"target_in": torch.tensor([[1, 5]])})
    looks = [Objective(model, expected=0.5).train()._override(batch, memory) for _ in range(200)]
    assert all(look.expected != (look.noise is not None) for look in looks)
    assert 60 < sum(look.expected for look in looks) < 140
    assert all(Objective(model).train()._override(batch, memory).noise is not None for _ in range(20))
