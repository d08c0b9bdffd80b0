"""The stored tiny models are what tests of pages rest on, and so clearly that no processor's way of summing turns a choice."""

from __future__ import annotations

import pytest

from demo.given.photos import FOLDER
from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.photo import read_photo
from seq2seq_core.store.zoo import load
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.captioners import CAPTIONS
from tests.demo.tiny_models import DIFFERS, GERMAN, HINDI, HINDI_ENGLISH, HINDI_MODELS, MODELS, TAMIL, Pairs

WAYS = (DecodeSettings(search="greedy"), DecodeSettings())
MARGIN = 0.01  # nats; sums in another order differ by about 0.000001


def clear(trace: DecodeTrace) -> bool:
    """No tie decides: neither a token of a greedy path, nor which hypothesis is the best."""
    if trace.settings.search == "greedy":
        return all(one.candidates[0].logprob - one.candidates[1].logprob > MARGIN for one in trace.path())
    return len(trace.hypotheses) == 1 or trace.hypotheses[0].score - trace.hypotheses[1].score > MARGIN


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.search)
@pytest.mark.parametrize(
    ("name", "pairs"), [("translation/additive", GERMAN), ("transliteration/additive", HINDI), ("transliteration/tamil", TAMIL)]
)
def test_what_was_learnt_is_known(name: str, pairs: Pairs, way: DecodeSettings) -> None:
    model = load(MODELS / name)
    for source, target in pairs:
        trace = model.decode(source, way)
        assert trace.text() == target and clear(trace)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.search)
def test_hindi_is_known_both_ways(way: DecodeSettings) -> None:
    there, back = (load(HINDI_MODELS / "translation" / name) for name in ("hindi-english", "english-hindi"))
    for hindi, english in HINDI_ENGLISH:
        traces = there.decode(hindi, way), back.decode(english, way)
        assert [trace.text() for trace in traces] == [english, hindi] and all(map(clear, traces))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.search)
def test_two_photos_are_known(way: DecodeSettings) -> None:
    model = load(MODELS / "captioning/soft")
    for photo, caption in CAPTIONS.items():
        trace = model.decode(read_photo(FOLDER / f"{photo}.jpg"), way)
        assert trace.text() == caption and clear(trace)


def test_greedy_and_beam_part_where_tests_need_it() -> None:
    greedy, beam = (load(MODELS / "translation/additive").decode(DIFFERS, way) for way in WAYS)
    assert greedy.text() != beam.text() and clear(greedy) and clear(beam)
