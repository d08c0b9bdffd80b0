from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import (
    BOS,
    EOS,
    PAD,
    SPECIALS,
    UNK,
    CharacterTokenizer,
    Encoding,
    SubwordTokenizer,
    Tokenizer,
    from_dict,
    load_pair,
    save_pair,
)

LINES = [
    "Der kleine Hund schläft unter dem Tisch.",
    "Mir gefällt das grüne Haus nicht, aber der Garten schon!",
    "I don't like the cat's 12 toys; do you?",
    "Unter dem Tisch schläft der Hund, und der Hund schläft gut.",
    "Sie kauft drei Äpfel und 27 Birnen.",
] * 3
SUBWORD = SubwordTokenizer.train(LINES, 420)
ACCENTS = "नमस्ते दुनिया किताब"
CODEPOINT = CharacterTokenizer.train([*LINES, ACCENTS], "codepoint")
GRAPHEME = CharacterTokenizer.train([*LINES, ACCENTS], "grapheme")

# Plain text, and the writing systems and signs that break tokenizers: marks, joiners, right-to-left, emoji, controls, odd spaces.
HARD = [
    "न",
    "म",
    "स",
    "्",
    "ते",
    "क्‍ष",
    "שלום",
    "مرحبا",
    "\u200f",
    "👩‍👩‍👧",
    "🏳️‍🌈",
    "1️⃣",
    "é",
    "e\u0301",
    "\u00a0",
    "\u2028",
    "\t",
    "\n",
    "\x07",
]
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40),
    st.lists(st.sampled_from([*HARD, " ", "  ", "Hund", "'s", ".", "<s>", "</s>", "<0xE2>", "Ġ"]), max_size=15).map("".join),
)


def check_encoding(text: str, encoding: Encoding) -> None:
    assert len(encoding.ids) == len(encoding.tokens) == len(encoding.spans) == len(encoding.groups)
    assert all(0 <= start <= end <= len(text) for start, end in encoding.spans)
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(encoding.spans))
    covered = {place for start, end in encoding.spans for place in range(start, end)}
    assert {place for place, symbol in enumerate(text) if not symbol.isspace()} <= covered
    check_groups(encoding.groups)


def check_groups(groups: tuple[int, ...]) -> None:
    assert all(b - a in (0, 1) for a, b in pairwise((0, *groups)))


@settings(deadline=None, max_examples=300)
@given(TEXTS)
def test_any_text_survives_subwords(text: str) -> None:
    encoding = SUBWORD.encode(text)
    assert SUBWORD.decode(encoding.ids) == text
    assert not set(encoding.ids) & {PAD, BOS, EOS, UNK}
    check_encoding(text, encoding)


@settings(deadline=None)
@given(TEXTS, st.sampled_from([0.1, 0.5, 1.0]), st.integers(0, 9))
def test_dropout_changes_pieces_but_never_the_text(text: str, dropout: float, seed: int) -> None:
    assert SUBWORD.decode(SUBWORD.encode_ids(text, dropout, seed)) == text


@settings(deadline=None)
@given(TEXTS)
def test_character_encodings_keep_what_was_typed(text: str) -> None:
    for tokenizer in (CODEPOINT, GRAPHEME):
        encoding = tokenizer.encode(text)
        assert "".join(encoding.tokens) == text
        assert all(text[start:end] == token for (start, end), token in zip(encoding.spans, encoding.tokens, strict=True))
        check_encoding(text, encoding)
        known = CharacterTokenizer.train([text], tokenizer.unit)
        assert known.decode(known.encode(text).ids) == text


@settings(deadline=None)
@given(st.lists(st.integers(0, SUBWORD.size - 1), max_size=20))
def test_any_ids_can_be_shown_and_grouped(ids: list[int]) -> None:
    groups = SUBWORD.groups(ids)
    assert len(groups) == len(ids)
    check_groups(groups)
    for place, index in enumerate(ids):
        assert SUBWORD.token(index)
        if index < len(SPECIALS):
            assert groups.count(groups[place]) == 1
    SUBWORD.decode(ids)


def test_ids_0_to_3_are_the_specials_everywhere() -> None:
    for tokenizer in (SUBWORD, CODEPOINT, GRAPHEME):
        assert [tokenizer.token(index) for index in range(4)] == ["<pad>", "<s>", "</s>", "<unk>"]
        assert tokenizer.decode([BOS, *tokenizer.encode("Hund").ids, EOS, PAD, PAD]) == "Hund"


def test_pieces_have_their_words_and_spans() -> None:
    encoding = SUBWORD.encode("Der Hund schläft.")
    assert encoding.tokens == ("Der", "Hund", "schläft", ".")
    assert encoding.spans == ((0, 3), (4, 8), (9, 16), (16, 17))
    assert encoding.groups == (0, 1, 2, 3)
    assert [SUBWORD.token(index) for index in encoding.ids] == [" Der", " Hund", " schläft", "."]


