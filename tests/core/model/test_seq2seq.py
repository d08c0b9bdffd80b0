"""Every variant, wiring and cell: one step is the whole, a batch is its sentences, every weight learns, nothing is kept."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest
import torch

from seq2seq_core.config import ATTENTIONS, WITHOUT_MAP, ModelConfig, from_dict, to_dict
from seq2seq_core.errors import InputError
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.seq2seq import Seq2Seq
from tests.core.tiny import tiny_config, tiny_model

VARIANTS = [(attention, wiring) for attention in ATTENTIONS for wiring in ("output", "input")]
VARIANTS += [(attention, wiring) for attention in ("additive", "multi-head", "hard") for wiring in ("straight", "state")]
SOURCE, LENGTHS = torch.tensor([[4, 5, 6, 7, 8], [9, 8, 7, 0, 0], [4, 0, 0, 0, 0]]), torch.tensor([5, 3, 1])
TARGET = torch.tensor([[1, 5, 6, 7], [1, 8, 8, 4], [1, 9, 4, 5]])


def encode(model: Seq2Seq) -> Memory:
    return model.encode(SOURCE, LENGTHS)


@pytest.mark.parametrize(("attention", "wiring"), VARIANTS)
@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_steps_one_by_one_equal_the_whole_target(attention: str, wiring: str, cell: str) -> None:
    model = tiny_model(attention=attention, wiring=wiring, cell=cell, decoder_layers=2, encoder_layers=2)
    with torch.inference_mode():
        memory = encode(model)
        whole = model.step(TARGET, model.start(memory), memory)
        state = model.start(memory)
        for t in range(TARGET.shape[1]):
            one = model.step(TARGET[:, t : t + 1], state, memory)
            state = one.state
            for name in ("logits", "weights", "hidden"):
                torch.testing.assert_close(getattr(one, name)[:, 0], getattr(whole, name)[:, t], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(state, whole.state, atol=1e-5, rtol=1e-4)
    trained = model.step(TARGET, model.start(encode(model)), encode(model))  # the path that training takes
    torch.testing.assert_close(trained.logits.detach(), whole.logits, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize(("attention", "wiring"), VARIANTS)
def test_a_batch_gives_what_its_sentences_give_and_padding_gets_nothing(attention: str, wiring: str) -> None:
    model = tiny_model(attention=attention, wiring=wiring)
    with torch.inference_mode():
        memory = encode(model)
        batch = model.step(TARGET, model.start(memory), memory)
        for row, length in enumerate(LENGTHS.tolist()):
            alone = model.encode(SOURCE[row : row + 1, :length], LENGTHS[row : row + 1])
            single = model.step(TARGET[row : row + 1], model.start(alone), alone)
            torch.testing.assert_close(batch.logits[row], single.logits[0], atol=1e-5, rtol=1e-4)
            torch.testing.assert_close(batch.weights[row, ..., :length], single.weights[0], atol=1e-5, rtol=1e-4)
            assert (batch.weights[row, ..., length:] == 0).all()
    if attention in WITHOUT_MAP:
        assert batch.weights.shape[2] == 0
    else:
        torch.testing.assert_close(batch.weights.sum(-1), torch.ones(batch.weights.shape[:3]))


@pytest.mark.parametrize(("attention", "wiring"), VARIANTS)
@pytest.mark.parametrize("source", ["text", "image"])
def test_gradients_reach_every_parameter(attention: str, wiring: str, source: str) -> None:
    model = tiny_model(attention=attention, wiring=wiring, source=source, gate=wiring != "state", tie_output=False).train()
    memory = encode(model) if source == "text" else model.encode(torch.randn(3, 4, model.config.source_vocab), torch.tensor([4, 4, 4]))
    out = model.step(TARGET, model.start(memory), memory)
    (out.logits.logsumexp(-1).sum() + (out.weights**2).sum()).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().sum() > 0, name


def test_a_cell_of_a_picture_tells_of_the_scene_and_padding_says_nothing() -> None:
    model = tiny_model(source="image")
    grid = torch.randn(2, 4, model.config.source_vocab)
    grid[1, :3] = grid[0, :3]
    with torch.inference_mode():
        both = model.encode(grid, torch.tensor([4, 3]))
        short = model.encode(grid[:1, :3], torch.tensor([3]))
    assert not torch.allclose(both.states[0, 0], both.states[1, 0])  # the same cell beside one more
    torch.testing.assert_close(both.states[1, :3], short.states[0])
    torch.testing.assert_close(both.summary[1], short.summary[0])


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_decoding_assigns_nothing_to_the_model(attention: str) -> None:
    model = tiny_model(attention=attention)
    before = {name: dict(module.__dict__) for name, module in model.named_modules()}
    frozen = copy.deepcopy(model.state_dict())
    with torch.inference_mode():
        memory = encode(model)
        model.step(TARGET, model.start(memory), memory)
    for name, module in model.named_modules():
        assert module.__dict__.keys() == before[name].keys()
        assert all(module.__dict__[key] is value for key, value in before[name].items()), name
    assert all(torch.equal(frozen[key], value) for key, value in model.state_dict().items())


def test_every_step_receives_the_source_and_none_only_the_start() -> None:
    for attention, reacts in (("none", False), ("every-step", True)):
        model = tiny_model(attention=attention)
        with torch.inference_mode():
            memory = encode(model)
            state = torch.zeros_like(model.start(memory))
            other = replace(memory, parts=(memory.parts[0]._replace(summary=memory.summary + 1),))
            same = torch.equal(model.step(TARGET, state, memory).logits, model.step(TARGET, state, other).logits)
        assert same is not reacts


def test_a_language_model_is_a_decoder_without_memory() -> None:
    model = tiny_model(source="none", attention="none")
    with torch.inference_mode():
        memory = model.encode_nothing(3)
        out = model.step(TARGET, model.start(memory), memory)
    assert out.logits.shape == (3, 4, model.config.target_vocab)
    assert model.encoder is None and memory.states.shape == (3, 0, 8)


def test_variants_share_every_other_weight() -> None:
    shapes = {}
    for attention in ATTENTIONS:
        model = tiny_model(attention=attention)
        shapes[attention] = {name: tuple(p.shape) for name, p in model.named_parameters() if ".attention." not in name}
    with_map = [shapes[attention] for attention in ATTENTIONS if attention not in WITHOUT_MAP]
    assert all(one == with_map[0] for one in with_map)


def test_tied_weights_are_one_parameter() -> None:
    tied, free = tiny_model(share_embeddings=True), tiny_model(tie_output=False)
    assert tied.decoder.output.weight is tied.decoder.embedding.weight is tied.encoder.embedding.weight  # type: ignore[union-attr]
    assert free.decoder.output.weight is not free.decoder.embedding.weight


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"attention": "psychic"}, "attention is 'psychic'; it must be one of none, every-step, dot"),
        ({"hidden": 0}, "hidden is 0; it must be between 1 and 2048."),
        ({"hidden": 7}, "hidden is 7; with a bidirectional encoder it must be even."),
        ({"attention": "multi-head", "hidden": 10}, "hidden is 10; it must be a multiple of heads, 4."),
        ({"source": "none"}, "a model without a source can only have 'none'"),
        ({"dropout": float("nan")}, "dropout is nan; it must be between 0 and 0.9."),
        ({"share_embeddings": True, "source_vocab": 9}, "share_embeddings needs a text source"),
    ],
)
def test_a_wrong_config_is_refused_in_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence.replace("(", r"\(")):
        tiny_config(**changes)


def test_a_config_survives_the_way_through_json() -> None:
    config = tiny_config(attention="multi-head", coverage=0.5)
    assert from_dict(ModelConfig, to_dict(config)) == config
    with pytest.raises(InputError, match="'hiden' is not a setting of ModelConfig"):
        from_dict(ModelConfig, {"hiden": 8})
    with pytest.raises(InputError, match="hidden is '8'; it must be a whole number"):
        from_dict(ModelConfig, {"hidden": "8"})
