"""Toy tasks are right, repeat themselves, keep their held-out part apart; bad lines of a person's own pairs are named."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import UNK
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.toys import scenes
from seq2seq_core.toys.job import BATCH, HeldOut, Job, greedy_tokens, prepare
from seq2seq_core.toys.messages import PAIRS_FILE
from seq2seq_core.toys.tasks import (
    TOYS,
    Toy,
    decode_upload,
    draw,
    is_held_out,
    number_words,
    ordinal,
    read_date,
    read_own,
    read_scene,
    split_own,
)


@pytest.mark.parametrize("toy", TOYS.values(), ids=list(TOYS))
def test_a_seed_gives_the_same_pairs_and_training_never_sees_what_is_held_out(toy: Toy) -> None:
    train, held_out = draw(toy, 300, 1), draw(toy, 60, 1, held_out=True)
    assert train == draw(toy, 300, 1) != draw(toy, 300, 2)
    assert not {source for source, _ in train} & {source for source, _ in held_out}
    assert all(is_held_out(source) for source, _ in held_out)


@pytest.mark.parametrize("name", ["copy", "reverse", "sort", "dates", "numbers"])
def test_the_answer_to_a_typed_source_is_the_tasks_own(name: str) -> None:
    toy = TOYS[name]
    for source, target in draw(toy, 100, 3):
        assert toy.answer(source) == target
    assert toy.answer("no such input!") is None


def test_numbers_and_dates_are_as_one_says_them() -> None:
    said = {0: "zero", 13: "thirteen", 20: "twenty", 85: "eighty five", 100: "one hundred", 40217: "forty thousand two hundred seventeen"}
    assert {number: number_words(number) for number in said} == said
    assert number_words(999_999_999).startswith("nine hundred ninety nine million nine hundred")
    assert [ordinal(day) for day in (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "31st")
    ]
    for written in ("3rd of March 2021", "March 3, 2021", "3 Mar 2021", "3.3.2021", "the 3rd of March, 2021"):
        assert read_date(written) == "2021-03-03"
    assert read_date("31 February 2021") is None


@pytest.mark.parametrize("toy", TOYS.values(), ids=list(TOYS))
def test_the_vocabularies_know_every_symbol(toy: Toy) -> None:
    data, config = prepare(Job(toy.name))
    for example in data.encode(draw(toy, 200, 5)):
        assert UNK not in example.target
        assert toy.source == "image" or UNK not in example.source
    assert data.target_tokenizer.size == config.target_vocab


def test_a_scene_has_the_sentence_that_was_asked_for() -> None:
    for wanted in ("a red circle left of a blue square", "a yellow triangle above a yellow circle"):
        assert scenes.sentence(scenes.scene_of(wanted)) == wanted
        assert scenes.scene_of(wanted) == scenes.scene_of(f" {wanted.upper()}. ")
    with pytest.raises(InputError, match="describes no scene; write for example"):
        scenes.scene_of("a purple circle")


def test_what_the_network_sees_of_a_scene_is_what_is_drawn() -> None:
    rng = random.Random(1)
    drawn = [scenes.make_scene(rng) for _ in range(4)]
    drawn = [scene for scene in drawn if scene[0].cell != scene[1].cell]
    grids = scenes.features(drawn)
    for scene, grid in zip(drawn, grids, strict=True):
        seen, size = scenes.SceneEncoder()(scenes.render(scene))
        assert size == (scenes.SIDE, scenes.SIDE)
        assert torch.allclose(seen, grid, atol=1e-6)


def test_scenes_reach_the_model_as_grids() -> None:
    data, config = prepare(Job("shapes", hidden=8))
    examples = data.encode(data.held_out[:3])
    batch = data.batch(examples)
    assert batch.source.shape == (3, scenes.SIDE**2, scenes.CHANNELS) and config.source_vocab == scenes.CHANNELS
    assert read_scene(data.held_out[0][0])[0].cell == examples[0].source[1]


def test_held_out_pairs_are_judged_to_the_last_token() -> None:
    data, config = prepare(Job("reverse", hidden=8))
    model = Seq2Seq(config).eval()
    batch = data.batch(data.encode(data.held_out[:5]))
    exact, by_length = HeldOut(data).score(model)
    assert exact == 0 and sum(count for _, count, _ in by_length) == len(data.held_out)
    assert [length for length, _, _ in by_length] == list(range(2, 17))
    assert greedy_tokens(model, batch, 4).shape == (5, 4)


LINES = [f"source {number}\ttarget {number}" for number in range(30)]


def test_own_pairs_are_read_with_tabs_or_arrows() -> None:
    pairs = read_own("\ufeff" + "\r\n".join(LINES) + "\n\nby hand -> von Hand\n")
    assert pairs[0] == ("source 0", "target 0") and pairs[-1] == ("by hand", "von Hand") and len(pairs) == 31
    train, held_out = split_own(pairs)
    assert len(held_out) == 4 and sorted(train + held_out) == sorted(pairs)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("only one field", r"Line 31 has 1 field\(s\) instead of 2"),
        ("a\tb\tc", r"Line 31 has 3 field\(s\) instead of 2"),
        ("a\t ", "Line 31: the target is empty"),
        ("\tb", "Line 31: the source is empty"),
        (f"{'x' * 121}\tb", "Line 31: the source has 121 characters; at most 120"),
        ("a\tb\x07", "Line 31: the target holds a control character"),
    ],
)
def test_a_bad_line_is_named(line: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_own("\n".join([*LINES, line]))


def test_too_few_pairs_and_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(InputError, match="There are 2 pairs; it takes from 20 to 50,000"):
        read_own("\n".join(LINES[:2]))
    with pytest.raises(InputError, match="Line 2: byte 0xFF is not UTF-8"):
        decode_upload(b"a\tb\n\xff\tc\n")


def test_fifty_thousand_pairs_are_taken_with_progress(tmp_path: Path) -> None:
    shares: list[float] = []
    text = "".join(f"word {number}\t{number} word\n" for number in range(50_000))
    assert len(read_own(text, shares.append)) == 50_000
    assert len(shares) > 10 and shares == sorted(shares) and shares[-1] == 1
    (tmp_path / PAIRS_FILE).write_text(text, encoding="utf-8")
    data, _ = prepare(Job("own pairs", hidden=8), tmp_path)
    assert len(data.held_out) == 200 and len(data.examples(1)) == BATCH
    assert data.examples(1) == data.examples(1) != data.examples(2)


def test_a_job_is_checked() -> None:
    assert Job.from_dict(Job("dates").to_dict()) == Job("dates")
    for bad, said in (
        ({"toy": "knit"}, "no task 'knit'"),
        ({"hidden": 7}, "must be even"),
        ({"learning_rate": 9.0}, "learning_rate is 9.0"),
    ):
        with pytest.raises(InputError, match=said):
            Job.from_dict(bad)
