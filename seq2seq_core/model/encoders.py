"""Encoders turn a source into a `Memory`: a sentence by a recurrent network, a picture from the grid features of a CNN."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from seq2seq_core.config import ModelConfig
from seq2seq_core.model.attention import AttentionMap, Memory
from seq2seq_core.model.cells import Recurrence
from seq2seq_core.model.dropout import drop


def make_memory(attention: AttentionMap | None, values: Tensor, mask: Tensor, summary: Tensor) -> Memory:
    """Project keys and mixed values once; a variant without a map keeps neither (K = 0)."""
    full = bool(mask.all())
    if attention is None:
        nothing = values.new_empty(values.shape[0], 0, values.shape[1], 0)
        return Memory(values, nothing, nothing, mask, summary, full)
    return Memory(values, attention.keys(values), attention.mixed(values), mask, summary, full)


class TextEncoder(nn.Module):
    """Piece embeddings read by a recurrent network; h_T joins the last states of both directions."""

    def __init__(self, config: ModelConfig, embedding: nn.Embedding) -> None:
        super().__init__()
        self.embedding = embedding
        self.dropout = config.dropout
        self.directions = 2 if config.bidirectional else 1
        self.recurrence = Recurrence(
            config.cell,
            config.embedding,
            config.hidden // self.directions,
            config.encoder_layers,
            bidirectional=config.bidirectional,
            dropout=config.dropout,
        )

    def forward(self, source: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Pieces [B, S], lengths [B] -> states [B, S, H], mask [B, S], h_T [B, H]."""
        return self.read(drop(self.embedding(source), self.dropout, self.training), lengths)

    def read(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The same from the embeddings [B, S, D], so that a gradient can be taken there."""
        states, last = self.recurrence.sequence(embedded, lengths=lengths)
        hidden = self.recurrence.hidden
        summary = last[:, -self.directions :, :hidden].flatten(1)  # top layer, hidden half: [B, H]
        mask = torch.arange(embedded.shape[1]) < lengths[:, None]
        return drop(states, self.dropout, self.training), mask, drop(summary, self.dropout, self.training)


class ImageEncoder(nn.Module):
    """Grid features of a frozen CNN: h_j = norm(tanh(W x_j + U mean(x) + b)), so that a cell tells of the scene too; h_T is their mean.

    Only h_T has dropout: over the cells that soft attention mixes it would average out, and one glimpse would suffer it whole.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.dropout = config.dropout
        self.project = nn.Linear(config.source_vocab, config.hidden)
        self.scene = nn.Linear(config.source_vocab, config.hidden, bias=False)
        self.norm = nn.LayerNorm(config.hidden)

    def forward(self, source: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Grid [B, S, C], lengths [B] -> states [B, S, H], mask [B, S], mean [B, H]."""
        return self.read(source, torch.arange(source.shape[1]) < lengths[:, None])

    def read(self, source: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The same for any choice of cells: mask [B, S] is False where one is left out."""
        mean = _mean(source, mask).unsqueeze(1)
        states = self.norm(torch.tanh(self.project(source) + self.scene(mean)))
        return states, mask, drop(_mean(states, mask), self.dropout, self.training)


def _mean(values: Tensor, mask: Tensor) -> Tensor:
    """Over the cells of the mask: [B, S, C] -> [B, C]."""
    return (values * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
