"""One training step: every gradient is autograd's own, found in another way, and what comes over the ways sums to it."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from seq2seq_core.config import ATTENTIONS, WIRINGS, Cell
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, EOS
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.store import checkpoint
from seq2seq_core.study.training_step import Source, TrainingStep, losses_of, training_step, updated
from seq2seq_core.training.objective import Objective
from seq2seq_core.training.readers import Example, collate
from tests.core.tiny import tiny_model

SOURCE, TARGET = (5, 6, 7, 8, 9), (9, 8, 7)
SOFT = ("dot", "bilinear", "additive", "key-query", "multi-head")


def plain_loss(model: Seq2Seq, source: Source, target: tuple[int, ...], step: int | None = None) -> torch.Tensor:
    """Without a record, and so by the fast ways."""
    if source is None:
        memory = model.encode_nothing()
    else:
        memory = model.encode(torch.as_tensor(source).unsqueeze(0), torch.tensor([len(source)]))
    logits = model.step(torch.tensor([[BOS, *target]]), model.start(memory), memory).logits[0]
    losses = F.cross_entropy(logits, torch.tensor([*target, EOS]), reduction="none")
    return losses.sum() if step is None else losses[step]


def close(found: np.ndarray, wanted: torch.Tensor | np.ndarray) -> None:
    np.testing.assert_allclose(found, np.asarray(wanted), atol=1e-5, rtol=1e-4)


def check(model: Seq2Seq, source: Source, step: int | None = None, target: tuple[int, ...] = TARGET) -> TrainingStep:
    found = training_step(model, source, target, step)
    for ways in filter(None, (found.decoder, found.encoder)):
        assert ways.off().max() < 1e-5 * max(1.0, float(np.abs(ways.whole).max()))
        close(sum(ways.shares().values()), np.linalg.norm(ways.whole, axis=1))
        if step is None:
            assert all(np.abs(way).sum() > 0 for name, way in ways.ways.items() if name not in no_way(model)), ways.ways.keys()
    parameters = dict(model.named_parameters())
    own = torch.autograd.grad(plain_loss(model, source, target, step), list(parameters.values()), allow_unused=True)
    for name, gradient in zip(parameters, own, strict=True):
        close(found.gradients[name].numpy(), torch.zeros_like(parameters[name]) if gradient is None else gradient)
    return found


def no_way(model: Seq2Seq) -> set[str]:
    """Hard attention chooses, and no gradient goes through a choice."""
    return {"query", "key"} if model.config.attention == "hard" else set()


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@pytest.mark.parametrize("wiring", ["output", "input"])
@pytest.mark.parametrize("gate", [False, True])
def test_the_ways_sum_to_the_gradient(cell: Cell, attention: str, wiring: str, gate: bool) -> None:
    model = tiny_model(cell=cell, attention=attention, wiring=wiring, gate=gate, encoder_layers=2, decoder_layers=2)
    found = check(model, SOURCE)
    assert found.encoder is not None and found.source is not None and found.source.shape == (len(SOURCE), model.config.embedding)
    assert (found.looking is not None) == model.config.has_map
    check(model, SOURCE, 2)


@pytest.mark.parametrize("number", range(24))
def test_the_ways_sum_to_the_gradient_of_any_step_of_any_pair(number: int) -> None:
    """Models, pairs and steps drawn: what comes into every state over its ways is autograd's gradient there."""
    rng = random.Random(number)
    wiring = WIRINGS[number % len(WIRINGS)]
    options = {"decoder_layers": rng.randint(1, 3), "encoder_layers": rng.randint(1, 3), "bidirectional": rng.random() < 0.7}
    model = tiny_model(number, attention=rng.choice(SOFT), cell=rng.choice(("rnn", "gru", "lstm")), wiring=wiring, **options)
    source, target = (tuple(rng.randrange(4, model.config.target_vocab) for _ in range(rng.randint(1, 9))) for _ in range(2))
    found = check(model, source, rng.randrange(len(target) + 1), target)
    assert sum(np.abs(one).sum() for one in found.decoder.ways.values()) > 0
    if wiring == "state":  # nothing but attention leads on from a state
        assert list(found.decoder.ways) == ["query", "next state"] and np.abs(found.decoder.ways["next state"][1:]).sum() == 0


@pytest.mark.parametrize("bidirectional", [False, True])
def test_one_direction_or_two(bidirectional: bool) -> None:
    found = check(tiny_model(bidirectional=bidirectional), SOURCE)
    assert found.encoder is not None
    assert list(found.encoder.ways) == ["key", "context", "next state", "first state"]
    first = found.encoder.ways["first state"]
    assert np.abs(first[-1]).sum() > 0 and np.abs(first[1:-1]).sum() == 0
    assert (np.abs(first[0]).sum() > 0) == bidirectional


