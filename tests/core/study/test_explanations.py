from __future__ import annotations

import numpy as np
import pytest
import torch

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.study.explanations import (
    DIFFERENT,
    SAME,
    adversarial_row,
    explain,
    gradient_times_input,
    next_logprobs,
)
from seq2seq_core.study.left_out import leave_one_out, leave_region_out, parts_of, read_again, without
from seq2seq_core.study.measures import jensen_shannon, kendall_tau, total_variation
from seq2seq_core.trace.steering import RowEdit, Steering
from tests.core.invariants import tiny_pipeline
from tests.core.tiny import LETTERS

TEXT = "ab cde fa"
SETTINGS = DecodeSettings(beam_size=3, max_length=8)


@pytest.mark.parametrize("attention", ["additive", "multi-head", "every-step", "none", "transformer"])
def test_gradient_times_input_is_the_slope_of_scaling_an_input(attention: str) -> None:
    kind = (
        {"attention": "multi-head", "body": "transformer", "embedding": 8, "heads": 2}
        if attention == "transformer"
        else {"attention": attention}
    )
    pipeline = tiny_pipeline(4, **kind)
    encoded, tokens, step = pipeline.encode(TEXT), (5, 7, 4), 2
    products = gradient_times_input(pipeline, encoded, tokens, step)

    def logprob(scale: torch.Tensor) -> float:
        model = pipeline.model.double()
        embedded = model.encoder.embedding(torch.tensor([encoded.parts[0].ids])) * scale[:, None]
        memory = model.decoder.remember(model.encoder.read(embedded, torch.tensor([len(scale)])))
        logits = model.step(torch.tensor([[1, *tokens[:step]]]), model.start(memory), memory).logits[0, -1]
        return float(logits.log_softmax(-1)[tokens[step]])

    size, h = len(encoded.parts[0].ids), 1e-5
    with torch.inference_mode():
        for place in range(size):
            ones, up, down = (torch.ones(size, dtype=torch.double) for _ in range(3))
            up[place], down[place] = 1 + h, 1 - h
            assert products[place] == pytest.approx((logprob(up) - logprob(down)) / (2 * h), abs=2e-5)
    pipeline.model.float()


def test_a_gradient_leaves_nothing_behind() -> None:
    pipeline = tiny_pipeline(4)
    trace = pipeline.decode(TEXT, SETTINGS)
    gradient_times_input(pipeline, pipeline.encode(TEXT), trace.token_ids(), 1)
    adversarial_row(pipeline, pipeline.encode(TEXT), trace.token_ids(), 1)
    assert all(parameter.grad is None for parameter in pipeline.model.parameters())
    assert pipeline.decode(TEXT, SETTINGS).nodes == trace.nodes


def test_leave_one_out_equals_a_run_without_the_word() -> None:
    pipeline = tiny_pipeline(6, eos=-1.0)
    tokens = pipeline.decode(TEXT, SETTINGS).token_ids()
    found = leave_one_out(pipeline, pipeline.read(TEXT)[0], tokens, 2, SETTINGS)
    source = pipeline.read(TEXT)[0]
    assert len(found) == len(set(source.groups))
    whole = pipeline.score(TEXT, tokens[:3]).path()[2].logprob
    for one in found:
        shorter = "".join(sign for place, sign in enumerate(TEXT) if place not in one.positions)
        assert one.drop == whole - pipeline.score(shorter, tokens[:3]).path()[2].logprob
        assert one.output == pipeline.decode(shorter, SETTINGS).text()
        assert "".join(source.text[slice(*source.spans[i])] for i in one.positions) == one.word


@pytest.mark.parametrize("attention", ["additive", "none"])
def test_leaving_a_region_out_equals_a_run_on_the_other_cells(attention: str) -> None:
    pipeline = tiny_pipeline(6, eos=-1.0, source="image", source_vocab=7, task="captioning", attention=attention)
    features = torch.randn(42, 7, generator=torch.Generator().manual_seed(1))
    encoded = pipeline.encode(Grid(features, (6, 7)))
    tokens = pipeline.decode(encoded, SETTINGS).token_ids()
    found = leave_region_out(pipeline, encoded, tokens, 2, SETTINGS)
    assert len(found) == 25
    assert sorted(place for one in found for place in one.positions) == list(range(42))
    assert found[0].word == "row 1 to 2, column 1 to 2"
    assert found[0].positions == (0, 1, 7, 8)
    whole = pipeline.score(encoded, tokens[:3]).path()[2].logprob
    for one in found:
        rest = features[[i for i in range(42) if i not in one.positions]]
        without_it = Grid(rest, (1, len(rest)))
        assert one.drop == pytest.approx(whole - pipeline.score(without_it, tokens[:3]).path()[2].logprob, abs=1e-5)
        assert one.output == pipeline.decode(without_it, SETTINGS).text()


