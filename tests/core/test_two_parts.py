"""A model that reads two things, with a head for each: everything from the pipeline to the trace carries it without knowing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from seq2seq_core.config import DecodeSettings, ModelConfig
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.inputs.part import Head
from seq2seq_core.inputs.tokenizer import EOS
from seq2seq_core.model.attention import REGISTRY, Attended
from seq2seq_core.model.decoder import Decoder
from seq2seq_core.model.encoders import ImageEncoder, TextEncoder
from seq2seq_core.model.memory import Look, Memory, Reading
from seq2seq_core.model.override import Override
from seq2seq_core.model.record import Record
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.tasks import Kind
from seq2seq_core.trace.steering import RowEdit, Steering
from seq2seq_core.trace.trace import DecodeTrace
from tests.core.invariants import assert_close, check_trace
from tests.core.tiny import LETTERS, tiny_config

CHANNELS = 5
HOW = ["greedy", "beam", "sample"]


class TwoMaps(Decoder):
    """An attention map for each part; their contexts are added."""

    def __init__(self, config: ModelConfig, embedding: nn.Embedding) -> None:
        super().__init__(config, embedding)
        self.second = REGISTRY[config.attention](config)
        self.bridge = nn.Linear(2 * config.hidden, config.decoder_layers * self.recurrence.state_size)

    def remember(self, *parts: Reading) -> Memory:
        maps = (self.attention, self.second)
        looks = tuple(Look(one.keys(part.states), one.mixed(part.states)) for one, part in zip(maps, parts, strict=True))
        return Memory(parts, looks, all(bool(part.mask.all()) for part in parts))

    def _attend(self, states: Tensor, memory: Memory, override: Override, record: Record | None) -> Attended:
        found, start, width = [], 0, memory.mask.shape[1]
        for one, look, part in zip((self.attention, self.second), memory.looks, memory.parts, strict=True):
            end = start + part.mask.shape[1]
            seen = one.attend(states, look, part.mask, override.within(start, end), record)
            found.append(seen._replace(weights=F.pad(seen.weights, (start, width - end))))
            start = end
        return Attended(found[0].context + found[1].context, torch.cat([seen.weights for seen in found], 2), {})


class TwoParts(Seq2Seq):
    def __init__(self, config: ModelConfig, second: Kind) -> None:
        super().__init__(config)
        self.kinds: tuple[Kind, ...] = ("text", second)
        letters = nn.Embedding(LETTERS.size, config.embedding)
        self.other = TextEncoder(config, letters) if second == "text" else ImageEncoder(tiny_config(source_vocab=CHANNELS))
        self.decoder = TwoMaps(config, self.decoder.embedding)

    @property
    def reads(self) -> tuple[Kind, ...]:
        return self.kinds

    @property
    def heads(self) -> tuple[Head, ...]:
        return Head("first", 0), Head("second", 1)

    def encode_parts(self, parts: Sequence[tuple[Tensor, Tensor]], batch: int) -> Memory:
        assert self.encoder is not None
        return self.decoder.remember(self.encoder(*parts[0]), self.other(*parts[1]))


def pipeline(second: Kind, seed: int = 0) -> Pipeline:
    torch.manual_seed(seed)
    model = TwoParts(tiny_config(attention="additive"), second)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.4)
        model.decoder.output.bias[EOS] -= 2  # so that outputs have some length
    return Pipeline("test/two", model.eval(), LETTERS, LETTERS)


def grid(rows: int, columns: int, seed: int = 0) -> Grid:
    features = torch.randn(rows * columns, CHANNELS, generator=torch.Generator().manual_seed(seed))
    return Grid(features, (rows, columns), (60, 40))


GIVEN: dict[Kind, list[Any]] = {
    "text": [("abc d", "ha"), ("b", "feed a bad cab"), ("hgf edc", "b")],
    "photo": [("abc d", grid(2, 3)), ("b", grid(1, 2, 1)), ("hgf edc", grid(3, 3, 2))],
}
KINDS: list[Kind] = ["text", "photo"]


def check_parts(trace: DecodeTrace) -> None:
    """Each head's rows add up to 1 over its part, and are exactly 0 elsewhere."""
    check_trace(trace)
    border, end = trace.borders[1:]
    maps = trace.nodes.attention
    assert maps.shape[1:] == (2, end)
    np.testing.assert_allclose(maps[:, 0, :border].sum(-1), 1, atol=1e-5)
    np.testing.assert_allclose(maps[:, 1, border:].sum(-1), 1, atol=1e-5)
    assert not maps[:, 0, border:].any() and not maps[:, 1, :border].any()
    np.testing.assert_array_equal(trace.attention(part=1), trace.maps()[:, 1, border:])


