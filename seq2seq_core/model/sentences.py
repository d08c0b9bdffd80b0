"""An encoder that reads a story sentence by sentence: the words of each, and then the sentences in their order."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from seq2seq_core.config import ModelConfig
from seq2seq_core.inputs.tokenizer import PAD
from seq2seq_core.inputs.words import STOP
from seq2seq_core.model.cells import Recurrence
from seq2seq_core.model.fast import drop
from seq2seq_core.model.memory import Reading
from seq2seq_core.model.record import Record


class Layout(NamedTuple):
    """Where the words of a batch of stories stand."""

    sentence: Tensor  # [B, S] the sentence of each word, counted from 0
    place: Tensor  # [B, S] its place in it
    ends: Tensor  # [B, S] True at the last word of each sentence
    counts: Tensor  # [B] sentences

    @classmethod
    def of(cls, source: Tensor, lengths: Tensor) -> Layout:
        """Words [B, S], lengths [B]. A story need not end with a full stop."""
        places = torch.arange(source.shape[1]).expand_as(source)
        ends = ((source == STOP) & (places < lengths[:, None])) | (places == lengths[:, None] - 1)
        begins = torch.cat([torch.ones_like(ends[:, :1]), ends[:, :-1]], 1)
        first = torch.where(begins, places, 0).cummax(1).values
        return cls(ends.cumsum(1) - ends.long(), places - first, ends, ends.sum(1))

    def by_sentence(self, values: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Of each word [B, S, ..] -> [B N, W, ..], padded with 0, and which of these rows are sentences [B N]."""
        batch, most = len(lengths), int(self.counts.max())
        real = torch.arange(values.shape[1]) < lengths[:, None]
        rows, places = (self.sentence + most * torch.arange(batch)[:, None])[real], self.place[real]
        found = values.new_zeros(batch * most, int(places.max()) + 1, *values.shape[2:])
        found[rows, places] = values[real]
        return found, (torch.arange(most) < self.counts[:, None]).flatten()


class SentenceEncoder(nn.Module):
    """v_n = [last state forwards; last state backwards] over the words of sentence n; u_n: a second recurrent network over the v_n;
    h_n = u_n + W v_n + b   (the "fusion layer" of Xiong et al. 2016).

    Every word has the state of its sentence, and the last word of each alone can be looked at: there are as many looks as sentences.
    """

    def __init__(self, config: ModelConfig, embedding: nn.Embedding) -> None:
        super().__init__()
        self.embedding = embedding
        self.dropout = config.dropout
        directions = 2 if config.bidirectional else 1
        half = config.hidden // directions
        self.words = Recurrence(config.cell, config.embedding, half, bidirectional=config.bidirectional)
        self.recurrence = Recurrence(
            config.cell, config.hidden, half, config.encoder_layers, bidirectional=config.bidirectional, dropout=config.dropout
        )
        self.own = nn.Linear(config.hidden, config.hidden)

    def forward(self, source: Tensor, lengths: Tensor, record: Record | None = None) -> Reading:
        """Words [B, S], lengths [B] -> states [B, S, H], mask [B, S] of the ends of sentences, h_T [B, H].

        A sentence that stands in a batch several times is read once: three of four are of that kind.
        """
        if record is not None:
            record.add(embedded=self.embedding(source))
        layout = Layout.of(source, lengths)
        words, there = layout.by_sentence(source, lengths)  # [B N, W]
        each, which = torch.unique(words[there], dim=0, return_inverse=True)
        found = self._sentences(self.embedding(each), (each != PAD).sum(1))
        told = found.new_zeros(len(there), found.shape[1]).index_copy(0, there.nonzero()[:, 0], found[which])
        return self._story(told, layout)

    def read(self, source: Tensor, embedded: Tensor, lengths: Tensor) -> Reading:
        """The same from the embeddings [B, S, D], so that a gradient can be taken there."""
        layout = Layout.of(source, lengths)
        words, there = layout.by_sentence(embedded, lengths)  # [B N, W, D]
        sizes = (layout.by_sentence(source, lengths)[0][there] != PAD).sum(1)
        found = self._sentences(words[there], sizes)
        return self._story(found.new_zeros(len(there), found.shape[1]).index_copy(0, there.nonzero()[:, 0], found), layout)

    def _sentences(self, embedded: Tensor, sizes: Tensor) -> Tensor:
        """Sentences [N, W, D] of so many words each [N] -> v [N, H]."""
        _, last = self.words.sequence(drop(embedded, self.dropout, self.training), None, sizes)
        return _joined(self.words, last)

    def _story(self, told: Tensor, layout: Layout) -> Reading:
        """All v [B N, H], 0 where a story has no more. In training a position is a sentence, [B, N, H]: the same looks at fewer places."""
        told = torch.unflatten(told, 0, (len(layout.counts), -1))
        fused, last = self.recurrence.sequence(drop(told, self.dropout, self.training), None, layout.counts)
        summary = _joined(self.recurrence, last)
        states, mask = fused + self.own(told), torch.arange(told.shape[1]) < layout.counts[:, None]
        if not self.training:
            sentence = layout.sentence.clamp_max(told.shape[1] - 1)  # of padding too
            states, mask = states.gather(1, sentence.unsqueeze(-1).expand(-1, -1, states.shape[2])), layout.ends
        return Reading(drop(states, self.dropout, self.training), mask, drop(summary, self.dropout, self.training))


def _joined(recurrence: Recurrence, last: Tensor) -> Tensor:
    """The last hidden states of both directions of the top layer: [B, L D, C] -> [B, H]."""
    return last[:, -recurrence.directions :, : recurrence.hidden].flatten(1)
