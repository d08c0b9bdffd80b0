"""Principal components against a full decomposition, distances by hand, and states against the model's own steps."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.study.vectors import cosine_distances, decoder_states, principal_components, sentence_vectors
from tests.core.tiny import LETTERS, tiny_model


def test_components_are_those_of_the_covariance() -> None:
    vectors = np.random.default_rng(3).normal(size=(30, 6)) * np.array([5, 3, 1, 1, 0.5, 0.1]) + 7
    found = principal_components(vectors)
    values, axes = np.linalg.eigh(np.cov(vectors.T))
    assert found.explained == pytest.approx(tuple(values[::-1][:2] / values.sum()))
    assert np.abs(found.axes @ axes[:, ::-1][:, :2]) == pytest.approx(np.eye(2), abs=1e-9)
    assert found.points == pytest.approx((vectors - vectors.mean(0)) @ found.axes.T)


def test_the_picture_does_not_turn_over() -> None:
    vectors = np.random.default_rng(4).normal(size=(9, 5))
    turned = principal_components(vectors[::-1])
    assert turned.points[::-1] == pytest.approx(principal_components(vectors).points)


def test_two_vectors_lie_on_a_line_and_one_is_refused() -> None:
    found = principal_components(np.array([[0.0, 0.0, 0.0], [3.0, 4.0, 0.0]]))
    assert found.explained == pytest.approx((1.0, 0.0))
    assert np.abs(found.points[:, 0]) == pytest.approx([2.5, 2.5])
    assert principal_components(np.ones((3, 4))).explained == (0.0, 0.0)
    with pytest.raises(InputError, match="at least 2 are needed"):
        principal_components(np.ones((1, 4)))


def test_cosine_distances_by_hand() -> None:
    found = cosine_distances(np.array([[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0], [1.0, 1.0], [0.0, 0.0]]))
    assert found[0] == pytest.approx([0, 1, 2, 1 - np.sqrt(0.5), 1])
    assert (found == found.T).all()


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_states_are_those_of_the_models_steps(cell: str) -> None:
    model = tiny_model(cell=cell, attention="additive")
    pipeline = Pipeline("translation/x", model, LETTERS, LETTERS)
    encoded, tokens = pipeline.encode("abc"), (5, 7, 4)
    found = decoder_states(pipeline, encoded, tokens)
    assert found.shape == (4, model.config.hidden)
    with torch.inference_mode():
        state = model.start(encoded.memory)
        for step, given in enumerate([BOS, *tokens]):
            assert found[step] == pytest.approx(state[0, -1, : model.config.hidden].numpy(), abs=1e-5)
            state = model.step(torch.tensor([[given]]), state, encoded.memory).state
    assert len(decoder_states(pipeline, encoded, ())) == 1


def test_sentence_vectors_are_the_encoders_last_states() -> None:
    pipeline = Pipeline("translation/x", tiny_model(), LETTERS, LETTERS)
    found = sentence_vectors(pipeline, ["abc", "hgf ab"])
    assert found.shape == (2, 8)
    assert found[1] == pytest.approx(pipeline.encode("hgf ab").memory.summary[0].numpy(), abs=1e-6)
    with pytest.raises(InputError, match="reads no text"):
        sentence_vectors(Pipeline("language/x", tiny_model(task="language", source="none", attention="none"), None, LETTERS), ["a"])
