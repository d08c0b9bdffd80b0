"""The decoder cannot tell one order of the states from another, whatever its map; the encoder of a sentence can."""

from __future__ import annotations

import pytest
import torch

from seq2seq_core.config import ATTENTIONS, WIRINGS, WITHOUT_MAP, DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.inputs.part import Part
from seq2seq_core.study.shuffles import other_order, same_rows, shuffle_states, shuffle_words
from tests.core.invariants import tiny_pipeline

TEXT = "adc hb"
GREEDY = DecodeSettings(search="greedy", max_length=8)


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("wiring", WIRINGS)
def test_shuffled_states_change_nothing_but_the_columns(attention: str, wiring: str) -> None:
    pipeline = tiny_pipeline(attention=attention, wiring=wiring)
    encoded = pipeline.encode(TEXT)
    order = other_order(len(TEXT), 3)
    shuffled = shuffle_states(encoded, order)
    assert "".join(shuffled.parts[0].labels) == "".join(encoded.parts[0].labels[j] for j in order) != TEXT
    one, other = (pipeline.decode(each, GREEDY) for each in (encoded, shuffled))
    assert one.token_ids() == other.token_ids()
    logprobs, weights = same_rows(one, other, order)
    assert logprobs < 1e-5 and weights < 1e-5
    if attention not in WITHOUT_MAP:
        assert same_rows(one, other, range(len(TEXT)))[1] > 1e-4, "as they stand the columns are others"


def test_a_transformer_has_read_the_places_and_its_decoder_looks_at_a_set_all_the_same() -> None:
    pipeline = tiny_pipeline(body="transformer", attention="multi-head", hidden=8, embedding=8)
    encoded, order = pipeline.encode(TEXT), other_order(len(TEXT), 1)
    one, other = (pipeline.decode(each, GREEDY) for each in (encoded, shuffle_states(encoded, order)))
    assert max(same_rows(one, other, order)) < 1e-5


def test_the_cells_of_a_photo_are_a_set_even_to_its_encoder() -> None:
    pipeline = tiny_pipeline(source="image", source_vocab=12, attention="additive", task="captioning")
    features, order = torch.randn(6, 12, generator=torch.Generator().manual_seed(2)), other_order(6, 2)
    one = pipeline.score(pipeline.encode(Grid(features, (2, 3))), (5, 6))
    other = pipeline.score(pipeline.encode(Grid(features[list(order)], (2, 3))), (5, 6))
    assert max(same_rows(one, other, order)) < 1e-5


def test_shuffled_words_are_another_sentence() -> None:
    pipeline = tiny_pipeline(attention="additive")
    text = shuffle_words(pipeline.read(TEXT)[0], 1)
    assert text != TEXT and sorted(text.replace(" ", "")) == sorted(TEXT.replace(" ", ""))
    one, other = pipeline.score(TEXT, (5, 6)), pipeline.score(text, (5, 6))
    assert abs(one.hypotheses[0].total - other.hypotheses[0].total) > 1e-4


def test_the_full_stop_stays() -> None:
    part = Part("sentence", ("a", "b", "c", "."), (0, 1, 2, 3))
    assert all(shuffle_words(part, seed).endswith(".") and shuffle_words(part, seed) != "a b c." for seed in range(9))
    assert shuffle_words(Part("sentence", ("a", "."), (0, 1)), 1) == ". a"


def test_orders_are_other_ones_and_always_the_same() -> None:
    assert all(other_order(count, seed) != tuple(range(count)) for count in (2, 3, 9) for seed in range(20))
    assert other_order(1, 5) == (0,) and other_order(0, 5) == () and other_order(9, 4) == other_order(9, 4)


def test_two_things_are_refused() -> None:
    pipeline = tiny_pipeline()
    encoded = pipeline.encode(TEXT)
    with pytest.raises(InputError, match="within one"):
        shuffle_states(type(encoded)((*encoded.parts, *encoded.parts), encoded.memory, 0.0), range(6))
