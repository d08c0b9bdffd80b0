"""Hindi in Latin letters: by the list, else by rule, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.devanagari import WORDS, Romaniser, attested, by_rule, has_devanagari, words_in

KNOWN = Romaniser({"मैं": "main", "घर": "ghar", "हूं": "hoon", "अंग्रेजी": "angrezi", "गए": "gaye", "घऱ": "ghar"})


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("घर", "ghar"), ("कमल", "kamal"), ("नमस्ते", "namaste"), ("करना", "karna"), ("लड़की", "ladki"), ("जनता", "janta"),
        ("समझना", "samajhna"), ("मेहनत", "mehnat"), ("मित्र", "mitra"), ("पुण्य", "punya"), ("बर्फ़", "barf"), ("ज़मीन", "zamin"),
        ("संभव", "sambhav"), ("नहीं", "nahin"), ("ज्ञान", "gyan"), ("अच्छा", "accha"), ("आओ", "aao"), ("दुःख", "duhkh"), ("न", "na"),
    ],
)  # fmt: skip
def test_a_vowel_that_is_not_said_is_not_written(word: str, said: str) -> None:
    assert by_rule(word) == said


def test_a_sentence_keeps_what_is_not_devanagari() -> None:
    assert KNOWN.text("मैं घर पर हूँ। Tom २० बजे “आया”?") == 'main ghar par hoon. Tom 20 baje "aaya"?'
    assert KNOWN.text("main ghar hoon") == "main ghar hoon"


def test_other_ways_to_write_a_word_are_found() -> None:
    assert KNOWN.word("हूँ") == KNOWN.word("हूं") == "hoon"
    assert KNOWN.word("अंग्रेज़ी") == "angrezi"  # with its dot
    assert KNOWN.word("गये") == "gaye"


def test_the_way_back_is_the_most_frequent_word() -> None:
    assert [KNOWN.devanagari(word) for word in ("ghar", "Main", "hoon", "kitab")] == ["घर", "मैं", "हूं", ""]


def test_the_spelling_that_most_people_gave_is_first() -> None:
    rows = [("hun", "हूँ", 2), ("hoon", "हूँ", 1), ("hoon", "हूं", 3), ("hun", "हूं", 1)]
    assert attested(rows) == {"हूं": {"hoon": 4, "hun": 3}}
    assert words_in("मैं हूँ, Tom") == ["मैं", "हूं"]


def test_a_list_is_kept_with_a_model(tmp_path: Path) -> None:
    assert Romaniser.load(tmp_path) is None
    KNOWN.save(tmp_path)
    assert Romaniser.load(tmp_path) == KNOWN
    for broken in (b"[]", b'{"a": 1}', b"{", b"\xff"):
        (tmp_path / WORDS).write_bytes(broken)
        with pytest.raises(InputError, match="is not a list of words"):
            Romaniser.load(tmp_path)


@given(st.text(st.characters(min_codepoint=0x900, max_codepoint=0x97F) | st.sampled_from("a .\u200d"), max_size=30))
def test_no_letter_of_devanagari_is_left(text: str) -> None:
    assert not has_devanagari(Romaniser({}).text(text))
