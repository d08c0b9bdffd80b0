"""Numbers made of single digits: the seed decides everything, and a training learns from them."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.sound import BANDS, FEATURES, RATE
from seq2seq_core.training.evaluation import SCORERS
from seq2seq_core.training.loop import EpochEvent
from seq2seq_core.training.runner import run
from seq2seq_core.training.spoken import DIGITS, HEADER, Recordings, Spoken, a_recording, disturbed, in_words

RECIPE = """
name = "speech/tiny"
[model]
task = "speech"
source = "sound"
hidden = 8
embedding = 4
encoder_layers = 1
[train]
epochs = 1
batch_size = 4
[[data.train]]
digits = "digits.tsv"
split = "train"
strings = 8
longest = 2
[[data.dev]]
digits = "digits.tsv"
split = "dev"
strings = 3
longest = 2
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten tones by each of two speakers."""
    folder = tmp_path_factory.mktemp("digits")
    lines = ["\t".join(HEADER)]
    for speaker, split in (("01", "train"), ("02", "dev")):
        for digit in range(10):
            count = RATE // 4
            tone = np.sin(2 * np.pi * (200 + 150 * digit) * np.arange(count) / RATE) * np.hanning(count)
            with wave.open(str(folder / f"{digit}_{speaker}.wav"), "wb") as file:
                file.setparams((1, 2, RATE, count, "NONE", ""))
                file.writeframes((tone * 20_000).astype("<i2").tobytes())
            lines.append(f"{split}\t{digit}_{speaker}.wav\t{speaker}\t{digit}")
    (folder / "digits.tsv").write_text("\n".join(lines) + "\n")
    return folder / "digits.tsv"


def test_the_seed_decides_everything(table: Path) -> None:
    voices = Recordings.read(table, "train")
    number, sound = a_recording(voices, (1, 7), 1, 8)
    again, same = a_recording(voices, (1, 7), 1, 8)
    assert number == again and np.array_equal(sound, same)
    others = [a_recording(voices, (1, seed), 1, 8) for seed in range(30)]
    assert {len(one) for one, _ in others} == set(range(1, 9))
    for one, heard in others:
        assert heard.dtype == np.float32 and np.isfinite(heard).all() and np.abs(heard).max() <= 1
        assert len(heard) > 0.15 * RATE * len(one)


def test_a_table_that_is_none_is_refused(table: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="all ten digits"):
        Recordings.read(table, "test")
    (tmp_path / "digits.tsv").write_text("a\tb\n")
    with pytest.raises(InputError, match="header"):
        Recordings.read(tmp_path / "digits.tsv", "train")


def test_what_was_made_is_kept(table: Path, tmp_path: Path) -> None:
    voices, told = Recordings.read(table, "train"), list[int]()
    made = Spoken.make(voices, 1, 4, (1, 3), tmp_path, told.append)
    again = Spoken.make(voices, 1, 4, (1, 3), tmp_path, told.append)
    assert told == [1] * 4 and again.digits == made.digits
    assert int(made.ends[-1]) == len(made.positions) and torch.equal(made.features(3), again.features(3))
    assert made.features(0).shape == (int(made.ends[0]), FEATURES)


def test_disturbing_keeps_time() -> None:
    """What is heard at one moment stays there, however it is disturbed."""
    frames = torch.zeros(40, BANDS)
    frames[17, 10:30] = 2.0
    torch.manual_seed(0)
    for _ in range(20):
        found = disturbed(frames.view(-1, FEATURES)).view(-1, BANDS)
        assert found.shape == frames.shape and int(found.sum(1).argmax()) == 17


@pytest.mark.parametrize(("given", "words"), [("359", "three five nine"), ("0 1", "zero one"), (" Two  SIX ", "two six"), ((8,), "eight")])
def test_numbers_in_words(given: str, words: str) -> None:
    assert in_words(given) == words


def test_digit_error_counts_edits_and_takes_both_spellings() -> None:
    scores = SCORERS["numbers"]([["three five"], ["one"], ["two two"]], [["3 5"], ["one nine"], ["26"]])
    assert scores["error"] == pytest.approx(100 * 2 / 6) and scores["exact"] == pytest.approx(100 / 3)
    low, high = scores["intervals"]["error"]
    assert low <= scores["error"] <= high


def test_a_recipe_of_spoken_numbers_trains(table: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "speech.toml"
    recipe.write_text(RECIPE)
    events = list(run(recipe, table.parent, tmp_path / "out"))
    assert any(isinstance(event, EpochEvent) for event in events)
    assert (tmp_path / "out" / "model.json").exists()
    from seq2seq_core.store import checkpoint

    kept = checkpoint.load(tmp_path / "out")
    assert kept.target_tokenizer.size == 4 + len(DIGITS) and kept.model.reads == ("sound",)
