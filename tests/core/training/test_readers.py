from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, EOS, PAD
from seq2seq_core.training.readers import (
    Example,
    bucketed_batches,
    collate,
    collate_grids,
    read_captions,
    read_lexicon,
    read_lines,
    read_pairs,
    read_parallel,
    read_prose,
)


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def test_pairs_are_read_and_blank_lines_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", "Der Hund.\tThe dog.\n\nEin Haus \t A house\n")
    assert read_pairs(path) == [("Der Hund.", "The dog."), ("Ein Haus", "A house")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_byte_order_mark_and_windows_line_ends_are_accepted(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path / "pairs.tsv", "Tür\tdoor\r\nHaus\thouse\r\n", encoding)
    assert read_pairs(path) == [("Tür", "door"), ("Haus", "house")]


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    path = write(tmp_path / "lines.txt", "one\u2028still one\x85\x0c\n\ntwo")
    assert read_lines(path) == ["one\u2028still one\x85\x0c", "", "two"]
    assert read_lines(write(tmp_path / "empty.txt", "")) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("no tab here", "found 1 field(s) instead of 2; a line must be source TAB target."),
        ("a\tb\tc", "found 3 field(s) instead of 2; a line must be source TAB target."),
        ("a\t  ", "the target is empty; fill it in or delete the line."),
        ("\tb", "the source is empty; fill it in or delete the line."),
    ],
)
def test_a_malformed_pair_is_named_by_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path / "pairs.tsv", f"a\tb\n\n{line}\nc\td\n")
    with pytest.raises(InputError) as caught:
        read_pairs(path)
    assert str(caught.value) == f"{path}, line 3: {message}"


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_file_in_another_encoding_says_so(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path / "pairs.tsv", "a\tb\nTür\tdoor\n", encoding)
    line, byte = (2, "FC") if encoding == "latin-1" else (1, "FF")
    with pytest.raises(InputError) as caught:
        read_pairs(path)
    assert str(caught.value) == f"{path}, line {line}: byte 0x{byte} is not UTF-8; save the file as UTF-8."


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(f"{tmp_path / 'none.tsv'} cannot be read (No such file or directory)")):
        read_pairs(tmp_path / "none.tsv")


def test_parallel_files_are_joined_by_line(tmp_path: Path) -> None:
    source, target = write(tmp_path / "a.de", "eins\nzwei \n"), write(tmp_path / "a.en", "one\n two\n")
    assert read_parallel(source, target) == [("eins", "one"), ("zwei", "two")]
    write(target, "one &amp; a half\n&quot;two&quot;\n")
    assert read_parallel(source, target) == [("eins", "one & a half"), ("zwei", '"two"')]
    write(target, "one\n")
    with pytest.raises(InputError, match=r"a\.de has 2 lines and .*a\.en has 1; line n of one"):
        read_parallel(source, target)
    write(target, "one\n \n")
    with pytest.raises(InputError, match=r"a\.en, line 2: the line is empty"):
        read_parallel(source, target)


def test_a_lexicon_gives_roman_native_count(tmp_path: Path) -> None:
    path = write(tmp_path / "hi.tsv", "किताब\tkitaab\t2\nकिताब\tkitab\t3\n")
    assert read_lexicon(path) == [("kitaab", "किताब", 2), ("kitab", "किताब", 3)]


@pytest.mark.parametrize("count", ["0", "-1", "two", "1.5", "२"])
def test_a_lexicon_count_must_be_a_whole_number(tmp_path: Path, count: str) -> None:
    path = write(tmp_path / "hi.tsv", f"किताब\tkitaab\t{count}\n")
    with pytest.raises(InputError, match=rf"hi\.tsv, line 1: the number of annotators is '{count}'"):
        read_lexicon(path)


HEADER = "split\timage\tidx\tcaption\n"