@pytest.mark.parametrize("second", KINDS)
@pytest.mark.parametrize("how", HOW)
def test_every_search_carries_both_parts(second: Kind, how: str) -> None:
    for given in GIVEN[second]:
        trace = pipeline(second).decode(given, DecodeSettings(search=how, beam_size=3, max_length=8))
        assert [part.kind for part in trace.parts] == ["text", "text" if second == "text" else "grid"]
        assert [head.name for head in trace.heads] == ["first", "second"]
        check_parts(trace)
        assert DecodeTrace.from_json(trace.to_json()) == trace


@pytest.mark.parametrize("second", KINDS)
@pytest.mark.parametrize("how", HOW)
def test_a_batch_that_fills_up_both_parts_gives_what_each_gives_alone(second: Kind, how: str) -> None:
    two, settings = pipeline(second, 1), DecodeSettings(search=how, beam_size=3, max_length=8)
    hidden = [Steering(), Steering(hidden=(1,)), Steering(hidden=(0, 6))]
    for trace, given, steering in zip(two.decode_batch(GIVEN[second], settings, hidden), GIVEN[second], hidden, strict=True):
        check_parts(trace)
        assert_close(trace, two.decode(given, settings, steering))
    for trace, given in zip(two.score_batch(GIVEN[second], ["cab", "", "bad"]), GIVEN[second], strict=True):
        check_parts(trace)
        assert_close(trace, two.score(given, trace.text()))


def test_both_parts_are_read() -> None:
    two = pipeline("text")
    one, other, third = (two.score(given, "cab").hypotheses[0].total for given in (("abc", "ha"), ("abc", "bad"), ("abd", "ha")))
    assert len({round(one, 4), round(other, 4), round(third, 4)}) == 3


def test_a_row_is_shared_out_to_the_heads_of_its_parts() -> None:
    two, settings = pipeline("photo"), DecodeSettings(search="greedy", max_length=3)
    free = two.decode(("ab", grid(1, 3)), settings)
    both = two.decode(("ab", grid(1, 3)), settings, Steering(rows=(RowEdit(0, (3, 1, 0, 2, 2)),)))
    np.testing.assert_allclose(both.maps()[0], [[0.75, 0.25, 0, 0, 0], [0, 0, 0, 0.5, 0.5]], atol=1e-6)
    one = two.decode(("ab", grid(1, 3)), settings, Steering(rows=(RowEdit(0, (0, 0, 0, 0, 1)),)))
    np.testing.assert_array_equal(one.maps()[0, 0], free.maps()[0, 0])  # nothing was said about the text
    np.testing.assert_allclose(one.maps()[0, 1], [0, 0, 0, 0, 1])
    check_parts(both)
    check_parts(one)


def test_of_each_part_something_must_be_seen() -> None:
    with pytest.raises(InputError, match=r"^All 2 positions of part 2 are hidden; leave at least one visible\.$"):
        pipeline("photo").decode(("abc", grid(1, 2)), steering=Steering(hidden=(3, 4)))


def test_what_is_missing_is_said() -> None:
    with pytest.raises(InputError, match=r"^This model reads a text and a photo; 1 thing is given\.$"):
        pipeline("photo").decode("abc")
    with pytest.raises(InputError, match=r"^This model reads text"):
        pipeline("text").decode(("abc", grid(1, 2)))
