"""The Transformer: PyTorch's own layers give the same numbers, one step is the whole, a batch is its sentences, every search decodes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from seq2seq_core.config import DecodeSettings, ModelConfig, to_dict
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS
from seq2seq_core.model.attention import MultiHead
from seq2seq_core.model.override import Override, Rows
from seq2seq_core.model.record import Record
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.model.transformer import DecoderLayer, EncoderLayer, Forward, placed
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.store.ship import card_text
from seq2seq_core.study.inside import inside
from seq2seq_core.training.recipe import read_recipe
from tests.core.tiny import LETTERS, tiny_config, tiny_model

CONFIGS = Path(__file__).resolve().parents[3] / "configs"
SHAPE: dict[str, Any] = {
    "body": "transformer", "attention": "multi-head", "embedding": 8, "hidden": 8, "heads": 2, "forward": 12,
    "encoder_layers": 2, "decoder_layers": 2,
}  # fmt: skip


def model_of(**changes: Any) -> Seq2Seq:
    return tiny_model(**(SHAPE | changes))


def sources(*lengths: int) -> tuple[Tensor, Tensor]:
    rng = torch.Generator().manual_seed(3)
    ids = torch.randint(4, LETTERS.size, (len(lengths), max(lengths)), generator=rng)
    return ids, torch.tensor(lengths)


def test_positions_are_sines_and_cosines_of_geometric_paces() -> None:
    found = placed(torch.zeros(1, 3, 4), first=5)[0]
    for row, place in enumerate((5, 6, 7)):
        angles = torch.tensor([place, place / 100.0])
        assert torch.allclose(found[row], torch.stack([angles.sin(), angles.cos()], -1).flatten())
    assert torch.allclose(placed(torch.ones(1, 1, 4)) - placed(torch.zeros(1, 1, 4)), torch.full((1, 1, 4), 2.0))


def _copy_attention(ours: MultiHead, theirs: nn.MultiheadAttention) -> None:
    parts = (ours.w_q, ours.w_k, ours.w_v)
    theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
    theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    theirs.out_proj.load_state_dict(ours.w_o.state_dict())


def _copy_forward(ours: Forward, theirs: Any, norm: nn.LayerNorm) -> None:
    theirs.linear1.load_state_dict(ours.w_1.state_dict())
    theirs.linear2.load_state_dict(ours.w_2.state_dict())
    norm.load_state_dict(ours.norm.state_dict())


@torch.no_grad()
def test_an_encoder_layer_is_pytorchs_own() -> None:
    torch.manual_seed(1)
    ours = EncoderLayer(tiny_config(**SHAPE)).eval()
    theirs = nn.TransformerEncoderLayer(8, 2, 12, dropout=0.0, batch_first=True, norm_first=True).eval()
    for norm in (ours.itself.norm, ours.forwards.norm):
        nn.init.normal_(norm.weight)
    _copy_attention(ours.itself.attention, theirs.self_attn)
    theirs.norm1.load_state_dict(ours.itself.norm.state_dict())
    _copy_forward(ours.forwards, theirs, theirs.norm2)
    stream, mask = torch.randn(3, 5, 8), torch.arange(5) < torch.tensor([5, 2, 3])[:, None]
    wanted = theirs(stream, src_key_padding_mask=~mask)
    assert torch.allclose(ours(stream, mask, None)[mask], wanted[mask], atol=1e-5)


@torch.no_grad()
def test_a_decoder_layer_is_pytorchs_own() -> None:
    torch.manual_seed(2)
    model = model_of()
    ours = model.decoder.layers[0]
    assert isinstance(ours, DecoderLayer)
    theirs = nn.TransformerDecoderLayer(8, 2, 12, dropout=0.0, batch_first=True, norm_first=True).eval()
    _copy_attention(ours.itself.attention, theirs.self_attn)
    _copy_attention(ours.attention, theirs.multihead_attn)
    theirs.norm1.load_state_dict(ours.itself.norm.state_dict())
    theirs.norm2.load_state_dict(ours.norm.state_dict())
    _copy_forward(ours.forwards, theirs, theirs.norm3)
    memory = model.encode(*sources(4, 2))
    stream = torch.randn(2, 3, 8)
    causal = torch.ones(1, 3, 3, dtype=torch.bool).tril()
    found, _, looked = ours(stream, torch.zeros(2, 0, 16), causal, memory.looks[0], memory.mask, Override(), None)
    wanted = theirs(stream, memory.states, tgt_mask=~causal[0], memory_key_padding_mask=~memory.mask)
    assert torch.allclose(found, wanted, atol=1e-5)
    assert looked.weights.shape == (2, 3, 2, 4)


@torch.no_grad()
def test_steps_one_by_one_equal_the_whole_target() -> None:
    model = model_of()
    memory = model.encode(*sources(5, 3, 4))
    tokens = torch.randint(0, LETTERS.size, (3, 6))
    whole = model.step(tokens, model.start(memory), memory)
    state = model.start(memory)
    for t in range(6):
        one = model.step(tokens[:, t : t + 1], state, memory)
        state = one.state
        for name in ("logits", "hidden", "weights"):
            assert torch.allclose(getattr(one, name)[:, 0], getattr(whole, name)[:, t], atol=1e-5), name
    assert torch.allclose(state, whole.state, atol=1e-5) and state.shape == (3, 6, 2 * 2 * 8)
    halves = model.step(tokens[:, 2:], model.step(tokens[:, :2], model.start(memory), memory).state, memory)
    assert torch.allclose(halves.logits, whole.logits[:, 2:], atol=1e-5)


@torch.no_grad()
def test_a_batch_gives_what_its_sentences_give_and_padding_gets_nothing() -> None:
    model = model_of()
    source, lengths = sources(6, 2, 4)
    tokens = torch.randint(0, LETTERS.size, (3, 4))
    memory = model.encode(source, lengths)
    batch = model.step(tokens, model.start(memory), memory)
    for row, length in enumerate(lengths.tolist()):
        alone = model.encode(source[row : row + 1, :length], lengths[row : row + 1])
        one = model.step(tokens[row : row + 1], model.start(alone), alone)
        assert torch.allclose(alone.summary, memory.summary[row : row + 1], atol=1e-5)
        assert torch.allclose(one.logits[0], batch.logits[row], atol=1e-5)
        assert torch.allclose(one.weights[0], batch.weights[row, ..., :length], atol=1e-5)
        assert not batch.weights[row, ..., length:].any()


def test_a_later_token_changes_no_earlier_step_and_an_earlier_one_changes_all_later() -> None:
    model = model_of()
    memory = model.encode(*sources(4))
    tokens = torch.tensor([[BOS, 5, 6, 7]])
    with torch.no_grad():
        first = model.step(tokens, model.start(memory), memory).logits
        other = model.step(torch.tensor([[BOS, 5, 8, 7]]), model.start(memory), memory).logits
    assert torch.equal(first[:, :2], other[:, :2])
    assert (first[:, 2:] - other[:, 2:]).abs().amax(-1).min() > 1e-3


def test_gradients_reach_every_parameter() -> None:
    model = model_of(tie_output=False).train()
    memory = model.encode(*sources(4, 3))
    model.step(torch.randint(0, LETTERS.size, (2, 3)), model.start(memory), memory).logits.square().sum().backward()
    without = [name for name, parameter in model.named_parameters() if parameter.grad is None or not parameter.grad.abs().sum() > 0]
    assert {name.rsplit(".", 2)[-2] for name in without} <= {"w_k"}  # a bias of all keys moves every score alike
    assert all(name.endswith("w_k.bias") for name in without)


@pytest.mark.parametrize("settings", [DecodeSettings(), DecodeSettings(search="greedy"), DecodeSettings(search="sample", seed=4)])
def test_every_search_gives_alone_what_it_gives_in_a_batch(settings: DecodeSettings) -> None:
    model = model_of(decoder_layers=3)
    pipeline = Pipeline("translation/transformer", model, LETTERS, LETTERS)
    texts = ["abc", "hg fe dcb", "a"]
    for text, trace in zip(texts, pipeline.decode_batch(texts, settings), strict=True):
        alone = pipeline.decode(text, settings)
        assert alone.text() == trace.text()
        assert alone.hypotheses[0].total == pytest.approx(trace.hypotheses[0].total, abs=1e-5)


def test_a_row_put_in_and_a_position_hidden_hold_for_every_head() -> None:
    model = model_of()
    memory = model.encode(*sources(3))
    tokens = torch.tensor([[BOS, 5]])
    values = torch.tensor([[[0.0, 1.0, 0.0], [0.2, 0.3, 0.5]]])
    with torch.no_grad():
        forced = model.step(tokens, model.start(memory), memory, Override(Rows(values, torch.tensor([[True, False]]))))
        free = model.step(tokens, model.start(memory), memory)
        hidden = memory.hide(torch.tensor([[False, True, False]]))
        without = model.step(tokens, model.start(hidden), hidden)
    assert (forced.weights[0, 0] == values[0, 0]).all() and forced.weights.shape == (1, 2, 4, 3)
    assert not torch.allclose(forced.logits[0, 0], free.logits[0, 0])
    assert not without.weights[..., 1].any() and torch.allclose(without.weights.sum(-1), torch.ones(1, 2, 4))


def test_heads_have_a_layer_and_a_record_has_every_map() -> None:
    model = model_of()
    assert [(head.name, head.layer) for head in model.heads] == [
        ("layer 1, head 1", 0), ("layer 1, head 2", 0), ("layer 2, head 1", 1), ("layer 2, head 2", 1),
    ]  # fmt: skip
    record = Record()
    with torch.no_grad():
        memory = model.encode(*sources(3), record.under("encoder"))
        output = model.step(torch.tensor([[BOS, 5]]), model.start(memory), memory, record=record.under("decoder"))
    assert record.whole("encoder/layer 2/weights").shape == (1, 3, 2, 3)  # every position looks at every other
    itself = record.whole("decoder/layer 1/itself/weights")
    assert itself.shape == (1, 2, 2, 2) and not itself[0, 0, :, 1].any()  # the first step sees itself alone
    looked = torch.cat([record.whole(f"decoder/layer {layer}/attention/weights") for layer in (1, 2)], 2)
    assert torch.equal(looked, output.weights)


@pytest.mark.parametrize("changes", [{"attention": "additive"}, {"embedding": 4}, {"embedding": 7, "hidden": 7, "heads": 1}])
def test_what_a_transformer_needs_is_said(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"transformer needs multi-head attention|must be even"):
        ModelConfig(**(SHAPE | changes))


def test_the_recipes_model_has_at_most_five_million_parameters() -> None:
    recipe = read_recipe(CONFIGS / "translation-transformer.toml")
    base = read_recipe(CONFIGS / "translation-additive.toml")
    assert (recipe.train_data, recipe.dev_data, recipe.tokenizer, recipe.augmentation) == (
        base.train_data, base.dev_data, base.tokenizer, base.augmentation,
    )  # fmt: skip
    assert Seq2Seq(recipe.model).parameter_count <= 5_000_000


def test_its_card_says_what_it_is() -> None:
    told = card_text({"name": "translation/transformer", "config": to_dict(model_of().config), "parameters": 12_345})
    assert "- Transformer: 2 and 2 layers of 8, 2 heads, 12,345 parameters" in told and "Cell" not in told


def test_inside_has_every_layers_look_at_itself_and_at_the_source() -> None:
    pipeline = Pipeline("translation/transformer", model_of(), LETTERS, LETTERS)
    trace = pipeline.decode("abcd", DecodeSettings(beam_size=2))
    steps, found = len(trace.token_ids()), inside(pipeline, trace)
    assert {name: look.shape for name, look in found.reads.items()} == {"layer 1": (2, 4, 4), "layer 2": (2, 4, 4)}
    assert {name: look.shape for name, look in found.looks.items()} == {
        f"layer {layer}/{name}": (2, steps, width) for layer in (1, 2) for name, width in (("itself", steps), ("attention", 4))
    }
    for name, look in (*found.reads.items(), *found.looks.items()):
        assert np.allclose(look.sum(-1), 1, atol=1e-5), name
    assert not np.triu(found.looks["layer 2/itself"], 1).any()
    looked = np.concatenate([found.looks["layer 1/attention"], found.looks["layer 2/attention"]])  # [K, T, S]
    assert np.allclose(looked.transpose(1, 0, 2), trace.maps(), atol=1e-5)