@pytest.mark.parametrize("attention", ["none", "every-step", "additive", "hard", "multi-head"])
def test_a_photo_down_to_its_features(attention: str) -> None:
    model = tiny_model(source="image", source_vocab=12, attention=attention, task="captioning")
    features = torch.randn(6, 12, generator=torch.Generator().manual_seed(2))
    found = check(model, features)
    asked = features.clone().requires_grad_()
    (own,) = torch.autograd.grad(plain_loss(model, asked, TARGET), asked)
    assert found.source is not None
    close(found.source, own)
    assert not features.requires_grad


def test_a_language_model_has_a_decoder_alone() -> None:
    found = check(tiny_model(source="none", attention="none", task="language"), None)
    assert found.encoder is None and found.source is None and list(found.decoder.ways) == ["output", "next state"]


def test_the_gradient_at_the_output_is_what_is_said_less_what_is_right() -> None:
    found = training_step(tiny_model(), SOURCE, TARGET)
    wanted = np.exp(found.logprobs)
    wanted[np.arange(len(TARGET) + 1), found.target] -= 1
    close(found.logits, wanted)
    assert found.loss == pytest.approx(sum(found.losses)) == pytest.approx(sum(losses_of(tiny_model(), SOURCE, TARGET)), rel=1e-5)


@pytest.mark.parametrize("attention", ["dot", "bilinear", "additive", "key-query", "multi-head"])
def test_the_gradient_at_the_scores_is_the_softmax_of_that_at_the_weights(attention: str) -> None:
    """dL/de_j = alpha_j (dL/dalpha_j - sum_k alpha_k dL/dalpha_k), by hand."""
    looking = training_step(tiny_model(attention=attention), SOURCE, TARGET).looking
    assert looking is not None
    mean = (looking.rows * looking.weights).sum(-1, keepdims=True)
    close(looking.scores, looking.rows * (looking.weights - mean))
    assert np.abs(looking.keys).sum() > 0 and np.abs(looking.queries).sum() > 0 and np.abs(looking.context).sum() > 0


def test_one_loss_reaches_no_later_state_and_all_losses_sum_to_the_whole() -> None:
    model = tiny_model()
    each = [training_step(model, SOURCE, TARGET, step) for step in range(len(TARGET) + 1)]
    assert np.abs(each[1].decoder.whole[3:]).sum() == 0 < np.abs(each[1].decoder.whole[2]).sum()
    whole = training_step(model, SOURCE, TARGET)
    close(sum(one.decoder.whole for one in each), whole.decoder.whole)
    assert sum(one.loss for one in each) == pytest.approx(whole.loss)


def test_a_small_update_lowers_the_loss_by_the_rate_times_the_square_of_the_gradient() -> None:
    model = tiny_model()
    before = {name: weight.clone() for name, weight in checkpoint.weights_of(model).items()}
    found = training_step(model.pack(), SOURCE, TARGET)
    rate = 1e-4
    then = updated(model, found.gradients, rate)
    fell = found.loss - sum(losses_of(then, SOURCE, TARGET))
    assert fell == pytest.approx(rate * found.length**2, rel=0.05)
    assert then.decoder.packed is None and model.decoder.packed is not None
    for name, weight in checkpoint.weights_of(model).items():
        if name not in ("decoder.output.weight", "decoder.embedding.weight"):  # packing rounds these
            assert torch.equal(weight, before[name])


def test_the_parts_have_the_whole_gradient_between_them() -> None:
    model = tiny_model()
    found = training_step(model, SOURCE, TARGET)
    parts = found.by_part(model)
    assert sum(size**2 for size in parts.values()) == pytest.approx(found.length**2, rel=1e-4)
    assert {"encoder", "first state", "decoder cell", "attention", "readout"} <= set(parts)


def test_the_losses_are_those_of_training() -> None:
    model = tiny_model()
    with torch.no_grad():
        expected = Objective(model).eval()(collate([Example(SOURCE, TARGET)]))
    assert training_step(model, SOURCE, TARGET).loss == pytest.approx(float(expected.summed), rel=1e-5)


def test_what_cannot_be_shown_is_said() -> None:
    model = tiny_model()
    for source, target in (((5,) * 61, TARGET), (SOURCE, (5,) * 60)):
        with pytest.raises(InputError, match="shorten it"):
            training_step(model, source, target)
    with pytest.raises(InputError, match="steps 0 to 3"):
        training_step(model, SOURCE, TARGET, 4)
    transformer = tiny_model(body="transformer", attention="multi-head", hidden=8, embedding=8)
    with pytest.raises(InputError, match="recurrent"):
        training_step(transformer, SOURCE, TARGET)
