"""Copying: the equation by hand, its limits, one step is the whole, a batch is its sentences, and every search decodes it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from seq2seq_core.config import DecodeSettings, ModelConfig
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, EOS
from seq2seq_core.model.copying import Copying
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.search import plain
from seq2seq_core.study.explanations import gradient_times_input
from seq2seq_core.study.inside import inside
from seq2seq_core.trace.json import to_dict
from seq2seq_core.trace.reader import from_dict
from seq2seq_core.trace.steering import RowEdit, Steering
from seq2seq_core.training.objective import Objective
from seq2seq_core.training.readers import Example, collate
from tests.core.tiny import LETTERS, tiny_config, tiny_model

SENTENCE = "abba head"


def model_of(wiring: str = "output", seed: int = 0) -> Seq2Seq:
    return tiny_model(seed, share_embeddings=True, copying=True, wiring=wiring)


def pipeline_of(wiring: str = "output") -> Pipeline:
    return Pipeline("tiny/copy", model_of(wiring), LETTERS, LETTERS)


@torch.no_grad()
def test_the_chances_are_those_of_the_equation() -> None:
    """Two steps over the source 5 6 5 and five words, every number written out."""
    copying = Copying(tiny_config(hidden=1, bidirectional=False))
    copying.gate.weight.copy_(torch.tensor([[1.0, 2.0]]))
    copying.gate.bias.fill_(-0.5)
    logits = torch.tensor([[[0.0, 1.0, 2.0, 3.0, 4.0, -1.0, 0.5], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]])
    joined = torch.tensor([[[0.3, 0.1], [-0.2, 0.7]]])
    weights = torch.tensor([[[[0.2, 0.3, 0.5]], [[0.9, 0.1, 0.0]]]])  # [B, T, K, S]
    found, shares = copying(logits, joined, weights, torch.tensor([[5, 6, 5]]))
    for t, (u, copied) in enumerate(((0.0, [0.7, 0.3]), (0.7, [0.9, 0.1]))):
        g = 1 / (1 + np.exp(-u))
        p = np.exp(logits[0, t].numpy())
        p *= (1 - g) / p.sum()
        p[5:] += g * np.array(copied)
        assert shares[0, t].item() == pytest.approx(g, abs=1e-6)
        assert np.allclose(found[0, t].softmax(-1).numpy(), p, atol=1e-6)


def mixed(model: Seq2Seq, source: Tensor, prefix: list[int]) -> Tensor:
    """p of every next token [V], from the record of the model's own parts and the sum of the equation, word by word."""
    trace = Pipeline("tiny/copy", model, LETTERS, LETTERS).score(SENTENCE, [*prefix, EOS])
    step = len(prefix)
    numbers = inside(Pipeline("tiny/copy", model, LETTERS, LETTERS), trace).values
    own = torch.from_numpy(numbers["own logits"][step]).softmax(-1)
    g = float(numbers["copy"][step][0])
    copied = torch.zeros_like(own)
    for weight, piece in zip(trace.maps()[step, 0], source[0].tolist(), strict=True):
        copied[piece] += float(weight)
    return (1 - g) * own + g * copied


@pytest.mark.parametrize("wiring", ["output", "input"])
@torch.no_grad()
def test_the_one_step_mixes_what_is_said_and_what_is_seen(wiring: str) -> None:
    model = model_of(wiring)
    source = torch.tensor([LETTERS.encode(SENTENCE).ids])
    memory = model.encode(source, torch.tensor([source.shape[1]]))
    prefix = list(LETTERS.encode("ba").ids)
    chances = plain.next_logprobs(model, memory, prefix).exp()
    assert float(chances.sum()) == pytest.approx(1.0, abs=1e-6)
    assert torch.allclose(chances, mixed(model, source, prefix).double(), atol=1e-6)
    whole = model.step(torch.tensor([[BOS, *prefix]]), model.start(memory), memory)
    state = model.start(memory)
    for t, token in enumerate([BOS, *prefix]):
        one = model.step(torch.tensor([[token]]), state, memory)
        state = one.state
        assert torch.allclose(one.logits[0, 0], whole.logits[0, t], atol=1e-5)
        assert torch.allclose(one.marks["copy"][0, 0], whole.marks["copy"][0, t], atol=1e-6)


@torch.no_grad()
def test_a_gate_that_is_shut_leaves_the_plain_decoder() -> None:
    model, same = model_of(), tiny_model(0, share_embeddings=True)
    same.load_state_dict({name: weight for name, weight in model.state_dict().items() if ".copying." not in name})
    model.decoder.get_parameter("copying.gate.bias").fill_(-torch.inf)
    source, tokens = torch.tensor([LETTERS.encode(SENTENCE).ids]), torch.tensor([[BOS, 5, 6]])
    outputs = []
    for one in (model, same):
        memory = one.encode(source, torch.tensor([source.shape[1]]))
        outputs.append(one.step(tokens, one.start(memory), memory))
    assert torch.equal(outputs[0].logits, outputs[1].logits)
    assert outputs[0].marks["copy"].tolist() == [[0.0, 0.0, 0.0]] and "copy" not in outputs[1].marks


