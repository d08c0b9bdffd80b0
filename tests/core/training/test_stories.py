"""Stories: what a line holds, what is learnt from it, and how answers and looks are counted, by kind of question too."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.store.zoo import load
from seq2seq_core.tasks import TASKS
from seq2seq_core.training.evaluation import evaluate_rows
from seq2seq_core.training.readers import NO_FACT, Example, bucketed_batches, read_rows
from seq2seq_core.training.stories import StoryData, looked
from tests.demo.labs.story.tiny import MODELS

TASK = TASKS["story"]
LINES = (
    "Mary went to the garden. John is in the hall.\tWhere is Mary?\tgarden\t1\tqa1_one",
    "John took the milk. John took the apple.\tWhat is John carrying?\tmilk,apple\t1 2\tqa8_two",
    "John is in the hall.\tWhere is John?\thall",
)


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_a_line_has_a_story_a_question_an_answer_and_may_say_what_tells_it_and_its_kind(tmp_path: Path) -> None:
    rows = read_rows(write(tmp_path / "rows.tsv", *LINES), TASK)
    assert [(row.prompt, row.right, row.facts, row.kind) for row in rows] == [
        ("Where is Mary?", ("garden",), (0,), "qa1_one"),
        ("What is John carrying?", ("milk,apple",), (0, 1), "qa8_two"),
        ("Where is John?", ("hall",), (), ""),
    ]
    with pytest.raises(InputError, match="line 1: the number of a sentence is 'x'; it must be a whole number from 1"):
        read_rows(write(tmp_path / "bad.tsv", "A.\tB?\tc\tx"), TASK)


def test_the_question_its_pauses_and_the_answer_are_one_target(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.tsv", *LINES)
    data = StoryData.of([path, path], None)
    first, second, third = data.examples(0)
    words = data.target_tokenizer
    assert words.decode(first.target) == "Where is Mary? … … garden" and first.given == 6
    assert words.decode(second.target[second.given :]) == "milk,apple"
    batch = data.batch([first, second, third])
    assert batch.facts is not None and batch.facts.tolist() == [[0, NO_FACT], [0, 1], [NO_FACT, NO_FACT]]


def test_answers_and_looks_are_counted_by_kind_too() -> None:
    rows = read_rows(Path(__file__).with_name("stories.tsv"), TASK)
    scores = evaluate_rows(load(MODELS / "story/additive"), rows, DecodeSettings(search="greedy"))
    assert scores["accuracy"] == 50.0 and scores["kinds"] == {"one": 100.0, "two": 0.0}
    assert set(scores["looked_kinds"]) == {"one", "two"} and scores["looked"] == sum(scores["looked_kinds"].values()) / 2
    blind = evaluate_rows(load(MODELS / "story/none"), rows, DecodeSettings(search="greedy"))
    assert "looked" not in blind
    assert looked([1, 0, None], [(1,), (1, 2), (0,)], ["a", "b", "b"]) == {"looked": 50.0, "looked_kinds": {"a": 100.0, "b": 0.0}}


def test_a_pool_keeps_one_length_from_filling_a_batch() -> None:
    examples = [Example((9,) * (1 + n % 40), (9,)) for n in range(800)]
    batches = {pool: bucketed_batches(examples, 20, torch.Generator().manual_seed(1), pool) for pool in (0, 4)}
    for found in batches.values():
        assert sorted(place for batch in found for place in batch) == list(range(800)) and len(found) == 40
    spread = {pool: max(len({len(examples[place].source) for place in batch}) for batch in found) for pool, found in batches.items()}
    assert spread[0] == 1 and spread[4] > 3
