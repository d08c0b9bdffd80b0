"""Drawing a token from a distribution: temperature, then the top k, then the smallest set that holds top-p of what is left."""

from __future__ import annotations

import torch
from torch import Tensor

from seq2seq_core.config import DecodeSettings


def draw(logprobs: Tensor, uniform: Tensor, settings: DecodeSettings) -> Tensor:
    """Log-probabilities [R, V] and one number between 0 and 1 -> token ids [R]: where the number falls among the cumulated chances."""
    ends = chances(logprobs, settings).cumsum(-1)  # [R, V] rises at the allowed tokens alone
    place = torch.searchsorted(ends, uniform.double() * ends[:, -1:], right=True)
    return place[:, 0]


def chances(logprobs: Tensor, settings: DecodeSettings) -> Tensor:
    """The distribution that is drawn from, in double precision: [R, V]; 0 for the tokens that are cut away."""
    scaled = logprobs.double() / settings.temperature
    if settings.top_k:
        scaled = _keep_best(scaled, min(settings.top_k, scaled.shape[1]))
    if settings.top_p < 1:
        scaled = _keep_share(scaled, settings.top_p)
    return scaled.softmax(-1)


def _keep_best(scores: Tensor, count: int) -> Tensor:
    best, ids = scores.topk(count)
    return torch.full_like(scores, -torch.inf).scatter_(1, ids, best)


def _keep_share(scores: Tensor, share: float) -> Tensor:
    best, ids = scores.sort(descending=True)
    chances = best.softmax(-1)
    before = chances.cumsum(-1) - chances  # what the better ones hold
    before[:, 0] = 0.0
    return torch.full_like(scores, -torch.inf).scatter_(1, ids, best.masked_fill(before >= share, -torch.inf))