@pytest.mark.parametrize("search", ["greedy", "beam", "sample"])
def test_a_batch_is_its_sentences_and_the_mark_goes_into_the_trace(search: str) -> None:
    pipeline, settings = pipeline_of(), DecodeSettings(search=search, max_length=6, beam_size=3)  # type: ignore[arg-type]
    sentences = [SENTENCE, "cab", "gag a bad egg"]
    for sentence, trace in zip(sentences, pipeline.decode_batch(sentences, settings), strict=True):
        alone = pipeline.decode(sentence, settings)
        assert trace.text() == alone.text()
        marks = [node.marks["copy"] for node in trace.path()]
        assert marks == pytest.approx([node.marks["copy"] for node in alone.path()], abs=1e-5)
        assert all(0 < mark < 1 for mark in marks)
        read = from_dict(to_dict(trace))
        assert [node.marks["copy"] for node in read.path()] == pytest.approx(marks, abs=1e-5)
        forced = pipeline.score(sentence, trace.token_ids())
        same = list(zip(forced.path(), trace.path(), strict=False))  # what the limit cut has no end sign of its own
        assert [one.logprob for one, _ in same] == pytest.approx([other.logprob for _, other in same], abs=1e-4)


def test_beam_search_is_the_plain_one() -> None:
    pipeline = pipeline_of()
    encoded = pipeline.encode(SENTENCE)
    trace = pipeline.decode(encoded, DecodeSettings(beam_size=3, max_length=5))
    finished, _ = plain.beam(pipeline.model, encoded.memory, 3, 5, 0.7)
    assert trace.token_ids() == finished[0][1]


def test_a_row_put_in_by_a_person_says_what_is_copied() -> None:
    pipeline = pipeline_of()
    with torch.no_grad():
        pipeline.model.decoder.get_parameter("copying.gate.bias").fill_(50.0)
    row = tuple(float(place == 5) for place in range(len(SENTENCE)))
    trace = pipeline.decode(SENTENCE, DecodeSettings(search="greedy", max_length=1), Steering(rows=(RowEdit(0, row),)))
    assert trace.text() == SENTENCE[5]
    hidden = pipeline.decode(SENTENCE, DecodeSettings(search="greedy", max_length=1), Steering(hidden=tuple(range(1, len(SENTENCE)))))
    assert hidden.text() == SENTENCE[0]


def test_copying_can_be_explained_by_its_gradient() -> None:
    pipeline = pipeline_of()
    trace = pipeline.decode(SENTENCE, DecodeSettings(search="greedy", max_length=3))
    found = gradient_times_input(pipeline, pipeline.encode(SENTENCE), trace.token_ids(), 1)
    assert found.shape == (len(SENTENCE),) and np.isfinite(found).all() and np.abs(found).max() > 0


@pytest.mark.parametrize("half", [False, True])
def test_every_gradient_is_finite_and_reaches_the_gate(half: bool) -> None:
    """Padding, a piece that stands twice, and an output that cannot be copied."""
    torch.manual_seed(0)
    model = Seq2Seq(tiny_config(share_embeddings=True, copying=True)).train()
    batch = collate([Example((4, 5, 4), (4, 7)), Example((6,), (6, 6, 8))])
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        Objective(model)(batch).total.backward()
    gradients = {name: weight.grad for name, weight in model.named_parameters()}
    assert all(gradient is not None and bool(torch.isfinite(gradient).all()) for gradient in gradients.values())
    assert float(gradients["decoder.copying.gate.weight"].abs().max()) > 0  # type: ignore[union-attr]


def test_the_gradient_is_that_of_the_plain_equation() -> None:
    """The sum over the vocabulary, as it is written, differentiated by PyTorch: equal pieces must not be counted twice."""
    torch.manual_seed(1)
    copying = Copying(tiny_config(hidden=2))
    logits, scores = torch.randn(1, 2, 9), torch.randn(1, 2, 1, 4)
    joined, pieces = torch.randn(1, 2, 4), torch.tensor([[5, 6, 5, 8]])
    wanted = torch.tensor([5, 8])

    def theirs(z: Tensor, e: Tensor) -> Tensor:
        g = torch.sigmoid(copying.gate(joined))
        seen = torch.nn.functional.one_hot(pieces, 9).float()  # [B, S, V]
        return ((1 - g) * z.softmax(-1) + g * (e.softmax(-1).mean(2) @ seen)).log()

    def ours(z: Tensor, e: Tensor) -> Tensor:
        return copying(z, joined, e.softmax(-1), pieces)[0].log_softmax(-1)

    found = []
    for way in (ours, theirs):
        z, e = logits.clone().requires_grad_(), scores.clone().requires_grad_()
        loss = way(z, e)[0, [0, 1], wanted].sum()
        found.append(torch.autograd.grad(loss, (z, e)))
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(*found, strict=True))


def test_copying_needs_one_vocabulary_and_a_map() -> None:
    config = tiny_config(share_embeddings=True, copying=True)
    for changes in ({"attention": "none"}, {"share_embeddings": False}):
        with pytest.raises(InputError, match="copying needs share_embeddings"):
            replace(config, **changes)  # type: ignore[arg-type]
    assert ModelConfig().copying is False
