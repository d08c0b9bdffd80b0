"""Whole words: capitals and plurals make no other word, what is not known is said, and a list is written as one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.part import Part
from seq2seq_core.inputs.tokenizer import UNK, load_pair, save_pair
from seq2seq_core.inputs.words import STOP, WordTokenizer

WORDS = WordTokenizer.train(["Mary went to the garden. The garden is big.", "Where is Mary? …", "apple,milk", "n,w", "Cats are not a cat."])


def test_a_word_is_written_as_it_most_often_is_and_read_with_any_capitals() -> None:
    typed = "WHERE is mary?"
    found = WORDS.encode(typed)
    assert found.tokens == ("WHERE", "is", "mary", "?")
    assert [typed[start:end] for start, end in found.spans] == list(found.tokens)
    assert WORDS.decode(found.ids) == "Where is Mary?"
    assert WORDS.encode_many([typed]) == [list(found.ids)]


def test_a_plural_is_its_word_unless_it_is_one_of_its_own() -> None:
    assert WORDS.encode("gardens").ids == WORDS.encode("garden").ids
    assert WORDS.encode("cats").ids != WORDS.encode("cat").ids


def test_a_list_is_said_word_by_word_and_written_without_spaces() -> None:
    ids = WORDS.encode("apple,milk").ids
    assert len(ids) == 2 and WORDS.decode(ids) == "apple,milk"
    assert WORDS.decode(WORDS.encode("n,w").ids) == "n,w"


def test_what_is_not_known_is_named_as_typed_once() -> None:
    assert WORDS.unknown("Anna went to the balcony. Anna, where is Mary?") == ("Anna", "balcony", ",")
    assert WORDS.encode("Anna went").ids[0] == UNK
    assert WORDS.unknown("mary WENT to the gardens.") == ()


def test_it_goes_through_a_file(tmp_path: Path) -> None:
    save_pair(tmp_path / "tokenizer.json", WORDS, WORDS)
    source, target = load_pair(tmp_path / "tokenizer.json")
    assert source is target and isinstance(source, WordTokenizer) and source.words == WORDS.words


@pytest.mark.parametrize("words", [["a", "."], [".", "a", "A"], [], [".", 3]])
def test_a_broken_vocabulary_is_refused_in_a_sentence(tmp_path: Path, words: list[object]) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({"source": None, "target": {"kind": "word", "words": words}}), encoding="utf-8")
    with pytest.raises(InputError, match="must be different, whatever their capitals, and the first must be the full stop"):
        load_pair(path)


def test_sentences_are_the_groups_of_a_story() -> None:
    text = "Mary went to the garden. The garden is big. Where"
    part = Part.of_text("story", text, WORDS.encode(text)).by_sentence(STOP)
    assert [part.word(places) for places in part.members] == ["Mary went to the garden.", "The garden is big.", "Where"]