def test_captions_are_grouped_by_image_in_order(tmp_path: Path) -> None:
    path = write(tmp_path / "captions.tsv", HEADER + "train\ta.jpg\t1\tsecond\ntrain\ta.jpg\t0\tfirst\ndev\tb.jpg\t0\tother\n")
    assert read_captions(path, "train") == {"a.jpg": ["first", "second"]}
    assert read_captions(path) == {"a.jpg": ["first", "second"], "b.jpg": ["other"]}
    with pytest.raises(InputError, match="has no captions for the split 'test'; it has dev, train"):
        read_captions(path, "test")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("train\ta.jpg\t0\tfirst\n", "line 1: the header must be split TAB image TAB idx TAB caption."),
        ("", "line 1: the header must be"),
        (HEADER + "train\ta.jpg\t0\n", "line 2: found 3 field(s) instead of 4"),
        (HEADER + "train\ta.jpg\tx\tfirst\n", "line 2: the idx is 'x'"),
        (HEADER + "train\ta.jpg\t0\t\n", "line 2: the caption is empty"),
    ],
)
def test_malformed_captions_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path / "captions.tsv", text)
    with pytest.raises(InputError, match=re.escape(f"{path}, {message}")):
        read_captions(path, "train")


def test_collate_pads_and_marks_the_ends() -> None:
    batch = collate([Example((7, 8, 9), (5,)), Example((4,), (6, 7))])
    assert batch.source.tolist() == [[7, 8, 9], [4, PAD, PAD]]
    assert batch.lengths.tolist() == [3, 1]
    assert batch.target_in.tolist() == [[BOS, 5, PAD], [BOS, 6, 7]]
    assert batch.target_out.tolist() == [[5, EOS, PAD], [6, 7, EOS]]
    assert {batch.source.dtype, batch.lengths.dtype, batch.target_in.dtype, batch.target_out.dtype} == {torch.int64}


def test_collate_without_a_source_has_no_positions() -> None:
    batch = collate([Example((), (5, 6)), Example((), (7,))])
    assert batch.source.shape == (2, 0)
    assert batch.lengths.tolist() == [0, 0]


def test_collate_grids_keeps_the_features() -> None:
    grids = torch.arange(24, dtype=torch.float16).reshape(2, 3, 4)
    batch = collate_grids(grids, [(5,), (6, 7)])
    assert batch.source.dtype == torch.float32
    assert torch.equal(batch.source, grids.float())
    assert batch.lengths.tolist() == [3, 3]
    assert batch.target_out.tolist() == [[5, EOS, PAD], [6, 7, EOS]]
    with pytest.raises(InputError, match=r"shape \[2, 3, 4\]; it must be \[1, positions, channels\]"):
        collate_grids(grids, [(5,)])


SIZES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=60)


def examples_of(sizes: list[tuple[int, int]]) -> list[Example]:
    return [Example((9,) * source, (9,) * target) for source, target in sizes]


@given(SIZES, st.integers(1, 9), st.integers(0, 99))
def test_batches_hold_every_example_once(sizes: list[tuple[int, int]], batch_size: int, seed: int) -> None:
    examples = examples_of(sizes)
    batches = bucketed_batches(examples, batch_size, torch.Generator().manual_seed(seed))
    assert sorted(index for batch in batches for index in batch) == list(range(len(examples)))
    assert all(1 <= len(batch) <= batch_size for batch in batches)
    assert sum(len(batch) < batch_size for batch in batches) <= 1
    assert batches == bucketed_batches(examples, batch_size, torch.Generator().manual_seed(seed))


def test_batches_are_of_like_lengths_and_differ_by_epoch() -> None:
    sizes = [(1 + number % 20, 1 + (number * 7) % 23) for number in range(2000)]
    generator = torch.Generator().manual_seed(1)
    first, second = (bucketed_batches(examples_of(sizes), 16, generator) for _ in range(2))
    assert first != second
    assert {frozenset(batch) for batch in first} != {frozenset(batch) for batch in second}
    padded = sum(max(sizes[index][0] for index in batch) * len(batch) for batch in first)
    assert padded < 1.1 * sum(source for source, _ in sizes)
    longest = [max(sizes[index][0] for index in batch) for batch in first]
    assert longest != sorted(longest)


def test_a_book_is_cut_into_sentences(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text('\ufeffA Title\n\nMr. Brown came\nhome. "Who is it?" he asked. "It is I!"\n\nAnd ' + "so " * 80 + "on.\n")
    assert read_prose(book) == ["A Title", "Mr. Brown came home.", '"Who is it?" he asked.', '"It is I!"']