def test_a_first_word_is_like_any_other() -> None:
    assert SUBWORD.encode("Hund").ids == SUBWORD.encode("Der Hund").ids[1:]
    assert SUBWORD.encode(" Hund").ids != SUBWORD.encode("Hund").ids


def test_case_matters() -> None:
    assert SUBWORD.encode("hund").ids != SUBWORD.encode("Hund").ids


def test_the_bytes_of_one_character_share_span_and_group() -> None:
    encoding = SUBWORD.encode("a 😀!")
    assert encoding.tokens[-5:] == ("<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "!")
    assert encoding.spans[-5:] == ((2, 3),) * 4 + ((3, 4),)
    assert len(set(encoding.groups[-5:-1])) == 1
    assert encoding.groups[-1] == encoding.groups[-2] + 1


def test_a_cut_off_character_and_a_joined_sign_are_one_group_each() -> None:
    ids = SUBWORD.encode("a 😀").ids
    assert SUBWORD.token(ids[-2]) == "<0x98>"
    assert len(set(SUBWORD.groups(ids[:-1])[2:])) == 1
    assert set(SUBWORD.encode("👩‍👩‍👧").groups) == {0}


def test_a_typed_special_stays_text() -> None:
    ids = SUBWORD.encode("<s> </s> <pad>").ids
    assert min(ids) > UNK
    assert SUBWORD.decode(ids) == "<s> </s> <pad>"


def test_words_keep_inner_apostrophes_and_hyphens_and_signs_stand_alone() -> None:
    ids = SUBWORD.encode("don't re-read 12!?").ids
    words: dict[int, str] = {}
    for index, group in zip(ids, SUBWORD.groups(ids), strict=True):
        words[group] = words.get(group, "") + SUBWORD.token(index)
    assert list(words.values()) == [" don't", " re-read", " 12", "!", "?"]


def test_no_piece_crosses_a_word_a_digit_or_a_sign() -> None:
    tokenizer = SubwordTokenizer.train(["Hund. Hund. 1234 1234 (Hund)."] * 50, 400)
    assert tokenizer.encode("Hund. 1234").tokens == ("Hund", ".", "1", "2", "3", "4")


def test_the_end_is_a_group_of_its_own() -> None:
    ids = SUBWORD.encode("Der Hund").ids
    assert SUBWORD.groups([*ids, EOS]) == (0, 1, 2)
    assert CODEPOINT.groups([*CODEPOINT.encode("ab").ids, EOS]) == (0, 1, 2)


def test_a_mark_stays_with_its_letter() -> None:
    assert GRAPHEME.encode("किताब").tokens == ("कि", "ता", "ब")
    assert CODEPOINT.encode("किताब").groups == (0, 0, 1, 1, 2)
    assert CODEPOINT.groups(CODEPOINT.encode("किताब").ids) == (0, 0, 1, 1, 2)


def test_an_unknown_symbol_keeps_its_surface() -> None:
    encoding = CODEPOINT.encode("a😀b")
    assert encoding.ids[1] == UNK
    assert encoding.tokens == ("a", "😀", "b")
    assert encoding.spans == ((0, 1), (1, 2), (2, 3))


def test_many_texts_are_encoded_as_one_by_one() -> None:
    texts = [*LINES[:5], "", " ", "😀"]
    for tokenizer in (SUBWORD, CODEPOINT):
        assert tokenizer.encode_many(texts) == [list(tokenizer.encode(text).ids) for text in texts]


def test_our_bpe_agrees_with_the_library_when_almost_nothing_is_dropped() -> None:
    assert SUBWORD.encode_many(LINES, dropout=1e-15) == SUBWORD.encode_many(LINES)


def test_dropout_is_repeatable_by_seed_whatever_was_encoded_before() -> None:
    fresh = SubwordTokenizer.train(LINES, 420)
    fresh.encode_many(LINES, 0.3, seed=8)
    assert fresh.encode_many(LINES, 0.3, seed=7) == SUBWORD.encode_many(LINES, 0.3, seed=7)
    assert fresh.encode_many(LINES, 0.3, seed=7) != fresh.encode_many(LINES, 0.3, seed=8)
    pieces = [sum(map(len, fresh.encode_many(LINES, dropout))) for dropout in (0.0, 0.1, 0.5, 1.0)]
    assert pieces == sorted(set(pieces))


def test_threads_share_a_tokenizer_also_while_one_uses_dropout() -> None:
    plain = [SUBWORD.encode(line) for line in LINES]
    dropped = SUBWORD.encode_many(LINES, 0.4, seed=3)

    def work(number: int) -> bool:
        if number % 2:
            return SUBWORD.encode_many(LINES, 0.4, seed=3) == dropped
        return [SUBWORD.encode(line) for line in LINES] == plain

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(32)))