def test_an_explanation_of_a_picture_is_by_region() -> None:
    pipeline = tiny_pipeline(6, source="image", source_vocab=7, task="captioning")
    encoded = pipeline.encode(Grid(torch.randn(100, 7, generator=torch.Generator().manual_seed(1)), (10, 10)))
    trace = pipeline.decode(encoded, SETTINGS)
    found = explain(pipeline, encoded, trace.token_ids(), 0, trace.attention()[0], SETTINGS)
    products = gradient_times_input(pipeline, encoded, trace.token_ids(), 0)
    assert found.positions == parts_of(encoded.parts[0])
    assert sum(found.attention) == pytest.approx(1, abs=1e-5)
    assert found.gradient[7] == pytest.approx(float(products[list(found.positions[7])].sum()), abs=1e-9)
    assert len(found.left_out) == len(found.outputs) == 25
    assert found.tau_left_out is not None


def test_a_source_without_some_of_its_tokens() -> None:
    source = tiny_pipeline().read("ab cd")[0]
    rest = without(source, (1, 2))
    assert rest.text == "acd"
    assert rest.ids == tuple(source.ids[i] for i in (0, 3, 4))
    assert [rest.text[a:b] for a, b in rest.spans] == list(rest.labels) == ["a", "c", "d"]


def test_nothing_to_leave_out() -> None:
    pipeline = tiny_pipeline()
    assert leave_one_out(pipeline, pipeline.read("a")[0], (5,), 0) == ()
    explained = explain(pipeline, pipeline.encode("a"), (5,), 0, np.ones(1, dtype=np.float32))
    assert (explained.left_out, explained.tau_left_out, explained.tau_gradient) == ((), None, None)


def test_reading_again_is_reading() -> None:
    pipeline = tiny_pipeline()
    encoded = pipeline.encode(TEXT)
    assert pipeline.decode(read_again(pipeline, encoded.parts[0]), SETTINGS).nodes == pipeline.decode(encoded, SETTINGS).nodes


def test_three_answers_side_by_side() -> None:
    pipeline = tiny_pipeline(6, eos=-1.0)
    trace = pipeline.decode(TEXT, SETTINGS)
    found = explain(pipeline, pipeline.encode(TEXT), trace.token_ids(), 1, trace.attention()[1], SETTINGS)
    assert len(found.words) == len(found.attention) == len(found.gradient) == len(found.left_out) == len(found.outputs)
    assert sum(found.attention) == pytest.approx(1, abs=1e-5)
    assert found.tau_gradient == kendall_tau(found.attention, np.abs(found.gradient))
    assert found.tau_left_out == kendall_tau(found.attention, np.abs(found.left_out))


@pytest.mark.parametrize("attention", ["additive", "dot", "multi-head", "hard"])
@pytest.mark.parametrize("wiring", ["input", "output"])
def test_an_adversarial_row_is_what_it_says(attention: str, wiring: str) -> None:
    pipeline = tiny_pipeline(2, eos=-3.0, attention=attention, wiring=wiring)
    trace = pipeline.decode(TEXT, SETTINGS)
    encoded, tokens = pipeline.encode(TEXT), trace.token_ids()
    row = adversarial_row(pipeline, encoded, tokens, 1)
    assert sum(row.weights) == pytest.approx(1, abs=1e-4)
    assert row.tried > 40
    steering = Steering(rows=(RowEdit(1, row.weights),))
    own, other = (next_logprobs(pipeline, encoded, tokens, 1, edits) for edits in (Steering(), steering))
    assert total_variation(own, other) == pytest.approx(row.variation, abs=1e-3)
    assert jensen_shannon(row.weights, trace.attention()[1]) == pytest.approx(row.divergence, abs=1e-3)
    assert row.found == (row.divergence >= DIFFERENT and row.variation <= SAME)


def test_found_and_not_found_both_happen() -> None:
    answers = set()
    for seed in range(60):
        pipeline = tiny_pipeline(seed)
        with torch.no_grad():
            pipeline.model.decoder.readout.weight[:, 8:] *= 1 + 20 * (seed % 2)  # the output depends more on what is looked at
        tokens = pipeline.decode(TEXT, SETTINGS).token_ids()
        row = adversarial_row(pipeline, pipeline.encode(TEXT), tokens, 0)
        answers.add(row.found)
        if answers == {True, False}:
            return
    pytest.fail(f"only {answers}")


def test_an_adversarial_row_keeps_off_hidden_words() -> None:
    pipeline = tiny_pipeline(2)
    row = adversarial_row(pipeline, pipeline.encode(TEXT), (5, 6), 1, Steering(hidden=(0, 3)))
    assert row.weights[0] == row.weights[3] == 0
    with pytest.raises(InputError, match="no attention row"):
        adversarial_row(tiny_pipeline(attention="none"), tiny_pipeline(attention="none").encode(TEXT), (5,), 0)


def test_a_language_model_has_nothing_to_explain_by() -> None:
    pipeline = tiny_pipeline(source="none", attention="none")
    with pytest.raises(InputError, match="no source"):
        gradient_times_input(pipeline, pipeline.encode(None), (5,), 0)


def test_the_next_distribution_is_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = tiny_pipeline(3)
    trace = pipeline.score(TEXT, LETTERS.encode("abc").ids)
    logprobs = next_logprobs(pipeline, pipeline.encode(TEXT), trace.token_ids(), 2)
    assert logprobs[trace.token_ids()[2]] == pytest.approx(trace.path()[2].logprob, abs=1e-5)
