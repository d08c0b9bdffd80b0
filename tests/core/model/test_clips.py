"""Models that watch: one that reads frames in order feels a shuffle, one that takes them as a set cannot."""

from __future__ import annotations

import pytest
import torch

from seq2seq_core.inputs.clip import FRAMES
from seq2seq_core.model.seq2seq import Seq2Seq
from tests.core.tiny import tiny_model


def watching(**changes: object) -> Seq2Seq:
    return tiny_model(3, task="clip", source="clip", source_vocab=12, **changes)


@pytest.mark.parametrize("attention", ["none", "every-step", "additive"])
def test_only_what_reads_in_order_can_tell_frames_that_are_shuffled(attention: str) -> None:
    frames, lengths = torch.rand(2, FRAMES, 12), torch.full((2,), FRAMES)
    order = torch.randperm(FRAMES, generator=torch.Generator().manual_seed(1))
    tokens = torch.tensor([[2, 5, 6], [2, 7, 5]])
    for ordered in (True, False):
        model = watching(attention=attention, ordered=ordered)
        said = []
        for source in (frames, frames[:, order]):
            memory = model.encode(source, lengths)
            said.append(model.step(tokens, model.start(memory), memory))
        same = torch.allclose(said[0].logits, said[1].logits, atol=1e-6)
        assert same != ordered
        if attention == "additive" and not ordered:  # the weights go with their frames
            torch.testing.assert_close(said[0].weights[..., order], said[1].weights)


def test_padding_changes_nothing() -> None:
    model = watching(attention="additive")
    short = torch.rand(1, 10, 12)
    padded = torch.cat([short, torch.rand(1, 6, 12)], 1)
    alone, beside = model.encode(short, torch.tensor([10])), model.encode(padded, torch.tensor([10]))
    torch.testing.assert_close(alone.states, beside.states[:, :10])
    torch.testing.assert_close(alone.summary, beside.summary)
