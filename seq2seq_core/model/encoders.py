"""Encoders turn a part of what is given into a `Reading`: a sentence by a recurrent network, a picture from the grid features of a CNN."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from seq2seq_core.config import ModelConfig
from seq2seq_core.inputs.sound import BANDS, FRAMES
from seq2seq_core.model.cells import Recurrence
from seq2seq_core.model.fast import drop
from seq2seq_core.model.memory import Reading
from seq2seq_core.model.record import Record

CHANNELS = 32  # of both convolutions over a spectrogram
BEFORE = 4  # frames: how far back a clip is compared with itself


class TextEncoder(nn.Module):
    """Piece embeddings read by a recurrent network; h_T joins the last states of both directions."""

    def __init__(self, config: ModelConfig, embedding: nn.Embedding) -> None:
        super().__init__()
        self.embedding = embedding
        self.dropout = config.dropout
        self.copied = config.copying
        self.directions = 2 if config.bidirectional else 1
        self.recurrence = Recurrence(
            config.cell,
            config.embedding,
            config.hidden // self.directions,
            config.encoder_layers,
            bidirectional=config.bidirectional,
            dropout=config.dropout,
        )

    def forward(self, source: Tensor, lengths: Tensor, record: Record | None = None) -> Reading:
        """Pieces [B, S], lengths [B] -> states [B, S, H], mask [B, S], h_T [B, H]."""
        reading = self.read(drop(self.embedding(source), self.dropout, self.training), lengths, record)
        return reading._replace(pieces=source) if self.copied else reading

    def read(self, embedded: Tensor, lengths: Tensor, record: Record | None = None) -> Reading:
        """The same from the embeddings [B, S, D], so that a gradient can be taken there."""
        if record is not None:
            record.add(embedded=embedded)
        states, last = self.recurrence.sequence(embedded, None, lengths, record)
        hidden = self.recurrence.hidden
        summary = last[:, -self.directions :, :hidden].flatten(1)  # top layer, hidden half: [B, H]
        mask = torch.arange(embedded.shape[1]) < lengths[:, None]
        return Reading(drop(states, self.dropout, self.training), mask, drop(summary, self.dropout, self.training))


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

    def forward(self, source: Tensor, lengths: Tensor, record: Record | None = None) -> Reading:
        """Grid [B, S, C], lengths [B] -> states [B, S, H], mask [B, S], mean [B, H]."""
        return self.read(source, torch.arange(source.shape[1]) < lengths[:, None], record)

    def read(self, source: Tensor, mask: Tensor, record: Record | None = None) -> Reading:
        """The same for any choice of cells: mask [B, S] is False where one is left out."""
        mean = _mean(source, mask).unsqueeze(1)
        states = self.norm(torch.tanh(self.project(source) + self.scene(mean)))
        if record is not None:
            record.add(features=source, mean=mean)
        return Reading(states, mask, drop(_mean(states, mask), self.dropout, self.training))


class SoundEncoder(nn.Module):
    """A spectrogram through two convolutions, each of which halves time and pitch, then a recurrent network (Chan et al. 2016)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.dropout = config.dropout
        self.first = nn.Conv2d(1, CHANNELS, 3, stride=2, padding=1)
        self.second = nn.Conv2d(CHANNELS, CHANNELS, 3, stride=2, padding=1)
        self.directions = 2 if config.bidirectional else 1
        self.recurrence = Recurrence(
            config.cell,
            CHANNELS * BANDS // FRAMES,
            config.hidden // self.directions,
            config.encoder_layers,
            bidirectional=config.bidirectional,
            dropout=config.dropout,
        )

    def forward(self, source: Tensor, lengths: Tensor, record: Record | None = None) -> Reading:
        """Frames, four to a position [B, S, 4 * 40], lengths [B] -> states [B, S, H], mask [B, S], h_T [B, H]."""
        positions = torch.arange(source.shape[1])
        mask = positions < lengths[:, None]
        twice = mask.repeat_interleave(2, 1)  # [B, 2 S]
        frames = source.view(len(source), 1, -1, BANDS)  # [B, 1, 4 S, 40]
        halved = torch.relu(self.first(frames)) * twice[:, None, :, None]  # [B, N, 2 S, 20]; what padding made is no sound
        quartered = torch.relu(self.second(halved))  # [B, N, S, 10]
        inputs = quartered.permute(0, 2, 1, 3).flatten(2)  # [B, S, 10 N]
        if record is not None:
            record.add(features=source, embedded=inputs)
        states, last = self.recurrence.sequence(drop(inputs, self.dropout, self.training), None, lengths, record)
        summary = last[:, -self.directions :, : self.recurrence.hidden].flatten(1)  # both directions of the top layer: [B, H]
        return Reading(drop(states, self.dropout, self.training), mask, drop(summary, self.dropout, self.training))


class ClipEncoder(nn.Module):
    """What the eyes made of each frame, and what has changed since some frames before, read in order by a recurrent network.

    Not `ordered`, the frames are a set: each stays by itself, and what stands for all is their mean (Venugopalan et al. 2015).
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.dropout = config.dropout
        self.project = nn.Linear(config.source_vocab, config.hidden)
        self.directions = 2 if config.bidirectional else 1
        self.recurrence: Recurrence | None = None
        if config.ordered:
            self.change = nn.Linear(config.source_vocab, config.hidden, bias=False)
            width, layers = config.hidden // self.directions, config.encoder_layers
            self.recurrence = Recurrence(
                config.cell, config.hidden, width, layers, bidirectional=config.bidirectional, dropout=config.dropout
            )

    def forward(self, source: Tensor, lengths: Tensor, record: Record | None = None) -> Reading:
        """Frames [B, S, C], lengths [B] -> states [B, S, H], mask [B, S], h_T or the mean [B, H]."""
        mask = torch.arange(source.shape[1]) < lengths[:, None]
        seen = self.project(drop(source, self.dropout, self.training))  # [B, S, H]
        if self.recurrence is not None:
            before = torch.cat([source[:, :1].expand(-1, BEFORE, -1), source], 1)[:, : source.shape[1]]  # frame 1 for those before it
            seen = seen + self.change(source - before)
        inputs = torch.relu(seen)
        if record is not None:
            record.add(features=source, embedded=inputs)
        if self.recurrence is None:
            return Reading(inputs, mask, drop(_mean(inputs, mask), self.dropout, self.training))
        states, last = self.recurrence.sequence(inputs, None, lengths, record)
        summary = last[:, -self.directions :, : self.recurrence.hidden].flatten(1)  # both directions of the top layer: [B, H]
        return Reading(drop(states, self.dropout, self.training), mask, drop(summary, self.dropout, self.training))


def _mean(values: Tensor, mask: Tensor) -> Tensor:
    """Over the cells of the mask: [B, S, C] -> [B, C]."""
    return (values * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
