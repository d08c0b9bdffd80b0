"""Sentences and decoder states as vectors, and as points in two dimensions (principal component analysis)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS
from seq2seq_core.pipeline import Encoded, Pipeline
from seq2seq_core.trace.nodes import Doubles


@dataclass(frozen=True, slots=True)
class Projection:
    """Vectors [n, D] seen along the directions in which they vary most."""

    points: Doubles  # [n, K]
    explained: tuple[float, ...]  # [K] the share of the whole variance that lies along each direction
    mean: Doubles  # [D]
    axes: Doubles  # [K, D] of length 1, at right angles


def principal_components(vectors: Doubles, count: int = 2) -> Projection:
    """PCA by the singular values of the centred vectors. Each axis points to where its largest entry is positive, so that
    the same vectors always give the same picture."""
    vectors = np.asarray(vectors, dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) < 2:
        raise InputError(f"There are {len(vectors)} vectors; at least 2 are needed to see how they differ.")
    mean = vectors.mean(0)
    _, sizes, axes = np.linalg.svd(vectors - mean, full_matrices=False)
    axes = np.concatenate([axes, np.zeros((max(0, count - len(axes)), vectors.shape[1]))])[:count]
    axes = axes * np.where(axes[np.arange(count), np.abs(axes).argmax(1)] < 0, -1.0, 1.0)[:, None]
    variances = np.concatenate([sizes**2, np.zeros(count)])[:count]
    whole = float((sizes**2).sum())
    explained = tuple(float(variance) / whole if whole > 0 else 0.0 for variance in variances)
    return Projection((vectors - mean) @ axes.T, explained, mean, axes)


def cosine_distances(vectors: Doubles) -> Doubles:
    """[n, n] 1 - cos of the angle between every two: 0 the same direction, 1 a right angle, 2 opposite."""
    vectors = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1.0)
    found = np.clip(1.0 - unit @ unit.T, 0.0, 2.0)
    np.fill_diagonal(found, 0.0)
    return np.asarray(found, dtype=np.float64)


@torch.inference_mode()
def sentence_vectors(pipeline: Pipeline, texts: Sequence[str]) -> Doubles:
    """[n, E] h_T of every text: what the decoder's first state is made from, and all that a model without attention knows."""
    if pipeline.model.config.source != "text":
        raise InputError(f"{pipeline.model_id} reads no text, so it has no sentence vectors.")
    return np.stack([pipeline.encode(text).memory.summary[0].double().numpy() for text in texts])


@torch.inference_mode()
def decoder_states(pipeline: Pipeline, encoded: Encoded, tokens: Sequence[int]) -> Doubles:
    """[T + 1, H] s_0 and the state after each of the tokens, while the model says them."""
    model = pipeline.model
    start = model.start(encoded.memory)
    first = start[0, -1, : model.config.hidden]
    if not tokens:
        return first.double().numpy()[None]
    inputs = torch.tensor([[BOS, *tokens[:-1]]])
    hidden = model.step(inputs, start, encoded.memory).hidden[0]
    return torch.cat([first[None], hidden]).double().numpy()