@pytest.mark.parametrize("tokenizer", [SUBWORD, CODEPOINT, GRAPHEME])
def test_a_tokenizer_survives_json(tokenizer: Tokenizer) -> None:
    again = from_dict(json.loads(json.dumps(tokenizer.to_dict())))
    assert again.to_dict() == tokenizer.to_dict()
    assert again.size == tokenizer.size
    assert again.encode("Der Hund schläft, नमस्ते!") == tokenizer.encode("Der Hund schläft, नमस्ते!")


def test_a_pair_is_saved_and_a_shared_vocabulary_once(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    save_pair(path, CODEPOINT, SUBWORD)
    source, target = load_pair(path)
    assert source is not None
    assert (source.to_dict(), target.to_dict()) == (CODEPOINT.to_dict(), SUBWORD.to_dict())
    save_pair(path, SUBWORD, SUBWORD)
    assert json.loads(path.read_text(encoding="utf-8"))["target"] == "same"
    source, target = load_pair(path)
    assert source is target
    save_pair(path, None, SUBWORD)
    assert load_pair(path)[0] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not a tokenizer file"),
        ("[]", "is not a tokenizer file"),
        ("\xff", "is not a tokenizer file"),
        ('{"source": null, "target": "same"}', "has no source"),
        ('{"source": null, "target": {"kind": "words"}}', "The tokenizer kind is 'words'; it must be one of subword, character, word."),
        ('{"source": null, "target": {"kind": "character", "symbols": ["a"]}}', "A character tokenizer cannot be read"),
        ('{"source": null, "target": {"kind": "character", "unit": "syllable", "symbols": []}}', "unit is 'syllable'"),
        ('{"source": null, "target": {"kind": "character", "unit": "grapheme", "symbols": ["a", "a"]}}', "must be different"),
        ('{"source": null, "target": {"kind": "subword", "pieces": ["a"], "merges": []}}', "must begin with the four specials"),
    ],
)
def test_a_broken_file_is_refused_in_a_sentence(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(InputError) as caught:
        load_pair(path)
    assert message in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json cannot be read"):
        load_pair(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"merges": [["Q", "Q"]]}, "The merge 'Q' \\+ 'Q' is not in"),
        ({"merges": ["abc"]}, "cannot be read"),
        ({"merges": [["a", 1]]}, "The merge 'a' \\+ 1 is not in"),
        ({"pieces": [*SUBWORD.to_dict()["pieces"], "a b"]}, "not made of bytes"),
        ({"pieces": [*SUBWORD.to_dict()["pieces"], ""]}, "not made of bytes"),
        ({"pieces": [*SUBWORD.to_dict()["pieces"], 7]}, "cannot be read"),
    ],
)
def test_an_altered_subword_vocabulary_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_dict(SUBWORD.to_dict() | change)


@pytest.mark.parametrize("size", [259, 100_001])
def test_a_vocabulary_size_out_of_range_is_refused(size: int) -> None:
    with pytest.raises(InputError, match=f"The vocabulary size is {size}; it must be between 260 and 100000."):
        SubwordTokenizer.train(["a"], size)


def test_a_capital_that_was_never_seen_is_read_as_its_small_letter_and_stays_as_it_was_typed() -> None:
    letters = CharacterTokenizer(list("aBnm"))
    encoding = letters.encode("NaMBb")
    assert encoding.ids == (*letters.encode("nam").ids, letters.encode("B").ids[0], UNK)  # no small b is known
    assert encoding.tokens == ("N", "a", "M", "B", "b")
    assert letters.encode_many(["NaMBb"]) == [list(encoding.ids)]
    assert letters.encode("İ").ids == (UNK,)  # two characters when small


def test_a_word_is_a_sign_where_spaces_stand_between_signs() -> None:
    phonemes = CharacterTokenizer.train(["N AH M", "M AA"], "word")
    found = phonemes.encode("M  AA N")
    assert found.tokens == ("M", "AA", "N")
    assert found.spans == ((0, 1), (3, 5), (6, 7))
    assert found.groups == (0, 1, 2)
    assert phonemes.decode(found.ids) == "M AA N"
    assert "".join(map(phonemes.token, found.ids)).strip() == "M AA N"
    assert from_dict(json.loads(json.dumps(phonemes.to_dict()))).encode("AA N").ids == phonemes.encode("AA N").ids


def test_capitals_are_read_as_small_letters_where_the_vocabulary_says_so() -> None:
    small = SubwordTokenizer.train(["a Small book", "THE book"], 262, lower=True)
    again = from_dict(json.loads(json.dumps(small.to_dict())))
    for text in ("The SMALL Book", "Ärger im İstanbul"):
        found = again.encode(text)
        assert (
            found.ids == small.encode(text).ids == tuple(small.encode_many([text])[0]) == small.encode(text.lower().replace("i̇", "İ")).ids
        )
        assert found.spans[-1][1] == len(text)
    assert small.decode(small.encode("THE Book").ids) == "the book"
