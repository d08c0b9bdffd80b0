"""Copying: a word may come from the vocabulary, or from where the decoder looks (pointer-generator, See et al. 2017)."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from seq2seq_core.config import ModelConfig
from seq2seq_core.model.record import Record

LEAST = 1e-30  # what is looked at less is not copied: the logarithm needs a number


class Copying(nn.Module):
    """p(w) = (1 - g) p_V(w) + g sum_j alpha_tj [x_j = w] with g = sigmoid(w_g [s_t; c_t] + b_g)   (See et al. 2017, eq. 8 and 9).

    Source and output share one vocabulary of pieces made of bytes, so that every name can be copied, piece by piece. Multiplied by
    Z / (1 - g), with Z the sum of e^z_w, the equation says what is to be changed: e^z_w + Z e^u sum_j alpha_tj [x_j = w], where u is what
    the sigmoid is taken of. So the logits of the words of the source alone are raised, and p is the softmax of what comes out.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.gate = nn.Linear(2 * config.hidden, 1)

    def forward(
        self, logits: Tensor, joined: Tensor, weights: Tensor, pieces: Tensor, record: Record | None = None
    ) -> tuple[Tensor, Tensor]:
        """Logits [B, T, V], [s_t; c_t], weights [B, T, K, S], pieces [B, S] -> logits [B, T, V], g [B, T]."""
        with torch.autocast("cpu", enabled=False):
            gate = F.linear(joined.float(), self.gate.weight, self.gate.bias)  # u [B, T, 1]
            weight = weights.float().mean(2)  # alpha, heads averaged: [B, T, S]
            at = pieces.unsqueeze(1).expand_as(weight)
            one = pieces if pieces.stride(0) else pieces[:1]  # the rows of a search read one source: [S, S] numbers, not for each row
            first = (one.unsqueeze(2) == one.unsqueeze(1)).byte().argmax(2).expand_as(pieces)  # where the piece of a position stands first
            copied = torch.zeros_like(weight).scatter_add(2, first.unsqueeze(1).expand_as(weight), weight)  # there all its weight is
            own, whole = logits.gather(2, at).float(), logits.logsumexp(-1, keepdim=True).float()  # z_w [B, T, S], log Z [B, T, 1]
            raised = torch.logaddexp(own, whole + gate + copied.clamp_min(LEAST).log()) - own
            once = (first == torch.arange(pieces.shape[1])).unsqueeze(1)  # [B, 1, S]
        if record is not None:
            record.add(**{"own logits": logits, "copy": gate.sigmoid()})
        return logits.scatter_add(2, at, (raised * once).to(logits.dtype)), gate.sigmoid().squeeze(2)
